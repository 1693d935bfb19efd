#ifndef TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
#define TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/learn/learner.h"
#include "core/learn/registry.h"
#include "jobs/cli/flags.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::learner {

// A task that gets nowhere for ten minutes is stopped, so what is learnt for
// one key takes no longer than this.
inline constexpr double kMaxBudgetSeconds = 480;

// The flags of every verb that learns rules: how, and for how long. Each option
// of every learner is one.
struct LearnerFlags {
  std::string learner = learn::LearnerNames().front();
  double budget_s = 30;
  learn::LearnerOptions options = DefaultOptions();

  // `learner_help` says what the verb learns.
  void Define(cli::Flags* flags,
              const std::string& learner_help = "how rules are learnt");

  // Whether the learner takes its options as given.
  absl::Status Check() const;
  absl::StatusOr<std::unique_ptr<learn::Learner>> Make() const;
  // The learner that learns a rule again: unless another was asked for, the one
  // that made it.
  absl::StatusOr<std::unique_ptr<learn::Learner>> MakeFor(
      const proto::Rule& rule) const;

 private:
  static learn::LearnerOptions DefaultOptions();
};

}  // namespace trommel::jobs::learner

#endif  // TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
