#ifndef TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_LEARNER_H_
#define TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_LEARNER_H_

#include <functional>
#include <string>
#include <vector>

#include "core/annotation/placed_values.h"
#include "core/learn/vertex/features.h"
#include "core/learn/vertex/page_facts.h"
#include "proto/rule.pb.h"
#include "proto/schema.pb.h"

namespace trommel::learn::vertex {

struct AttributeTask {
  const proto::Attribute* attribute = nullptr;
  const std::vector<PageFacts>* pages = nullptr;
  std::vector<annotation::PlacedValue> values;
  std::vector<annotation::PlacedValue>
      negatives;  // nodes that are not the attribute's
  std::vector<annotation::PlacedValue> neutral;  // nodes that others look after
  std::vector<size_t> absent_pages;
  std::function<bool()> is_out_of_time = [] { return false; };
};

struct LearntAlternative {
  proto::Extractor extractor;
  // Goes by ids, classes and labels only, and is precise by itself.
  bool is_strong = false;
  double support = 0;  // share of unannotated pages on which it finds something
};

// The alternatives of the attribute's rule, the most robust first; none where
// nothing distinguishes the nodes, and `reason` says what was tried.
std::vector<LearntAlternative> LearnAttribute(const AttributeTask& task,
                                              std::string* reason);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_LEARNER_H_
