#include "core/reuse/decision.h"

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

// Of several that failed, the one with most to go by.
int MostTested(const std::vector<Trial>& trials) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(trials.size()); ++i) {
    if (best < 0 || trials[static_cast<size_t>(i)].counts.tested() >
                        trials[static_cast<size_t>(best)].counts.tested()) {
      best = i;
    }
  }
  return best;
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
  const int closest = MostTested(trials);
  const Trial& trial = trials[static_cast<size_t>(closest)];
  decision.old_cluster = static_cast<int>(trial.candidate.old_cluster);
  decision.how = trial.candidate.how;
  decision.counts = trial.counts;
  decision.reason = failures;
  // Most pages have to be those of the rule.
  if (trial.counts.tested() >= kMinGoldenPages &&
      2 * trial.counts.tested() >= trial.counts.shared) {
    decision.repair = closest;
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
