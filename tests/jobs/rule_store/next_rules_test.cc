#include "jobs/rule_store/next_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/rule/rule.h"
#include "tests/jobs/rule_store/rules.h"

namespace trommel::jobs::rule_store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing_support::MakeRule;
using testing_support::MakeRules;

const proto::Rule kA = MakeRule("a.example", "aaaa", "//h1");
const proto::Rule kNewA = MakeRule("a.example", "aaaa", "//h2");
const proto::Rule kB = MakeRule("b.example", "bbbb", "//h1");
const proto::Rule kInvalid = MakeRule("c.example", "cccc", "//h1", false);

FoundRules Found(const std::vector<proto::Rule>& rules) {
  return {MakeRules(rules), {}};
}

std::vector<std::string> Ids(const NextRules& next) {
  std::vector<std::string> ids;
  for (const proto::Rule& rule : next.rules.rule())
    ids.push_back(rule::RuleId(rule));
  return ids;
}

TEST(NextRules, WhatIsLearntComesInIfItIsValid) {
  NightFindings findings;
  findings.learnt["movie/2026-01-01"] = Found({kA, kInvalid});
  const NextRules next = MakeNextRules({}, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kA)));
  EXPECT_EQ(next.num_learnt, 1);
  ASSERT_THAT(next.withheld, SizeIs(1));
  EXPECT_THAT(next.withheld[0].reason, HasSubstr("precision 0.50"));
  EXPECT_EQ(next.cluster_dates.at("a.example"), "2026-01-01");
  // A rule that was withheld is no news that is known.
  EXPECT_THAT(next.learnt.at("movie/2026-01-01"),
              ElementsAre(rule::RuleId(kA)));
}

TEST(NextRules, WhatFailsItsFieldTestStaysOutUntilItPasses) {
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kA, kB});
  findings.broken = {rule::RuleId(kA)};
  const NextRules next = MakeNextRules({}, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kB)));
  ASSERT_THAT(next.withheld, SizeIs(1));
  EXPECT_THAT(next.withheld[0].reason, HasSubstr("field test"));
  EXPECT_THAT(next.learnt.at("movie/1"), ElementsAre(rule::RuleId(kB)));
}

TEST(NextRules, RuleServesUntilItsSuccessorPasses) {
  RulesBefore before;
  before.found = Found({kA, kB});
  before.learnt = {{"movie/1", {rule::RuleId(kA), rule::RuleId(kB)}}};
  const proto::Rule invalid = MakeRule("b.example", "bbbb", "//h3", false);
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kNewA, invalid});
  findings.broken = {rule::RuleId(kNewA)};
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kA), rule::RuleId(kB)));
  EXPECT_THAT(next.withdrawn, IsEmpty());
  ASSERT_THAT(next.withheld, SizeIs(2));
  EXPECT_THAT(next.withheld[0].reason,
              HasSubstr(rule::RuleId(kA) + " goes on serving"));
  EXPECT_THAT(next.withheld[1].reason,
              HasSubstr(rule::RuleId(kB) + " goes on serving"));
  EXPECT_EQ(next.learnt, before.learnt);
  // When it passes it comes in, in place of the other.
  before.learnt = next.learnt;
  findings.broken.clear();
  const NextRules later = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(later), ElementsAre(rule::RuleId(kNewA), rule::RuleId(kB)));
  // A rule in service that is broken itself goes all the same.
  findings.broken = {rule::RuleId(kA), rule::RuleId(kNewA)};
  const NextRules none = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(none), ElementsAre(rule::RuleId(kB)));
  EXPECT_THAT(none.withheld[0].reason, HasSubstr("its cluster has no rule"));
}

TEST(NextRules, LearningAgainIsAMergeOfThree) {
  RulesBefore before;
  before.found = Found({kA, kB});
  before.learnt = {{"movie/1", {rule::RuleId(kA), rule::RuleId(kB)}}};
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kNewA});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kNewA)));
  ASSERT_THAT(next.withdrawn, SizeIs(1));
  EXPECT_EQ(next.withdrawn[0].rule_id, rule::RuleId(kB));
}

TEST(NextRules, OfTwoNewRulesForAClusterTheLaterSamplesIsMeant) {
  RulesBefore before;
  before.found = Found({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  const proto::Rule other = MakeRule("a.example", "aaaa", "//h3");
  NightFindings findings;
  findings.learnt["movie/1"] = Found({other});
  findings.learnt["movie/2"] = Found({kNewA});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kNewA)));
  EXPECT_EQ(next.num_learnt, 1);
  // The night after there is no news.
  before.found = Found({kNewA});
  before.learnt = next.learnt;
  const NextRules after = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(after), ElementsAre(rule::RuleId(kNewA)));
  EXPECT_EQ(after.num_learnt, 0);
  // The other was not put to the field test: it does not come in when the one
  // that was fails.
  before.found = Found({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  findings.broken = {rule::RuleId(kNewA)};
  const NextRules failed = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(failed), ElementsAre(rule::RuleId(kA)));
  EXPECT_THAT(failed.withdrawn, IsEmpty());
}

