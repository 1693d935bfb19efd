#ifndef TROMMEL_CORE_LEARN_REGISTRY_H_
#define TROMMEL_CORE_LEARN_REGISTRY_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/learn/learner.h"

namespace trommel {

// The names of all learners, the default first. A new learner is a folder
// beside this file and a line in registry.cc.
std::vector<std::string> LearnerNames();

// NotFound lists those there are.
absl::StatusOr<std::unique_ptr<Learner>> MakeLearner(std::string_view name);

}  // namespace trommel

#endif  // TROMMEL_CORE_LEARN_REGISTRY_H_
