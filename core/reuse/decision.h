#ifndef TROMMEL_CORE_REUSE_DECISION_H_
#define TROMMEL_CORE_REUSE_DECISION_H_

// What becomes of a new cluster: an old rule, a repaired one, or an editor.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/reuse/candidates.h"
#include "core/reuse/field_counts.h"
#include "proto/rule.pb.h"

namespace trommel::reuse {

enum class ReuseKind {
  kReused,    // an old rule goes on as it is
  kRepaired,  // an old rule was learnt again from what it used to extract
  kAnnotate,  // an editor is asked
  kIgnored,   // its pages were in a cluster that the editor did not want
};
// "reused", "repaired", "annotate" or "ignored", as tables have it.
std::string_view ReuseKindName(ReuseKind kind);

// A candidate that went through the field test.
struct Trial {
  Candidate candidate;
  const proto::Rule* rule = nullptr;
  FieldCounts counts;
};

struct ReuseDecision {
  ReuseKind kind = ReuseKind::kAnnotate;
  // Whose rule goes on or was repaired; of the others, whose rule was tried
  // last or whose pages they were. Its place among the old clusters; -1: none.
  int old_cluster = -1;
  HowMatched how = HowMatched::kFieldTest;  // if kReused or kRepaired
  // Of the rule that goes on; else of the one that came closest.
  FieldCounts counts;
  std::string reason;
  // If kAnnotate: the trial whose rule is worth a repair; -1: none is.
  int repair = -1;
};

// With fewer pages that had a record there is nothing to repair a rule from.
inline constexpr int64_t kMinGoldenPages = 3;

// `trials` are those of the candidates, in their order.
ReuseDecision DecideReuse(const std::vector<OldCluster>& old,
                          const std::vector<Trial>& trials,
                          const FieldThresholds& thresholds);

// What came of a repair.
struct RepairTrial {
  // Null: none was learnt.
  const proto::Rule* rule = nullptr;
  std::string reason;  // what was learnt again, or why nothing
  FieldCounts counts;  // of the field test on all pages
};

// The decision after the repair that `decision` called for.
ReuseDecision DecideRepair(const ReuseDecision& decision, const Trial& broken,
                           const RepairTrial& repair,
                           const FieldThresholds& thresholds);

}  // namespace trommel::reuse

#endif  // TROMMEL_CORE_REUSE_DECISION_H_
