#include "jobs/learner/learner_flags.h"

namespace trommel::jobs::learner {

void LearnerFlags::Define(cli::Flags* flags, const std::string& learner_help) {
  flags->Choice("learner", &learner, learn::LearnerNames(), learner_help)
      .Recorded();
  flags
      ->Number("budget", &budget_s,
               "seconds for a cluster; then the best rule so far counts")
      .Between(0.001, kMaxBudgetSeconds)
      .Recorded();
  // Numbers and words: no learner reads a file of its own.
  for (const learn::LearnerOption& option : learn::AllLearnerOptions()) {
    flags->Text(option.name, &options[option.name], option.help)
        .NotAPath()
        .Recorded();
  }
}

learn::LearnerOptions LearnerFlags::DefaultOptions() {
  learn::LearnerOptions options;
  for (learn::LearnerOption& option : learn::AllLearnerOptions()) {
    options[option.name] = std::move(option.default_value);
  }
  return options;
}

absl::Status LearnerFlags::Check() const { return Make().status(); }

absl::StatusOr<std::unique_ptr<learn::Learner>> LearnerFlags::Make() const {
  return learn::MakeLearner(learner, options);
}

absl::StatusOr<std::unique_ptr<learn::Learner>> LearnerFlags::MakeFor(
    const proto::Rule& rule) const {
  if (learner != learn::LearnerNames().front()) return Make();
  absl::StatusOr<std::unique_ptr<learn::Learner>> maker =
      learn::MakeLearner(rule.learner(), options);
  return absl::IsNotFound(maker.status()) ? Make() : std::move(maker);
}

}  // namespace trommel::jobs::learner
