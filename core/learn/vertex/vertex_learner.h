#ifndef TROMMEL_CORE_LEARN_VERTEX_VERTEX_LEARNER_H_
#define TROMMEL_CORE_LEARN_VERTEX_VERTEX_LEARNER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "core/learn/learner.h"

namespace trommel::learn::vertex {

// The learner of the Vertex paper (III-C): robust XPaths from features of the
// annotated nodes, with a classifier where no XPath is precise. Gives programs
// of the kind Fields; has no options.
absl::StatusOr<std::unique_ptr<Learner>> MakeVertexLearner(
    const LearnerOptions& options);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_VERTEX_LEARNER_H_
