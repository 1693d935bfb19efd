#include "jobs/textproto/textproto.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "proto/schema.pb.h"

namespace trommel::jobs::textproto {
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

TEST(ParseTextproto, WhatWasLeftOpenIsNamed) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"name: 'movie\n",
       "m.textproto:1:13: String literals cannot cross line "
       "boundaries. Is a quote missing"},
      {"attribute { name: 'a'\n",
       "got: nothing: the file ends here. Is a } missing?"},
      {"attribute { name: 'a'\nattribute { name: 'b' }",
       "m.textproto:2:11: Message type \"trommel.proto.Attribute\" has no "
       "field "
       "named \"attribute\". Schema has it: is a } missing before?"},
  };
  for (const auto& c : cases) {
    proto::Schema schema;
    EXPECT_THAT(
        std::string(ParseTextproto(c.text, "m.textproto", &schema).message()),
        testing::HasSubstr(c.error))
        << c.text;
  }
}

}  // namespace
}  // namespace trommel::jobs::textproto
