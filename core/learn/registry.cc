#include "core/learn/registry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/base/strings.h"
#include "core/learn/auto_learner.h"
#include "core/learn/vertex/vertex_learner.h"

namespace trommel::learn {
namespace {

std::vector<LearnerKind>& AllLearners() {
  static auto* const learners = new std::vector<LearnerKind>{
      {kAutoLearner, {}, MakeAutoLearner},
      {"vertex", {}, vertex::MakeVertexLearner},
  };
  return *learners;
}

}  // namespace

std::vector<std::string> LearnerNames() {
  std::vector<std::string> names;
  for (const LearnerKind& kind : AllLearners()) names.push_back(kind.name);
  return names;
}

std::vector<LearnerOption> AllLearnerOptions() {
  std::vector<LearnerOption> options;
  for (const LearnerKind& kind : AllLearners()) {
    for (const LearnerOption& option : kind.options) {
      const bool is_known = std::any_of(
          options.begin(), options.end(),
          [&](const LearnerOption& o) { return o.name == option.name; });
      if (!is_known) options.push_back(option);
    }
  }
  return options;
}

absl::StatusOr<std::unique_ptr<Learner>> MakeLearner(
    std::string_view name, const LearnerOptions& options) {
  LearnerOptions all = options;
  for (LearnerOption& option : AllLearnerOptions()) {
    all.try_emplace(option.name, std::move(option.default_value));
  }
  for (const LearnerKind& kind : AllLearners()) {
    if (kind.name == name) return kind.make(all);
  }
  return absl::NotFoundError(StrCat("no learner \"", name, "\"; there is ",
                                    absl::StrJoin(LearnerNames(), ", ")));
}

void RegisterLearner(LearnerKind kind) {
  AllLearners().push_back(std::move(kind));
}

}  // namespace trommel::learn
