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

StoredRules Content(const std::vector<proto::Rule>& in_service,
                    const std::vector<proto::Rule>& probation = {}) {
  return {MakeRules(in_service), {}, MakeRules(probation), {}};
}

// A rule of which ten bellwethers are in tonight's crawl.
tables::RuleVerdictRow Fit(const proto::Rule& rule) {
  tables::RuleVerdictRow row;
  row.site = rule.site();
  row.rule_id = rule::RuleId(rule);
  row.verdict = "fine";
  row.present = 10;
  row.with_record = 10;
  return row;
}
// One that gives no records.
tables::RuleVerdictRow Failing(const proto::Rule& rule) {
  tables::RuleVerdictRow row = Fit(rule);
  row.verdict = "broken";
  row.with_record = 0;
  return row;
}
// One that gives wrong values of an attribute.
tables::RuleVerdictRow Wrong(const proto::Rule& rule,
                             const std::string& attribute) {
  tables::RuleVerdictRow row = Fit(rule);
  row.verdict = "broken";
  row.wrong_attributes = {attribute};
  row.wrong_reasons = {attribute + " is another on 10 of 10 pages"};
  return row;
}
tables::RuleVerdictRow Unknown(const proto::Rule& rule) {
  tables::RuleVerdictRow row = Failing(rule);
  row.verdict = "unknown";
  row.present = 0;
  return row;
}
std::map<std::string, tables::RuleVerdictRow> Trials(
    const std::vector<tables::RuleVerdictRow>& rows) {
  std::map<std::string, tables::RuleVerdictRow> trials;
  for (const tables::RuleVerdictRow& row : rows) trials[row.rule_id] = row;
  return trials;
}

// A rule whose schema has a mandatory title and an optional price.
proto::Rule FilmRule(const std::string& cluster_id, const std::string& xpath) {
  proto::Rule rule = MakeRule("a.example", cluster_id, xpath);
  rule.mutable_schema()->mutable_attribute(0)->set_mandatory(true);
  rule.mutable_schema()->add_attribute()->set_name("price");
  return rule;
}

std::vector<std::string> IdsOnProbation(const NextRules& next) {
  std::vector<std::string> ids;
  for (const proto::Rule& rule : next.content.probation.rule())
    ids.push_back(rule::RuleId(rule));
  return ids;
}

const RuleState& StateOf(const NextRules& next, const proto::Rule& rule) {
  for (const RuleState& state : next.content.states) {
    if (state.rule_id == rule::WholeRuleId(rule)) return state;
  }
  static const RuleState kNone;
  return kNone;
}

// The night after.
RulesBefore After(const NextRules& next) {
  return {next.content, next.learnt, next.cluster_dates, next.losses};
}

std::vector<std::string> Ids(const NextRules& next) {
  std::vector<std::string> ids;
  for (const proto::Rule& rule : next.content.rules.rule())
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
  findings.trials = Trials({Failing(kA)});
  const NextRules next = MakeNextRules({}, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kB)));
  ASSERT_THAT(next.withheld, SizeIs(1));
  EXPECT_THAT(next.withheld[0].reason, HasSubstr("field test"));
  EXPECT_THAT(next.learnt.at("movie/1"), ElementsAre(rule::RuleId(kB)));
}

TEST(NextRules, RuleServesUntilItsSuccessorPasses) {
  RulesBefore before;
  before.content = Content({kA, kB});
  before.learnt = {{"movie/1", {rule::RuleId(kA), rule::RuleId(kB)}}};
  const proto::Rule invalid = MakeRule("b.example", "bbbb", "//h3", false);
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kNewA, invalid});
  findings.trials = Trials({Failing(kNewA)});
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
  findings.trials.clear();
  const NextRules later = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(later), ElementsAre(rule::RuleId(kNewA), rule::RuleId(kB)));
  // A rule in service that gives no records itself goes on all the same: none
  // is no better.
  findings.trials = Trials({Failing(kA), Failing(kNewA)});
  const NextRules none = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(none), ElementsAre(rule::RuleId(kA), rule::RuleId(kB)));
}

