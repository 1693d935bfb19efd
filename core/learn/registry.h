#ifndef TROMMEL_CORE_LEARN_REGISTRY_H_
#define TROMMEL_CORE_LEARN_REGISTRY_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/learn/learner.h"

namespace trommel::learn {

// The names of all learners, the default first, which chooses among the others
// (auto_learner.h). A new learner is a folder beside this file and a line in
// registry.cc.
std::vector<std::string> LearnerNames();

// The options of all learners, each once.
std::vector<LearnerOption> AllLearnerOptions();

// Options that are not given have their defaults. NotFound lists the learners
// there are; InvalidArgument says what is wrong with an option of this one.
absl::StatusOr<std::unique_ptr<Learner>> MakeLearner(
    std::string_view name, const LearnerOptions& options = {});

struct LearnerKind {
  std::string name;
  std::vector<LearnerOption> options;
  // Gets a value for every option of every learner.
  std::function<absl::StatusOr<std::unique_ptr<Learner>>(
      const LearnerOptions& options)>
      make;
};

// Makes a learner known that this library does not have. Is called before
// anything else runs, by the main program that links the learner.
void RegisterLearner(LearnerKind kind);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_REGISTRY_H_
