#include "core/reuse/decision.h"

#include <algorithm>

#include "core/base/strings.h"
#include "core/rule/rule.h"

namespace trommel::reuse {
namespace {

std::string Describe(HowMatched how) {
  switch (how) {
    case HowMatched::kCluster:
      return "cluster match";
    case HowMatched::kPage:
      return "page match";
    case HowMatched::kPageBySketch:
      return "page match, in part by sketch";
    case HowMatched::kFieldTest:
      return "no shingle test matches";
  }
  return "";
}

}  // namespace

std::string_view ReuseKindName(ReuseKind kind) {
  switch (kind) {
    case ReuseKind::kReused:
      return "reused";
    case ReuseKind::kRepaired:
      return "repaired";
    case ReuseKind::kAnnotate:
      return "annotate";
    case ReuseKind::kIgnored:
      return "ignored";
  }
  return "";
}

ReuseDecision DecideReuse(const std::vector<OldCluster>& old,
                          const std::vector<Trial>& trials,
                          const FieldThresholds& thresholds) {
  ReuseDecision decision;
  std::string failures;
  for (const Trial& trial : trials) {
    const FieldVerdict verdict = JudgeFields(trial.rule->schema(), trial.counts,
                                             trial.candidate.how, thresholds);
    if (verdict.passes) {
      decision.kind = ReuseKind::kReused;
      decision.old_cluster = static_cast<int>(trial.candidate.old_cluster);
      decision.how = trial.candidate.how;
      decision.counts = trial.counts;
      decision.reason =
          StrCat(Describe(trial.candidate.how), "; ", verdict.reason);
      return decision;
    }
    StrAppend(&failures, failures.empty() ? "" : "; ", "rule ",
              rule::RuleId(*trial.rule), " (", Describe(trial.candidate.how),
              ") fails: ", verdict.reason);
  }
  const int predecessor = Predecessor(old);
  if (predecessor >= 0 && old[static_cast<size_t>(predecessor)].is_ignored) {
    decision.kind = ReuseKind::kIgnored;
    decision.old_cluster = predecessor;
    decision.reason = StrCat("its pages were in cluster ",
                             old[static_cast<size_t>(predecessor)].cluster_id,
                             ", which the editor skipped");
    return decision;
  }
  if (trials.empty()) {
    decision.old_cluster = predecessor;
    decision.reason =
        predecessor < 0
            ? "none of its pages was in a cluster before"
            : StrCat("its pages were in cluster ",
                     old[static_cast<size_t>(predecessor)].cluster_id,
                     ", which had no rule");
    return decision;
  }
  // Of several that failed, the one with most to go by.
  const Trial& trial = *std::max_element(
      trials.begin(), trials.end(), [](const Trial& a, const Trial& b) {
        return a.counts.tested() < b.counts.tested();
      });
  decision.old_cluster = static_cast<int>(trial.candidate.old_cluster);
  decision.how = trial.candidate.how;
  decision.counts = trial.counts;
  decision.reason = failures;
  // Most pages have to be those of the rule.
  if (trial.counts.tested() >= kMinGoldenPages &&
      2 * trial.counts.tested() >= trial.counts.shared) {
    decision.repair = static_cast<int>(&trial - trials.data());
  }
  return decision;
}

ReuseDecision DecideRepair(const ReuseDecision& decision, const Trial& broken,
                           const RepairTrial& repair,
                           const FieldThresholds& thresholds) {
  ReuseDecision after = decision;
  after.repair = -1;
  if (repair.rule == nullptr) {
    StrAppend(&after.reason, "; not repaired: ", repair.reason);
    return after;
  }
  // What was learnt anew is judged by fields alone, whatever the shingles say.
  const FieldVerdict verdict = JudgeFields(repair.rule->schema(), repair.counts,
                                           HowMatched::kFieldTest, thresholds);
  if (!verdict.passes) {
    StrAppend(&after.reason, "; not repaired: ", repair.reason,
              ", but the new rule fails: ", verdict.reason);
    return after;
  }
  after.kind = ReuseKind::kRepaired;
  after.how = broken.candidate.how;
  after.counts = repair.counts;
  after.reason = StrCat(repair.reason, "; ", verdict.reason, "; before that, ",
                        decision.reason);
  return after;
}

}  // namespace trommel::reuse