TEST(NextRules, LearningAgainIsAMergeOfThree) {
  RulesBefore before;
  before.content = Content({kA, kB});
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
  before.content = Content({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  const proto::Rule other = MakeRule("a.example", "aaaa", "//h3");
  NightFindings findings;
  findings.learnt["movie/1"] = Found({other});
  findings.learnt["movie/2"] = Found({kNewA});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kNewA)));
  EXPECT_EQ(next.num_learnt, 1);
  // The night after there is no news.
  before.content = Content({kNewA});
  before.learnt = next.learnt;
  const NextRules after = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(after), ElementsAre(rule::RuleId(kNewA)));
  EXPECT_EQ(after.num_learnt, 0);
  // The other was not put to the field test: it does not come in when the one
  // that was fails.
  before.content = Content({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  findings.trials = Trials({Failing(kNewA)});
  const NextRules failed = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(failed), ElementsAre(rule::RuleId(kA)));
  EXPECT_THAT(failed.withdrawn, IsEmpty());
}

TEST(NextRules, WhatWasTakenBackStaysBack) {
  RulesBefore before;
  before.content = Content({kB});
  before.learnt = {{"movie/1", {rule::RuleId(kA), rule::RuleId(kB)}}};
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kA, kB});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kB)));
}

TEST(NextRules, SamplesThatNothingIsSaidOfKeepTheirRules) {
  RulesBefore before;
  before.content = Content({kA});
  before.learnt = {{"movie/1", {rule::RuleId(kA)}}};
  const NextRules next = MakeNextRules(before, {});
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kA)));
  EXPECT_EQ(next.learnt, before.learnt);
}

TEST(NextRules, ReuseReplacesTheRulesOfChangedSitesOnly) {
  RulesBefore before;
  before.content = Content({kA, kB});
  proto::Rule moved = MakeRule("a.example", "a2a2", "//h1");
  moved.set_reused_from(rule::RuleId(kA));
  proto::Rule stray = MakeRule("b.example", "b2b2", "//h1");
  NightFindings findings;
  findings.date = "2026-01-05";
  findings.reused = Found({moved, stray});
  findings.changed_sites = {"a.example"};
  findings.trials = Trials({Failing(kA)});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(moved), rule::RuleId(kB)));
  EXPECT_THAT(next.withdrawn, IsEmpty());  // it goes on under another cluster
  EXPECT_THAT(IdsOnProbation(next), ElementsAre(rule::RuleId(kA)));
  EXPECT_EQ(next.num_reused, 1);
  EXPECT_EQ(next.cluster_dates.at("a.example"), "2026-01-05");
}

TEST(NextRules, RulesWithoutRecordsServeOnAndAnEditorIsAsked) {
  RulesBefore before;
  before.content = Content({kA, kB});
  before.losses = {{"c.example", "2026-01-01"}};
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.trials = Trials({Failing(kB)});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(kA), rule::RuleId(kB)));
  EXPECT_THAT(next.withdrawn, IsEmpty());
  EXPECT_THAT(next.losses, ElementsAre(Pair("b.example", "2026-01-02"),
                                       Pair("c.example", "2026-01-01")));
  // With its records back, nobody need be asked.
  findings.trials = Trials({Fit(kB)});
  EXPECT_THAT(MakeNextRules(After(next), findings).losses,
              ElementsAre(Pair("c.example", "2026-01-01")));
}

TEST(NextRules, WrongValuesSwitchOffTheAttribute) {
  const proto::Rule rule = FilmRule("aaaa", "//h1");
  RulesBefore before;
  before.content = Content({rule});
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.trials = Trials({Wrong(rule, "price")});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(next.withdrawn, IsEmpty());
  ASSERT_EQ(next.content.rules.rule_size(), 1);
  EXPECT_THAT(next.content.rules.rule(0).switched_off(), ElementsAre("price"));
  ASSERT_THAT(next.attributes, SizeIs(1));
  EXPECT_TRUE(next.attributes[0].is_off);
  EXPECT_EQ(next.attributes[0].reason, "price is another on 10 of 10 pages");
  const RuleState& state = StateOf(next, rule);
  ASSERT_THAT(state.switched_off, SizeIs(1));
  EXPECT_EQ(state.switched_off[0].since, "2026-01-02");
  EXPECT_NE(state.back_when, "");
  // The next night it is still wrong, which is no news.
  const proto::Rule degraded = next.content.rules.rule(0);
  findings.date = "2026-01-03";
  findings.trials = Trials({Wrong(degraded, "price")});
  const NextRules later = MakeNextRules(After(next), findings);
  EXPECT_THAT(later.attributes, IsEmpty());
  EXPECT_TRUE(AreSame(later.content, next.content));
  // What is not known changes nothing, either.
  findings.trials = Trials({Unknown(degraded)});
  EXPECT_TRUE(
      AreSame(MakeNextRules(After(next), findings).content, next.content));
  // It comes back on the first night on which it is right.
  findings.trials = Trials({Fit(degraded)});
  const NextRules back = MakeNextRules(After(later), findings);
  ASSERT_EQ(back.content.rules.rule_size(), 1);
  EXPECT_THAT(back.content.rules.rule(0).switched_off(), IsEmpty());
  ASSERT_THAT(back.attributes, SizeIs(1));
  EXPECT_FALSE(back.attributes[0].is_off);
  EXPECT_EQ(StateOf(back, rule).back_when, "");
}