TEST(NextRules, WhatWasTakenBackStaysBack) {
  RulesBefore before;
  before.found = Found({kB});
  before.learnt = {{"movie/1", {rule::RuleId(kA), rule::RuleId(kB)}}};
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kA, kB});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kB)));
}

TEST(NextRules, SamplesThatNothingIsSaidOfKeepTheirRules) {
  RulesBefore before;
  before.found = Found({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  const NextRules next = MakeNextRules(before, {});
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kA)));
  EXPECT_EQ(next.learnt, before.learnt);
}

TEST(NextRules, ReuseReplacesTheRulesOfChangedSitesOnly) {
  RulesBefore before;
  before.found = Found({kA, kB});
  proto::Rule moved = MakeRule("a.example", "a2a2", "//h1");
  moved.set_reused_from(rule::RuleId(kA));
  proto::Rule stray = MakeRule("b.example", "b2b2", "//h1");
  NightFindings findings;
  findings.date = "2026-01-05";
  findings.reused = Found({moved, stray});
  findings.changed_sites = {"a.example"};
  findings.broken = {rule::RuleId(kA)};
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(moved), rule::RuleId(kB)));
  EXPECT_THAT(next.withdrawn, IsEmpty());  // it goes on under another cluster
  EXPECT_EQ(next.num_reused, 1);
  EXPECT_EQ(next.cluster_dates.at("a.example"), "2026-01-05");
}

TEST(NextRules, BrokenRulesWithoutReuseAreWithdrawn) {
  RulesBefore before;
  before.found = Found({kA, kB});
  before.losses = {{"c.example", "2026-01-01"}};
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.broken = {rule::RuleId(kB)};
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kA)));
  EXPECT_THAT(next.losses, ElementsAre(Pair("b.example", "2026-01-02"),
                                       Pair("c.example", "2026-01-01")));
}

TEST(NextRules, LossIsMadeGoodByReuseOrLearning) {
  RulesBefore before;
  before.losses = {{"a.example", "2026-01-01"}, {"b.example", "2026-01-01"}};
  NightFindings findings;
  findings.learnt["movie/2026-01-01"] = Found({kA});
  findings.reused = Found({});
  findings.changed_sites = {"b.example"};  // it says who needs an editor
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(next.losses, IsEmpty());
}

TEST(NextRules, ClustersThatNobodyWantsStayKnown) {
  tables::ClusterStatus ignored;
  ignored.cluster_id = "dddd";
  ignored.status = "ignored";
  RulesBefore before;
  before.found.statuses = {ignored};
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kA});
  const NextRules next = MakeNextRules(before, findings);
  ASSERT_THAT(next.statuses, SizeIs(2));
  EXPECT_EQ(next.statuses[0].status, "done");
  EXPECT_EQ(next.statuses[1].status, "ignored");
}

TEST(NextRules, ClusterHasRulesOfOneSchema) {
  proto::Rule book = kA;
  book.mutable_schema()->set_name("book");
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kA, kB});
  findings.learnt["book/1"] = Found({book});
  const NextRules next = MakeNextRules({}, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(book), rule::RuleId(kB)));
  ASSERT_THAT(next.withheld, SizeIs(1));
  EXPECT_THAT(
      next.withheld[0].reason,
      testing::AllOf(HasSubstr("movie"), HasSubstr("book"), HasSubstr("aaaa")));
  // What is in service stays, whichever came first.
  RulesBefore before;
  before.found = Found({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  const NextRules later = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(later), ElementsAre(rule::RuleId(kA), rule::RuleId(kB)));
  ASSERT_THAT(later.withheld, SizeIs(1));
  EXPECT_EQ(later.withheld[0].rule_id, rule::RuleId(book));
}

TEST(NextRules, SiteThatChangedBeforeItsFirstRuleIsAskedForOnce) {
  NightFindings findings;
  findings.date = "2026-01-03";
  findings.learnt["movie/2026-01-01"] = Found({kA});
  findings.broken = {rule::RuleId(kA)};
  const NextRules next = MakeNextRules({}, findings);
  EXPECT_THAT(next.losses, ElementsAre(Pair("a.example", "2026-01-03")));
  ASSERT_THAT(next.withheld, SizeIs(1));
  // As long as nobody has answered.
  RulesBefore before;
  before.learnt = next.learnt;
  before.losses = next.losses;
  findings.date = "2026-01-04";
  const NextRules after = MakeNextRules(before, findings);
  EXPECT_THAT(after.losses, ElementsAre(Pair("a.example", "2026-01-03")));
  // When somebody has, the old rule is no news any more.
  const proto::Rule relearnt = MakeRule("a.example", "dddd", "//h1");
  findings.learnt["movie/2026-01-04"] = Found({relearnt});
  const NextRules later = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(later), ElementsAre(rule::RuleId(relearnt)));
  EXPECT_THAT(later.withheld, IsEmpty());
  EXPECT_THAT(later.losses, IsEmpty());
  EXPECT_THAT(later.learnt.at("movie/2026-01-01"),
              ElementsAre(rule::RuleId(kA)));
}

}  // namespace
}  // namespace trommel::jobs::rule_store
