#include "jobs/learner/learner_flags.h"

namespace trommel {

void LearnerFlags::Define(cli::Flags* flags, const std::string& learner_help) {
  flags->Choice("learner", &learner, LearnerNames(), learner_help).Recorded();
  flags
      ->Number("budget", &budget_s,
               "seconds for a cluster; then the best rule so far counts")
      .Between(0.001, kMaxBudgetSeconds)
      .Recorded();
  for (const LearnerOption& option : AllLearnerOptions()) {
    flags->Text(option.name, &options[option.name], option.help).Recorded();
  }
}

LearnerOptions LearnerFlags::DefaultOptions() {
  LearnerOptions options;
  for (LearnerOption& option : AllLearnerOptions()) {
    options[option.name] = std::move(option.default_value);
  }
  return options;
}

absl::Status LearnerFlags::Check() const { return Make().status(); }

absl::StatusOr<std::unique_ptr<Learner>> LearnerFlags::Make() const {
  return MakeLearner(learner, options);
}

absl::StatusOr<std::unique_ptr<Learner>> LearnerFlags::MakeFor(
    const proto::Rule& rule) const {
  if (learner != LearnerNames().front()) return Make();
  absl::StatusOr<std::unique_ptr<Learner>> maker =
      MakeLearner(rule.learner(), options);
  return absl::IsNotFound(maker.status()) ? Make() : std::move(maker);
}

}  // namespace trommel
