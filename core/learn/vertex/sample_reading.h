#ifndef TROMMEL_CORE_LEARN_VERTEX_SAMPLE_READING_H_
#define TROMMEL_CORE_LEARN_VERTEX_SAMPLE_READING_H_

#include <string>
#include <vector>

#include "core/learn/vertex/attribute_task.h"
#include "core/learn/vertex/hypotheses.h"

namespace trommel::learn::vertex {

// What a hypothesis says of the pages of a sample.
struct SampleReading {
  std::vector<std::vector<std::string>> values;  // by page
  // On every annotated page it says what the editor says.
  bool is_right = false;
};

// The readings of hypotheses of one attribute, in their order. Completes their
// clues by what they say of pages that nobody annotated.
std::vector<SampleReading> ReadSample(const AttributeTask& task,
                                      std::vector<Hypothesis>* hypotheses);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_SAMPLE_READING_H_
