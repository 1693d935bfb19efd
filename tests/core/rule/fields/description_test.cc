#include "core/rule/fields/description.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/strings.h"

namespace trommel::rule::fields {
namespace {

ProgramDescription Describe(const std::string& attribute) {
  proto::Rule rule;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      StrCat("schema { name: 's' attribute { name: 'x' } } "
             "program { fields { attribute { name: 'x' ",
             attribute, " } } }"),
      &rule));
  return DescribeFields(rule);
}

// Everything that decides what a part extracts is told.
TEST(DescribeFields, AllThatAPartDoes) {
  const struct {
    const char* alternative;
    const char* text;
    const char* json;
  } cases[] = {
      {"xpath: '//b'", "//b", R"({"xpath":"//b"})"},
      {"xpath: '//b' also: '//i'", "//b | //i", R"({"xpath":"//b | //i"})"},
      {"xpath: '//b' range { first: 2 last: 1 last_from_end: true }",
       "//b; words 2 to 1 from the end",
       R"({"xpath":"//b","range":{"first":2,"first_from_end":false,"last":1,)"
       R"("last_from_end":true}})"},
      {"xpath: '//b' range { after { literal: 'by ' from_end: true } "
       "before { literal: ',' may_be_missing: true } separator: ' and ' "
       "separator: '/' }",
       R"(//b; after the last "by ", before "," if it is there, )"
       R"(split at " and ", "/")",
       R"({"xpath":"//b","range":{"after":{"literal":"by ","from_end":true,)"
       R"("may_be_missing":false},"before":{"literal":",","from_end":false,)"
       R"("may_be_missing":true},"separators":[" and ","/"]}})"},
      {"xpath: '//b' regex: '[0-9]+'", "//b; what matches [0-9]+",
       R"({"xpath":"//b","regex":"[0-9]+"})"},
      {"xpath: '//b' check: '[.]'", "//b; if it has [.]",
       R"({"xpath":"//b","check":"[.]"})"},
      {"xpath: '//b' stop_value: 'n/a' stop_value: '-'",
       R"(//b; never "n/a", "-")",
       R"({"xpath":"//b","stop_values":["n/a","-"]})"},
      {"xpath: '//b' classifier { prior_log_odds: 0.5 feature { "
       "xpath: 'self::b' log_odds_present: 1 } }",
       "//b; the best of them by a classifier of 1 feature",
       R"({"xpath":"//b","classifier":{"prior_log_odds":0.5,"feature":[)"
       R"({"xpath":"self::b","log_odds_present":1.0,"log_odds_absent":0.0}]}})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.alternative);
    const ProgramDescription description =
        Describe(StrCat("alternative { ", c.alternative, " }"));
    EXPECT_EQ(description.kind, "fields");
    ASSERT_EQ(description.parts.size(), 1u);
    EXPECT_EQ(description.parts[0].attribute, "x");
    EXPECT_EQ(description.parts[0].text, c.text);
    EXPECT_EQ(description.parts[0].json.dump(), c.json);
  }
}

TEST(DescribeFields, LayersAreToldFromVoices) {
  const ProgramDescription layers = Describe(
      "combination: FIRST alternative { xpath: '//b' } "
      "alternative { xpath: '//i' }");
  ASSERT_EQ(layers.parts.size(), 2u);
  EXPECT_EQ(layers.parts[0].text, "//b");
  EXPECT_EQ(layers.parts[1].text, "//i; if none before it finds anything");
  EXPECT_EQ(layers.parts[1].number, 1);
}

}  // namespace
}  // namespace trommel::rule::fields
