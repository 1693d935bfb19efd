#ifndef TROMMEL_CORE_LEARN_VERTEX_HYPOTHESES_H_
#define TROMMEL_CORE_LEARN_VERTEX_HYPOTHESES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/learn/vertex/attribute_task.h"
#include "core/learn/vertex/plausibility.h"
#include "proto/rule.pb.h"

namespace trommel::learn::vertex {

// A way to find the values of an attribute that explains the annotated nodes.
struct Hypothesis {
  proto::Extractor extractor;
  // What it goes by; what it says of pages is not known yet.
  Clues clues;
  // Kinds of evidence that it uses, as a set of bits: hypotheses of different
  // kinds are independent witnesses.
  uint32_t kinds = 0;
  // Goes by ids, classes and labels only, and is precise by itself.
  bool is_strong = false;
  double support = 0;  // share of unannotated pages on which it finds something
};

// As diverse as they come; none where nothing distinguishes the nodes, and
// `reason` says what was tried. `is_thorough` looks for more of them.
std::vector<Hypothesis> FindHypotheses(const AttributeTask& task,
                                       bool is_thorough, std::string* reason);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_HYPOTHESES_H_
