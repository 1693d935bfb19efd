#ifndef TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
#define TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_

#include <string>

#include "core/learn/registry.h"
#include "jobs/cli/flags.h"

namespace trommel {

// A task that gets nowhere for ten minutes is stopped, so what is learnt for
// one key takes no longer than this.
inline constexpr double kMaxBudgetSeconds = 480;

// The flags of every verb that learns rules: how, and for how long.
struct LearnerFlags {
  std::string learner = LearnerNames().front();
  double budget_s = 30;

  // `learner_help` says what the verb learns.
  void Define(cli::Flags* flags,
              const std::string& learner_help = "how rules are learnt");
};

}  // namespace trommel

#endif  // TROMMEL_JOBS_LEARNER_LEARNER_FLAGS_H_
