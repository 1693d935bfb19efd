#ifndef TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
#define TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/learn/learner.h"
#include "core/learn/registry.h"
#include "jobs/cli/flags.h"
#include "mapreduce/job/job.h"

namespace trommel {

// A task that gets nowhere for ten minutes is stopped, so what is learnt for
// one key takes no longer than this.
inline constexpr double kMaxBudgetSeconds = 480;

// The flags of every verb that learns rules: how, and for how long. Each option
// of every learner is one.
struct LearnerFlags {
  std::string learner = LearnerNames().front();
  double budget_s = 30;
  LearnerOptions options = DefaultOptions();

  // `learner_help` says what the verb learns. The flags refer to this object.
  void Define(const std::string& learner_help, cli::Flags* flags);

  // Whether the learner takes its options as given.
  absl::Status Check() const;
  absl::StatusOr<std::unique_ptr<Learner>> Make() const;

  // From the command line to the tasks of a job, as settings of its steps; the
  // same pairs stand in manifests.
  std::vector<std::pair<std::string, std::string>> Settings() const;
  void AddTo(mr::StepSpec* spec) const;
  static absl::StatusOr<LearnerFlags> OfTask(const mr::TaskContext& context);

 private:
  static LearnerOptions DefaultOptions();
};

}  // namespace trommel

#endif  // TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
