#ifndef TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
#define TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/learn/registry.h"
#include "jobs/cli/flags.h"
#include "mapreduce/job/job.h"

namespace trommel {

// A task that gets nowhere for ten minutes is stopped, so what is learnt for
// one key takes no longer than this.
inline constexpr double kMaxBudgetSeconds = 480;

// The flags of every verb that learns rules: how, and for how long.
struct LearnerFlags {
  std::string learner = LearnerNames().front();
  double budget_s = 30;

  // `learner_help` says what the verb learns.
  void Define(const std::string& learner_help, cli::Flags* flags);

  // From the command line to the tasks of a job, as settings of its steps; the
  // same pairs stand in manifests.
  std::vector<std::pair<std::string, std::string>> Settings() const;
  void AddTo(mr::StepSpec* spec) const;
  static absl::StatusOr<LearnerFlags> OfTask(const mr::TaskContext& context);
};

}  // namespace trommel

#endif  // TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
