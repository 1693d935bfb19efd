#include "core/schema/schema.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>

namespace trommel::schema {
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
      {R"(name: "a" attribute { name: "attribute_confidence" })",
       "attribute_confidence is called like a column"},
      // The partition of records, which readers make a column of.
      {R"(name: "a" attribute { name: "schema" })",
       "schema is called like a column"},
      {R"(name: "a" attribute { name: "Schema" })",
       "Schema is called like a column"},
      // It is in the way of pipelines only.
      {R"(name: "a" attribute { name: "date" })", ""},
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

TEST(IsAttributeNameTest, PlainAndNotFixed) {
  EXPECT_TRUE(IsAttributeName("list-price_2"));
  for (const char* const name : {"", "a,b", "price*", "url", "confidence"}) {
    EXPECT_FALSE(IsAttributeName(name)) << name;
  }
}

TEST(PatternsTest, ByType) {
  struct Case {
    proto::Attribute::Type type;
    const char* text;
    const char* value;  // the first match; empty: none
    bool passes;        // the check
  };
  const Case kCases[] = {
      {proto::Attribute::TEXT, "any", "", true},
      {proto::Attribute::PRICE, "Our Price: $1,299.00!", "$1,299.00", true},
      {proto::Attribute::PRICE, "12.50 EUR", "12.50 EUR", true},
      {proto::Attribute::PRICE, "free", "", false},
      {proto::Attribute::PHONE, "Tel (212) 586-8655.", "(212) 586-8655", true},
      {proto::Attribute::PHONE, "n/a", "", false},
      {proto::Attribute::DATE, "on Jun 11, 2001", "Jun 11, 2001", true},
      {proto::Attribute::DATE, "2001-06-11T00", "2001-06-11", true},
      {proto::Attribute::DATE, "soon", "", false},
      {proto::Attribute::ISBN, "ISBN 978-0-14-023027-7", "978-0-14-023027-7",
       true},
      {proto::Attribute::ZIP, "NY 10036-1234", "10036-1234", true},
      {proto::Attribute::NUMBER, "about 1,234.5 km", "1,234.5", true},
      {proto::Attribute::URL, "see www.a.example/x", "www.a.example/x", true},
      {proto::Attribute::URL, "n/a", "", false},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    proto::Attribute attribute;
    attribute.set_type(c.type);
    const std::string pattern = ValuePattern(attribute);
    std::string found;
    if (!pattern.empty()) {
      const RE2 regex("(" + pattern + ")");
      ASSERT_TRUE(regex.ok()) << regex.error();
      RE2::PartialMatch(c.text, regex, &found);
    }
    EXPECT_EQ(found, c.value);
    EXPECT_EQ(RE2::PartialMatch(c.text, CheckPattern(attribute)), c.passes);
  }
  proto::Attribute own;
  own.set_regex("[A-Z]{3}");
  EXPECT_EQ(ValuePattern(own), "[A-Z]{3}");
  EXPECT_EQ(CheckPattern(own), "[A-Z]{3}");
}

TEST(FindAttributeTest, ByName) {
  const proto::Schema schema = Parse(
      R"(name: "a" attribute { name: "x" } attribute { name: "y" type: DATE })");
  ASSERT_NE(FindAttribute(schema, "y"), nullptr);
  EXPECT_EQ(FindAttribute(schema, "y")->type(), proto::Attribute::DATE);
  EXPECT_EQ(FindAttribute(schema, "z"), nullptr);
}

}  // namespace
}  // namespace trommel::schema
