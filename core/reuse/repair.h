#ifndef TROMMEL_CORE_REUSE_REPAIR_H_
#define TROMMEL_CORE_REUSE_REPAIR_H_

// A broken rule learnt again without an editor.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/annotation/annotation.h"
#include "core/learn/learner.h"
#include "core/monitor/field_test.h"
#include "proto/rule.pb.h"

namespace trommel {

// A page that the rule extracted a record from.
struct GoldenPage {
  std::string url;
  FieldValues golden;  // from its old version, by attribute of the schema
};

struct RepairInput {
  const proto::Rule* broken = nullptr;
  // What the rule is to be for; the fields that say what it extracts are empty.
  proto::Rule about;
  // New versions, and what was extracted from the old ones, in the same order.
  std::vector<LearnPage> pages;
  std::vector<FieldValues> golden;
  // Attributes that the rule still extracts: these keep their extractors.
  std::set<std::string> working;
  absl::Duration budget = absl::Seconds(30);
};

struct RepairOutcome {
  // None where something mandatory or constant cannot be learnt again.
  std::optional<proto::Rule> rule;
  std::string reason;  // for people: what was learnt from how many pages
};

// Looks for the old values on the new versions of pages and learns from where
// they are now. What comes out has yet to pass the field test on all pages.
// Errors are the learner's own.
absl::StatusOr<RepairOutcome> RepairRule(const Learner& learner,
                                         RepairInput input);

// --- For tests ---------------------------------------------------------------

// What the old values say of the new pages, as an editor would say it, of the
// attributes that are not working. `lost` gets those for which they say too
// little, each with the reason.
std::vector<Annotation> AnnotateFromGolden(const RepairInput& input,
                                           std::vector<std::string>* lost);

}  // namespace trommel

#endif  // TROMMEL_CORE_REUSE_REPAIR_H_
