#ifndef TROMMEL_CORE_MONITOR_VERDICT_H_
#define TROMMEL_CORE_MONITOR_VERDICT_H_

// From bellwethers to verdicts: is a rule broken, has its site changed?
//
//   RuleCounts counts;
//   counts.bellwethers = rule.bellwether_size();
//   for (each page that was crawled) counts.Add(is_placed, outcome);
//   const RuleVerdict verdict = JudgeRule(counts, thresholds);
//   ...
//   const SiteVerdict site = JudgeSite(rules_of_site, thresholds);

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/record/comparison.h"

namespace trommel::monitor {

struct VerdictThresholds {
  // A test of a rule fails where it fails on more than this share of the
  // bellwethers that were crawled.
  double rule = 0.5;
  // A site change is declared where at least this share of the crawled
  // bellwethers of its broken rules fail.
  double site = 0.95;
  // With fewer crawled bellwethers nothing is said of a rule, unless these are
  // all it has. At least 1.
  int64_t min_bellwethers = 3;
};

// What became of the bellwethers of a rule.
struct RuleCounts {
  int64_t bellwethers = 0;
  int64_t present = 0;  // crawled, and pages that can be looked at
  // Of those present, the three ways to fail. A page whose signature changed is
  // tested for its fields as well, so the first and one of the others may be of
  // the same page.
  int64_t signature_changed = 0;
  int64_t null_extraction = 0;
  int64_t wrong_extraction = 0;
  int64_t failed = 0;  // in any of these ways
  // Signature changed, and the rule extracts all the same: what is lost to
  // matching alone.
  int64_t saved_by_fields = 0;
  // Pages by attribute.
  std::map<std::string, int64_t> missing;
  std::map<std::string, int64_t> wrong;

  // One that is present.
  void Add(bool is_signature_changed, const record::FieldOutcome& fields);

  int64_t absent() const { return bellwethers - present; }
  // Of those present; 0 where there are none.
  double ShareOfPresent(int64_t count) const;
};

enum class Verdict {
  kFine,
  kBroken,
  kUnknown,
};
// "fine", "broken" or "unknown", as tables have it.
std::string_view VerdictName(Verdict verdict);

struct RuleVerdict {
  Verdict verdict = Verdict::kUnknown;
  bool shingle_test_failed = false;
  bool field_test_failed = false;
  // For people, one for each test that failed or for why nothing is known.
  // Empty for a rule that is fine.
  std::vector<std::string> reasons;
};

RuleVerdict JudgeRule(const RuleCounts& counts,
                      const VerdictThresholds& thresholds);

enum class SiteState {
  kFine,     // all rules are
  kBroken,   // a rule is, but too few of its pages for a change of the site
  kChanged,  // a site change is declared
  kUnknown,  // no rule is broken, but not all are known to be fine
};
// "fine", "broken", "changed" or "unknown", as tables have it.
std::string_view SiteStateName(SiteState state);

struct JudgedRule {
  RuleCounts counts;
  RuleVerdict verdict;
};

struct SiteVerdict {
  SiteState state = SiteState::kUnknown;
  int64_t rules = 0;
  int64_t broken = 0;
  int64_t unknown = 0;
  // The two figures of Table IV: the share of the site's rules that are broken,
  // and of the crawled bellwethers of the broken ones that fail.
  double share_of_rules = 0;
  double share_of_urls = 0;
  std::vector<std::string> reasons;
};

SiteVerdict JudgeSite(const std::vector<JudgedRule>& rules,
                      const VerdictThresholds& thresholds);

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_VERDICT_H_
