#include "core/rule/rule.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "proto/rule_format1.pb.h"

namespace trommel::rule {
namespace {

using testing::HasSubstr;

proto::RuleSet RulesOf(const char* text) {
  proto::RuleSet rules;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &rules));
  return rules;
}

constexpr char kRules[] = R"pb(
  rule {
    site: "a.example"
    cluster_id: "c"
    schema {
      name: "s"
      attribute { name: "title" }
    }
    program {
      fields {
        attribute {
          name: "title"
          alternative { xpath: "//b" }
        }
      }
    }
    bellwether {
      url: "http://a.example/1"
      record { attribute { name: "title" value: "T" } }
    }
  })pb";

TEST(Rules, RoundTrip) {
  const proto::RuleSet rules = RulesOf(kRules);
  const auto decoded = DecodeRules(EncodeRules(rules));
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(decoded->format(), kRulesFormat);
  EXPECT_EQ(EncodeRules(*decoded), EncodeRules(rules));
  EXPECT_EQ(RuleId(decoded->rule(0)), RuleId(rules.rule(0)));
}

TEST(Rules, IdIsOfWhatDecidesTheRecords) {
  const proto::Rule rule = RulesOf(kRules).rule(0);
  proto::Rule other = rule;
  other.clear_bellwether();
  other.set_learner("other");
  EXPECT_EQ(RuleId(other), RuleId(rule));
  other.mutable_program()
      ->mutable_fields()
      ->mutable_attribute(0)
      ->set_combination(proto::AttributeRule::FIRST);
  EXPECT_NE(RuleId(other), RuleId(rule));
}

TEST(Rules, IdWithoutWhatIsSwitchedOffStays) {
  const proto::Rule rule = RulesOf(kRules).rule(0);
  proto::Rule degraded = rule;
  degraded.add_switched_off("price");
  EXPECT_NE(RuleId(degraded), RuleId(rule));
  EXPECT_EQ(WholeRuleId(degraded), RuleId(rule));
  EXPECT_EQ(WholeRuleId(rule), RuleId(rule));
}

// Rules without a format are of the first one: attributes instead of a program,
// and values instead of a bellwether's records.
TEST(Rules, TheFirstFormatIsRead) {
  proto::format1::RuleSet old;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        rule {
          attribute {
            name: "title"
            alternative { xpath: "//b" }
          }
          bellwether {
            url: "http://a.example/1"
            golden { attribute: "title" value: "T" }
          }
        })pb",
      &old));
  proto::RuleSet rest = RulesOf(kRules);
  rest.mutable_rule(0)->clear_program();
  rest.mutable_rule(0)->clear_bellwether();
  // Both parts of the rule in one message, as it was stored.
  const std::string rule =
      rest.rule(0).SerializeAsString() + old.rule(0).SerializeAsString();
  proto::format1::RuleSet frame;
  ASSERT_TRUE(frame.add_rule()->ParseFromString(rule));
  const auto decoded = DecodeRules(frame.SerializeAsString());
  ASSERT_TRUE(decoded.ok()) << decoded.status();
  EXPECT_EQ(EncodeRules(*decoded), EncodeRules(RulesOf(kRules)));
}

TEST(Rules, AFormatOfTheFutureIsRefused) {
  proto::RuleSet rules = RulesOf(kRules);
  rules.set_format(kRulesFormat + 1);
  const auto decoded = DecodeRules(rules.SerializeAsString());
  ASSERT_FALSE(decoded.ok());
  EXPECT_THAT(std::string(decoded.status().message()),
              HasSubstr("learn the rules anew"));
}

TEST(Rules, BytesThatAreNone) {
  EXPECT_FALSE(DecodeRules("no rules").ok());
  EXPECT_TRUE(DecodeRules("").ok());  // an empty set
}

}  // namespace
}  // namespace trommel::rule