TEST(NextRules, WrongMandatoryValuesPutARuleOnProbation) {
  const proto::Rule rule = FilmRule("aaaa", "//h1");
  RulesBefore before;
  before.content = Content({rule});
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.trials = Trials({Wrong(rule, "title")});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), IsEmpty());
  EXPECT_THAT(IdsOnProbation(next), ElementsAre(rule::RuleId(rule)));
  ASSERT_THAT(next.withdrawn, SizeIs(1));
  EXPECT_THAT(next.withdrawn[0].reason,
              HasSubstr("title is another on 10 of 10 pages"));
  EXPECT_THAT(next.losses, ElementsAre(Pair("a.example", "2026-01-02")));
  EXPECT_EQ(StateOf(next, rule).state, RuleState::kOnProbation);
  EXPECT_EQ(StateOf(next, rule).since, "2026-01-02");
  EXPECT_NE(StateOf(next, rule).back_when, "");
  // It stays there as long as it is wrong, or nothing is known.
  findings.date = "2026-01-03";
  for (const auto& trial :
       {Wrong(rule, "title"), Unknown(rule), Failing(rule)}) {
    findings.trials = Trials({trial});
    EXPECT_TRUE(
        AreSame(MakeNextRules(After(next), findings).content, next.content));
  }
  findings.trials = Trials({Fit(rule)});
  const NextRules back = MakeNextRules(After(next), findings);
  EXPECT_THAT(Ids(back), ElementsAre(rule::RuleId(rule)));
  EXPECT_THAT(IdsOnProbation(back), IsEmpty());
  ASSERT_THAT(back.restored, SizeIs(1));
  EXPECT_EQ(StateOf(back, rule).since, "2026-01-03");
  EXPECT_THAT(back.losses, IsEmpty());
}

TEST(NextRules, OldDesignThatComesBackFindsItsRule) {
  const proto::Rule old_rule = FilmRule("aaaa", "//h1");
  const proto::Rule new_rule = FilmRule("aaaa", "//h2");
  RulesBefore before;
  before.content = Content({old_rule});
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.trials = Trials({Failing(old_rule)});
  findings.reused = Found({new_rule});
  findings.changed_sites = {"a.example"};
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(new_rule)));
  EXPECT_THAT(IdsOnProbation(next), ElementsAre(rule::RuleId(old_rule)));
  EXPECT_THAT(next.withdrawn, IsEmpty());  // the site was repaired
  NightFindings after;
  after.date = "2026-01-03";
  after.trials = Trials({Failing(new_rule), Fit(old_rule)});
  const NextRules back = MakeNextRules(After(next), after);
  EXPECT_THAT(Ids(back), ElementsAre(rule::RuleId(old_rule)));
  EXPECT_THAT(IdsOnProbation(back), ElementsAre(rule::RuleId(new_rule)));
  ASSERT_THAT(back.restored, SizeIs(1));
  EXPECT_THAT(back.restored[0].reason, HasSubstr(rule::RuleId(new_rule)));
  // Where both give records, nothing changes.
  after.trials = Trials({Fit(new_rule), Fit(old_rule)});
  EXPECT_THAT(Ids(MakeNextRules(After(next), after)),
              ElementsAre(rule::RuleId(new_rule)));
}

TEST(NextRules, OldDesignUnderAnotherClusterSuspendsTheNewOne) {
  const proto::Rule old_rule = FilmRule("aaaa", "//h1");
  const proto::Rule new_rule = FilmRule("bbbb", "//h2");
  RulesBefore before;
  before.content = Content({old_rule});
  before.cluster_dates = {{"a.example", "2026-01-01"}};
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.trials = Trials({Failing(old_rule)});
  findings.reused = Found({new_rule});
  findings.changed_sites = {"a.example"};
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(new_rule)));
  EXPECT_THAT(IdsOnProbation(next), ElementsAre(rule::RuleId(old_rule)));
  NightFindings after;
  after.date = "2026-01-03";
  after.trials = Trials({Failing(new_rule), Fit(old_rule)});
  const NextRules back = MakeNextRules(After(next), after);
  EXPECT_THAT(Ids(back), ElementsAre(rule::RuleId(old_rule)));
  EXPECT_THAT(IdsOnProbation(back), ElementsAre(rule::RuleId(new_rule)));
  EXPECT_THAT(back.losses, IsEmpty());
  // Nobody misses what another design has.
  for (const RuleState& state : back.content.states) {
    EXPECT_FALSE(state.is_missed) << state.rule_id;
  }
}

