#include "core/monitor/verdict.h"

#include <gtest/gtest.h>

namespace trommel::monitor {
namespace {

using record::FieldOutcome;
using record::FieldResult;

// `present` bellwethers of `all`: the first `signature` with a changed
// signature, the first `null` without a value, the last `wrong` with another.
RuleCounts Counts(int64_t all, int64_t present, int64_t signature, int64_t null,
                  int64_t wrong) {
  RuleCounts counts;
  counts.bellwethers = all;
  for (int64_t i = 0; i < present; ++i) {
    FieldOutcome outcome;
    if (i < null) {
      outcome.result = FieldResult::kNull;
      outcome.missing = {"price"};
    } else if (i >= present - wrong) {
      outcome.result = FieldResult::kWrong;
      outcome.wrong = {"title"};
    }
    counts.Add(i < signature, outcome);
  }
  return counts;
}

using Reasons = std::vector<std::string>;

TEST(RuleVerdictTest, ThresholdsAndReasons) {
  struct Case {
    const char* label;
    RuleCounts counts;
    Verdict verdict;
    bool shingle_test_failed;
    bool field_test_failed;
    Reasons reasons;
  };
  const Case cases[] = {
      {"nothing failed", Counts(20, 20, 0, 0, 0), Verdict::kFine, false, false,
       Reasons{}},
      {"one half is no majority", Counts(20, 20, 10, 10, 0), Verdict::kFine,
       false, false, Reasons{}},
      {"signature changed", Counts(20, 20, 11, 0, 0), Verdict::kBroken, true,
       false,
       Reasons{"signature changed on 11 of 20 bellwethers, fields pass on 11 "
               "of these"}},
      {"null", Counts(20, 20, 0, 11, 0), Verdict::kBroken, false, true,
       Reasons{"null extraction on 11 of 20 bellwethers, missing: price (11)"}},
      {"wrong", Counts(20, 20, 0, 0, 20), Verdict::kBroken, false, true,
       Reasons{
           "wrong extraction on 20 of 20 bellwethers, differing: title (20)"}},
      {"null and wrong are both failures of the field test",
       Counts(20, 20, 0, 6, 6), Verdict::kBroken, false, true,
       Reasons{"null extraction on 6 of 20 bellwethers, missing: price (6)",
               "wrong extraction on 6 of 20 bellwethers, differing: title "
               "(6)"}},
      {"the two tests are not added up", Counts(20, 20, 10, 0, 10),
       Verdict::kFine, false, false, Reasons{}},
      {"both tests", Counts(20, 20, 20, 20, 0), Verdict::kBroken, true, true,
       Reasons{"signature changed on 20 of 20 bellwethers",
               "null extraction on 20 of 20 bellwethers, missing: price (20)"}},
      {"shares are of those crawled", Counts(20, 4, 3, 0, 0), Verdict::kBroken,
       true, false,
       Reasons{"signature changed on 3 of 4 bellwethers, fields pass on 3 of "
               "these"}},
      {"too few crawled, though all of them fail", Counts(20, 2, 2, 2, 0),
       Verdict::kUnknown, false, false,
       Reasons{"only 2 of the rule's 20 bellwethers are pages of the crawl"}},
      {"too few crawled, though all of them pass", Counts(20, 2, 0, 0, 0),
       Verdict::kUnknown, false, false,
       Reasons{"only 2 of the rule's 20 bellwethers are pages of the crawl"}},
      {"few, but all there are", Counts(2, 2, 0, 2, 0), Verdict::kBroken, false,
       true,
       Reasons{"null extraction on 2 of 2 bellwethers, missing: price (2)"}},
      {"one of a few", Counts(2, 1, 0, 1, 0), Verdict::kUnknown, false, false,
       Reasons{"only 1 of the rule's 2 bellwethers are pages of the crawl"}},
      {"none crawled", Counts(20, 0, 0, 0, 0), Verdict::kUnknown, false, false,
       Reasons{"none of the rule's 20 bellwethers is a page of the crawl"}},
      {"none at all", Counts(0, 0, 0, 0, 0), Verdict::kUnknown, false, false,
       Reasons{"the rule has no bellwethers"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const RuleVerdict verdict = JudgeRule(c.counts, VerdictThresholds());
    EXPECT_EQ(verdict.verdict, c.verdict) << VerdictName(verdict.verdict);
    EXPECT_EQ(verdict.shingle_test_failed, c.shingle_test_failed);
    EXPECT_EQ(verdict.field_test_failed, c.field_test_failed);
    EXPECT_EQ(verdict.reasons, c.reasons);
  }
}

TEST(RuleVerdictTest, AttributesByPages) {
  RuleCounts counts;
  counts.bellwethers = 3;
  counts.Add(false, {FieldResult::kNull, {"b"}, {}});
  counts.Add(false, {FieldResult::kNull, {"b", "c"}, {}});
  counts.Add(true, {FieldResult::kNull, {"a"}, {"d"}});
  EXPECT_EQ(counts.failed, 3);
  EXPECT_EQ(counts.saved_by_fields, 0);
  const RuleVerdict verdict = JudgeRule(counts, VerdictThresholds());
  ASSERT_EQ(verdict.reasons.size(), 1u);
  EXPECT_EQ(verdict.reasons[0],
            "null extraction on 3 of 3 bellwethers, missing: b (2), a (1), c "
            "(1)");
}

TEST(RuleVerdictTest, WrongPagesMayMissAttributesToo) {
  RuleCounts counts;
  counts.bellwethers = 1;
  counts.Add(false, {FieldResult::kWrong, {"price"}, {"title"}});
  EXPECT_EQ(JudgeRule(counts, VerdictThresholds()).reasons,
            Reasons{"wrong extraction on 1 of 1 bellwether, differing: title "
                    "(1); missing: price (1)"});
}

JudgedRule Judged(RuleCounts counts) {
  const RuleVerdict verdict = JudgeRule(counts, VerdictThresholds());
  return {std::move(counts), verdict};
}

// A site of `rules` rules of 200 bellwethers each, `broken` of them with so
// many failing.
SiteVerdict Judge(int rules, int broken, int64_t failing) {
  std::vector<JudgedRule> judged;
  for (int i = 0; i < rules; ++i) {
    judged.push_back(Judged(Counts(200, 200, i < broken ? failing : 0, 0, 0)));
  }
  return JudgeSite(judged, VerdictThresholds());
}

// Table IV of the paper, whose first three sites did change and whose last
// three did not.
TEST(SiteVerdictPaper, TableIV) {
  struct Case {
    const char* site;
    int rules, broken;
    int64_t failing;  // of 200
    bool is_change;
  };
  const Case cases[] = {
      {"www.alibaba.com", 6, 3, 200, true},
      {"www.alibris.com", 2, 2, 199, true},
      {"www.amazon.com", 3, 3, 200, true},
      {"www.fodors.com", 10, 1, 181, false},
      {"www.gsmarena.com", 20, 2, 164, false},
      {"www.toysrus.com", 17, 1, 161, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.site);
    const SiteVerdict verdict = Judge(c.rules, c.broken, c.failing);
    EXPECT_EQ(verdict.state,
              c.is_change ? SiteState::kChanged : SiteState::kBroken);
    EXPECT_EQ(verdict.broken, c.broken);
    EXPECT_DOUBLE_EQ(verdict.share_of_rules,
                     static_cast<double>(c.broken) / c.rules);
    EXPECT_DOUBLE_EQ(verdict.share_of_urls,
                     static_cast<double>(c.failing) / 200);
  }
}

TEST(SiteVerdictTest, StatesAndReasons) {
  const RuleCounts fine = Counts(20, 20, 0, 0, 0);
  const RuleCounts broken = Counts(20, 20, 20, 20, 0);
  const RuleCounts noisy = Counts(20, 20, 16, 0, 0);
  const RuleCounts absent = Counts(20, 0, 0, 0, 0);
  const RuleCounts none = Counts(0, 0, 0, 0, 0);
  struct Case {
    const char* label;
    std::vector<RuleCounts> rules;
    SiteState state;
    Reasons reasons;
  };
  const Case cases[] = {
      {"all fine", {fine, fine}, SiteState::kFine, {}},
      {"one broken",
       {fine, broken},
       SiteState::kChanged,
       {"1 of 2 rules broken, 20 of their 20 bellwethers failed"}},
      {"one broken on part of its pages",
       {fine, noisy},
       SiteState::kBroken,
       {"1 of 2 rules broken, 16 of their 20 bellwethers failed"}},
      {"broken ones are taken together",
       {broken, noisy},
       SiteState::kBroken,
       {"2 of 2 rules broken, 36 of their 40 bellwethers failed"}},
      {"broken before unknown",
       {absent, broken},
       SiteState::kChanged,
       {"1 of 2 rules broken, 20 of their 20 bellwethers failed"}},
      {"unknown before fine",
       {absent, fine},
       SiteState::kUnknown,
       {"too few bellwethers for 1 of 2 rules"}},
      {"the site vanished",
       {absent, absent},
       SiteState::kUnknown,
       {"no bellwether of the site is a page of the crawl"}},
      {"no bellwethers",
       {none},
       SiteState::kUnknown,
       {"too few bellwethers for 1 of 1 rule"}},
      {"no rules", {}, SiteState::kUnknown, {"the site has no rules"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    std::vector<JudgedRule> judged;
    for (const RuleCounts& counts : c.rules) judged.push_back(Judged(counts));
    const SiteVerdict verdict = JudgeSite(judged, VerdictThresholds());
    EXPECT_EQ(verdict.state, c.state) << SiteStateName(verdict.state);
    EXPECT_EQ(verdict.reasons, c.reasons);
  }
}

}  // namespace
}  // namespace trommel::monitor
