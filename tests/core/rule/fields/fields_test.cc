#include "core/rule/fields/fields.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

namespace trommel::rule::fields {
namespace {

using testing::ElementsAre;

template <typename Message>
Message Parse(const char* text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message));
  return message;
}

TEST(FieldsTest, AttributeRulesOfAProgram) {
  proto::Program program;
  EXPECT_FALSE(IsFields(program));
  for (const char* const name : {"title", "year"}) {
    proto::AttributeRule attribute_rule;
    attribute_rule.set_name(name);
    AddAttributeRule(std::move(attribute_rule), &program);
  }
  EXPECT_TRUE(IsFields(program));
  EXPECT_EQ(FindAttributeRule(program, "year"), &program.fields().attribute(1));
  EXPECT_EQ(FindAttributeRule(program, "Year"), nullptr);

  const auto other = Parse<proto::Program>("other { kind: 'list' }");
  EXPECT_FALSE(IsFields(other));
  EXPECT_EQ(FindAttributeRule(other, "year"), nullptr);
}

TEST(FieldsTest, StopValuesAreAddedWhereTheyAreNotKnown) {
  auto attribute_rule = Parse<proto::AttributeRule>(
      "alternative { stop_value: 'n/a' stop_value: 'free' } alternative {}");
  AddStopValues({"-", "n/a"}, &attribute_rule);
  EXPECT_THAT(attribute_rule.alternative(0).stop_value(),
              ElementsAre("n/a", "free", "-"));
  EXPECT_THAT(attribute_rule.alternative(1).stop_value(),
              ElementsAre("-", "n/a"));
}

TEST(FieldsTest, XPathsOfAnExtractor) {
  EXPECT_THAT(XPathsOf(Parse<proto::Extractor>("xpath: '//b'")),
              ElementsAre("//b"));
  EXPECT_THAT(
      XPathsOf(Parse<proto::Extractor>("also: '//i' xpath: '//b' also: '//u'")),
      ElementsAre("//b", "//i", "//u"));
}

}  // namespace
}  // namespace trommel::rule::fields
