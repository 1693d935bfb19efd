#ifndef TROMMEL_CORE_LEARN_VERTEX_NAIVE_BAYES_H_
#define TROMMEL_CORE_LEARN_VERTEX_NAIVE_BAYES_H_

#include <vector>

#include "core/learn/vertex/features.h"
#include "core/learn/vertex/page_facts.h"
#include "proto/rule.pb.h"

namespace trommel::learn::vertex {

// A classifier that tells positive from negative candidates by what their
// HTML attributes, tags and neighbours say (III-C 3 of the Vertex paper).
proto::Classifier TrainClassifier(const std::vector<PageFacts>& pages,
                                  const std::vector<PageNode>& positive,
                                  const std::vector<PageNode>& negative);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_NAIVE_BAYES_H_
