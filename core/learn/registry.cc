#include "core/learn/registry.h"

#include <functional>
#include <utility>

#include "core/base/strings.h"
#include "core/learn/vertex/vertex_learner.h"

namespace trommel {
namespace {

struct Entry {
  std::string name;
  std::function<std::unique_ptr<Learner>()> make;
};

const std::vector<Entry>& AllLearners() {
  static const auto* const learners = new std::vector<Entry>{
      {"vertex", MakeVertexLearner},
  };
  return *learners;
}

}  // namespace

std::vector<std::string> LearnerNames() {
  std::vector<std::string> names;
  for (const Entry& entry : AllLearners()) names.push_back(entry.name);
  return names;
}

absl::StatusOr<std::unique_ptr<Learner>> MakeLearner(std::string_view name) {
  std::string known;
  for (const Entry& entry : AllLearners()) {
    if (entry.name == name) return entry.make();
    StrAppend(&known, known.empty() ? "" : ", ", entry.name);
  }
  return absl::NotFoundError(
      StrCat("no learner \"", name, "\"; there is ", known));
}

}  // namespace trommel
