#ifndef TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_LEARNER_H_
#define TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_LEARNER_H_

#include <string>
#include <vector>

#include "core/learn/rival.h"
#include "core/learn/vertex/attribute_task.h"
#include "core/learn/vertex/hypotheses.h"
#include "proto/rule.pb.h"

namespace trommel::learn::vertex {

struct LearntAttribute {
  // The most plausible alternatives that say the same of the whole sample; none
  // where nothing distinguishes the nodes, and `reason` says what was tried.
  proto::AttributeRule rule;
  AttributeBelief belief;
  std::string reason;
};

// `ways` are readings of the same annotations that place the values elsewhere,
// the best first; there is at least one.
LearntAttribute LearnAttribute(const std::vector<AttributeTask>& ways);

// The hypotheses that LearnAttribute() chooses from, with all clues: those that
// say what the editor says. For fitting the weights of clues.
std::vector<Hypothesis> ExplainAnnotations(
    const std::vector<AttributeTask>& ways);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_LEARNER_H_