TEST(NextRules, ReuseThatFindsNothingTakesNothingAway) {
  const proto::Rule rule = FilmRule("aaaa", "//h1");
  const proto::Rule list = FilmRule("bbbb", "//h3");
  RulesBefore before;
  before.content = Content({rule, list});
  before.cluster_dates = {{"a.example", "2026-01-01"}};
  NightFindings findings;
  findings.date = "2026-01-02";
  findings.reused = Found({});
  findings.changed_sites = {"a.example"};
  findings.trials = Trials({Fit(rule), Failing(list)});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(rule), rule::RuleId(list)));
  // It is compared with the same night when reuse tries again.
  EXPECT_EQ(next.cluster_dates.at("a.example"), "2026-01-01");
  // With a rule for other pages of the site, what gives nothing goes, and what
  // gives records stays.
  const proto::Rule other = FilmRule("cccc", "//h4");
  findings.reused = Found({other});
  const NextRules partly = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(partly),
              ElementsAre(rule::RuleId(rule), rule::RuleId(other)));
  EXPECT_THAT(IdsOnProbation(partly), ElementsAre(rule::RuleId(list)));
}

TEST(NextRules, NewerBellwethersTakeTheirPlace) {
  proto::Rule rule = FilmRule("aaaa", "//h1");
  rule.add_bellwether()->set_url("old");
  RulesBefore before;
  before.content = Content({rule});
  proto::Rule renewed = rule;
  renewed.mutable_bellwether(0)->set_url("new");
  NightFindings findings;
  findings.renewed = MakeRules({renewed, FilmRule("bbbb", "//h1")});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(rule)));
  EXPECT_EQ(next.content.rules.rule(0).bellwether(0).url(), "new");
  EXPECT_EQ(next.num_renewed, 1);
}

TEST(NextRules, PinnedRulesStay) {
  const proto::Rule rule = FilmRule("aaaa", "//h1");
  const proto::Rule other = FilmRule("aaaa", "//h2");
  RulesBefore before;
  before.content = Content({rule}, {other});
  RuleState pinned;
  pinned.rule_id = rule::RuleId(rule);
  pinned.is_pinned = true;
  before.content.states = {pinned};
  NightFindings findings;
  findings.trials = Trials({Wrong(rule, "title"), Fit(other)});
  EXPECT_THAT(Ids(MakeNextRules(before, findings)),
              ElementsAre(rule::RuleId(rule)));
  findings.reused = Found({FilmRule("aaaa", "//h3")});
  findings.changed_sites = {"a.example"};
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(rule)));
  ASSERT_THAT(next.withheld, SizeIs(1));
  EXPECT_THAT(next.withheld[0].reason, HasSubstr("is pinned"));
}

TEST(NextRules, RuleThatAnotherWasLearntForIsOnProbation) {
  const proto::Rule rule = FilmRule("aaaa", "//h1");
  const proto::Rule learnt = FilmRule("aaaa", "//h2");
  RulesBefore before;
  before.content = Content({rule});
  before.learnt = {{"movie/2026-01-01", {rule::RuleId(rule)}}};
  NightFindings findings;
  findings.date = "2026-01-09";
  findings.learnt["movie/2026-01-08"] = Found({learnt});
  const NextRules next = MakeNextRules(before, findings);
  EXPECT_THAT(Ids(next), ElementsAre(rule::RuleId(learnt)));
  EXPECT_THAT(IdsOnProbation(next), ElementsAre(rule::RuleId(rule)));
  EXPECT_EQ(StateOf(next, learnt).cluster_date, "2026-01-08");
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
  before.content.statuses = {ignored};
  NightFindings findings;
  findings.learnt["movie/1"] = Found({kA});
  const NextRules next = MakeNextRules(before, findings);
  ASSERT_THAT(next.content.statuses, SizeIs(2));
  EXPECT_EQ(next.content.statuses[0].status, "done");
  EXPECT_EQ(next.content.statuses[1].status, "ignored");
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
  before.content = Content({kA});
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
  findings.trials = Trials({Failing(kA)});
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
