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
}

std::vector<std::pair<std::string, std::string>> LearnerFlags::Settings()
    const {
  return {{"learner", learner}, {"budget", StrCat(budget_s)}};
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
  return flags;
}

}  // namespace trommel
