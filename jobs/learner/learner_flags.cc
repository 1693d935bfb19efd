#include "jobs/learner/learner_flags.h"

namespace trommel {

void LearnerFlags::Define(cli::Flags* flags, const std::string& learner_help) {
  flags->Choice("learner", &learner, LearnerNames(), learner_help).Recorded();
  flags
      ->Number("budget", &budget_s,
               "seconds for a cluster; then the best rule so far counts")
      .Between(0.001, kMaxBudgetSeconds)
      .Recorded();
}

}  // namespace trommel
