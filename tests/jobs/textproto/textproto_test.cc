#include "jobs/textproto/textproto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "proto/schema.pb.h"

namespace trommel {
namespace {

TEST(ParseTextproto, ReadsAMessage) {
  proto::Schema schema;
  ASSERT_TRUE(ParseTextproto("name: 'movie' attribute { name: 'title' }",
                             "m.textproto", &schema)
                  .ok());
  EXPECT_EQ(schema.name(), "movie");
  EXPECT_EQ(schema.attribute(0).name(), "title");
}

TEST(ParseTextproto, ErrorNamesFileLineAndColumn) {
  proto::Schema schema;
  const absl::Status status =
      ParseTextproto("name: 'movie'\nattribute {\n  nmae: 'title'\n}\n",
                     "m.textproto", &schema);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              testing::AllOf(testing::HasSubstr("m.textproto:3:"),
                             testing::HasSubstr("nmae")));
}

}  // namespace
}  // namespace trommel
