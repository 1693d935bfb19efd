#ifndef TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_TASK_H_
#define TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_TASK_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

#include "core/annotation/page_text.h"
#include "core/annotation/placed_values.h"
#include "core/annotation/resolve.h"
#include "core/learn/learner.h"
#include "core/learn/vertex/page_facts.h"
#include "proto/schema.pb.h"

namespace trommel::learn::vertex {

// What is known of an attribute before it is learnt: the nodes that say its
// values, one reading of the annotations.
struct AttributeTask {
  const proto::Attribute* attribute = nullptr;
  const std::vector<LearnPage>* sample = nullptr;
  const std::vector<PageFacts>* pages = nullptr;  // of the sample
  std::vector<annotation::PlacedValue> values;
  std::vector<annotation::PlacedValue>
      negatives;  // nodes that are not the attribute's
  std::vector<annotation::PlacedValue> neutral;  // nodes that others look after
  std::vector<size_t> absent_pages;
  std::function<bool()> is_out_of_time = [] { return false; };
};

// The sample and annotations of a cluster as tasks.
class SampleTasks {
 public:
  // Keeps references to the input.
  SampleTasks(const LearnInput& input, std::function<bool()> is_out_of_time);

  const annotation::PlacedAnnotations& placed() const { return placed_; }
  // Whether annotations tell several records of a page apart.
  bool HasSeveralRecords() const;
  // The readings of what was annotated of an attribute of the schema, the best
  // first; none where nothing was.
  std::vector<AttributeTask> WaysOf(int attribute) const;

 private:
  void AddOtherWays(std::vector<AttributeTask>* ways) const;

  const LearnInput& input_;
  const std::function<bool()> is_out_of_time_;
  std::vector<PageFacts> facts_;
  std::deque<annotation::PageText> texts_;
  std::vector<annotation::ResolvePage> pages_;
  annotation::PlacedAnnotations placed_;
};

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_ATTRIBUTE_TASK_H_
