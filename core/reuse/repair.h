#ifndef TROMMEL_CORE_REUSE_REPAIR_H_
#define TROMMEL_CORE_REUSE_REPAIR_H_

// A broken rule learnt again without an editor.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/learn/learner.h"
#include "core/record/record.h"
#include "proto/rule.pb.h"

namespace trommel::reuse {

struct RepairInput {
  const proto::Rule* broken = nullptr;
  // What the rule is to be for; the fields that say what it extracts are empty.
  proto::Rule about;
  // New versions of pages that had a record, and what was extracted from the
  // old ones, in the same order.
  std::vector<learn::LearnPage> pages;
  std::vector<std::vector<record::Record>> golden;
  // Attributes that the rule still extracts: these keep their extractors.
  std::set<std::string> working;
  absl::Duration budget = absl::Seconds(30);  // for each attribute
};

struct RepairOutcome {
  // None where something mandatory or constant cannot be learnt again.
  std::optional<proto::Rule> rule;
  std::string reason;  // for people: what was learnt from how many pages
};

// Looks for the old values on the new versions of pages and learns from where
// they are now. What comes out has yet to pass the field test on all pages.
// Errors are the learner's own.
absl::StatusOr<RepairOutcome> RepairRule(const learn::Learner& learner,
                                         RepairInput input);

}  // namespace trommel::reuse

#endif  // TROMMEL_CORE_REUSE_REPAIR_H_
