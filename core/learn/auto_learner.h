#ifndef TROMMEL_CORE_LEARN_AUTO_LEARNER_H_
#define TROMMEL_CORE_LEARN_AUTO_LEARNER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "core/learn/learner.h"

namespace trommel::learn {

inline constexpr char kAutoLearner[] = "auto";

// Learns each cluster with the learner that its annotations call for, and hands
// the options on to it.
absl::StatusOr<std::unique_ptr<Learner>> MakeAutoLearner(
    const LearnerOptions& options);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_AUTO_LEARNER_H_
