#include "core/schema/schema.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

namespace trommel {
namespace {

proto::Schema Parse(const std::string& text) {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &schema));
  return schema;
}

TEST(CheckSchemaTest, Table) {
  struct Case {
    const char* schema;
    const char* problem;  // empty: none
  };
  const Case kCases[] = {
      {R"(name: "movie" attribute { name: "title" }
          attribute { name: "mpaa-rating_2" regex: "PG(-13)?" })",
       ""},
      {R"(attribute { name: "title" })", "name of the schema is missing"},
      {R"(name: "a/b" attribute { name: "title" })", "\"a/b\", is not of"},
      {R"(name: "a")", "has no attribute"},
      {R"(name: "a" attribute { })", "name of an attribute is missing"},
      {R"(name: "a" attribute { name: "x y" })", "\"x y\", is not of"},
      {R"(name: "a" attribute { name: "x" } attribute { name: "x" })",
       "x comes twice"},
      {R"(name: "a" attribute { name: "confidence" })",
       "confidence is called like a column"},
      {R"(name: "a" attribute { name: "x" regex: "(" })",
       "regex of the attribute x"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.schema);
    const absl::Status status = CheckSchema(Parse(c.schema));
    EXPECT_EQ(status.ok(), *c.problem == '\0');
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.problem));
  }
}

TEST(FindAttributeTest, ByName) {
  const proto::Schema schema = Parse(
      R"(name: "a" attribute { name: "x" } attribute { name: "y" type: DATE })");
  ASSERT_NE(FindAttribute(schema, "y"), nullptr);
  EXPECT_EQ(FindAttribute(schema, "y")->type(), proto::Attribute::DATE);
  EXPECT_EQ(FindAttribute(schema, "z"), nullptr);
}

}  // namespace
}  // namespace trommel
