#include "jobs/rule_store/rule_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/jobs/rule_store/rules.h"

namespace trommel::jobs::rule_store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing_support::MakeRule;
using testing_support::MakeRules;

TEST(DiffRules, AddedRemovedAndChanged) {
  const std::vector<RuleChange> changes = DiffRules(
      MakeRules({MakeRule("a", "1", "//h1"), MakeRule("b", "2", "//p"),
                 MakeRule("c", "3", "//p")}),
      MakeRules({MakeRule("a", "1", "//h2"), MakeRule("c", "3", "//p"),
                 MakeRule("d", "4", "//p")}));
  ASSERT_THAT(changes, SizeIs(3));
  EXPECT_EQ(changes[0].site, "a");
  ASSERT_THAT(changes[0].attributes, SizeIs(1));
  EXPECT_THAT(changes[0].attributes[0].before, ElementsAre("//h1"));
  EXPECT_THAT(changes[0].attributes[0].after, ElementsAre("//h2"));
  EXPECT_EQ(changes[1].site, "b");
  EXPECT_EQ(changes[1].after, "");
  EXPECT_EQ(changes[2].site, "d");
  EXPECT_EQ(changes[2].before, "");
}

TEST(DiffRules, WhereARuleComesFromIsNoDifference) {
  proto::Rule with_bellwether = MakeRule("a", "1", "//h1");
  with_bellwether.add_bellwether()->set_url("http://a/");
  EXPECT_THAT(DiffRules(MakeRules({MakeRule("a", "1", "//h1")}),
                        MakeRules({with_bellwether})),
              IsEmpty());
}

TEST(DiffRules, OtherPagesAreADifference) {
  proto::Rule other = MakeRule("a", "1", "//h1");
  other.set_url_regex("x");
  const std::vector<RuleChange> changes =
      DiffRules(MakeRules({MakeRule("a", "1", "//h1")}), MakeRules({other}));
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_THAT(changes[0].attributes, IsEmpty());
}

}  // namespace
}  // namespace trommel::jobs::rule_store
