#include "jobs/learner/learner_flags.h"

#include "absl/strings/numbers.h"
#include "core/base/status.h"

namespace trommel {

void LearnerFlags::Define(const std::string& learner_help, cli::Flags* flags) {
  flags->Choice("learner", &learner, LearnerNames(), learner_help);
  flags
      ->Number("budget", &budget_s,
               "seconds for a cluster; then the best rule so far counts")
      .Between(0.001, kMaxBudgetSeconds);
  for (const LearnerOption& option : AllLearnerOptions()) {
    flags->Text(option.name, &options[option.name], option.help);
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

std::vector<std::pair<std::string, std::string>> LearnerFlags::Settings()
    const {
  std::vector<std::pair<std::string, std::string>> settings = {
      {"learner", learner}, {"budget", StrCat(budget_s)}};
  settings.insert(settings.end(), options.begin(), options.end());
  return settings;
}

void LearnerFlags::AddTo(mr::StepSpec* spec) const {
  for (const auto& [name, value] : Settings()) spec->config[name] = value;
}

absl::StatusOr<LearnerFlags> LearnerFlags::OfTask(
    const mr::TaskContext& context) {
  LearnerFlags flags;
  TROMMEL_ASSIGN_OR_RETURN(flags.learner, context.Config("learner"));
  TROMMEL_ASSIGN_OR_RETURN(const std::string text, context.Config("budget"));
  if (!absl::SimpleAtod(text, &flags.budget_s)) {
    return absl::InvalidArgumentError(StrCat("budget is \"", text, "\""));
  }
  for (auto& [name, value] : flags.options) {
    TROMMEL_ASSIGN_OR_RETURN(value, context.Config(name));
  }
  return flags;
}

}  // namespace trommel
