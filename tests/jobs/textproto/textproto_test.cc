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
                             testing::HasSubstr("nmae"),
                             testing::HasSubstr("Did you mean \"name\"?")));
}

TEST(ParseTextproto, FieldUnlikeAnyOtherNamesThemAll) {
  proto::Schema schema;
  const absl::Status status =
      ParseTextproto("colour_of_the_sky: 1", "m.textproto", &schema);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("It has: name, attribute."));
}

}  // namespace
}  // namespace trommel
