#ifndef TROMMEL_TESTS_CORE_CLUSTER_SKETCHES_H_
#define TROMMEL_TESTS_CORE_CLUSTER_SKETCHES_H_

// Sketches and signatures made by hand, for tests.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/signature/page_signature.h"

namespace trommel::testing_support {

// Of a page without structure.
inline signature::Sketch EmptySketch() {
  signature::Sketch sketch;
  sketch.slots.fill(signature::Sketch::kEmpty);
  return sketch;
}

// A full sketch; two of them hardly ever agree in a slot.
inline signature::Sketch RandomSketch(Random* random) {
  signature::Sketch sketch;
  for (int16_t& slot : sketch.slots) {
    slot = static_cast<int16_t>(random->Between(-20000, 20000));
  }
  return sketch;
}

// `sketch` with other values in exactly `num_slots` slots: both have something
// that the other has not.
inline signature::Sketch Changed(const signature::Sketch& sketch,
                                 size_t num_slots, Random* random) {
  signature::Sketch changed = sketch;
  while (num_slots > 0) {
    const size_t i = random->Below(signature::Sketch::kSlots);
    if (changed.slots[i] != sketch.slots[i]) continue;
    changed.slots[i] = static_cast<int16_t>(random->Between(-20000, 20000));
    if (changed.slots[i] != sketch.slots[i]) --num_slots;
  }
  return changed;
}

// `sketch` with smaller values in the slots from `first` on: that page and a
// section more. Ten times or so; values end at -32768.
inline signature::Sketch Lowered(const signature::Sketch& sketch, size_t first,
                                 size_t num_slots, Random* random) {
  signature::Sketch lowered = sketch;
  for (size_t i = first; i < first + num_slots; ++i) {
    int16_t& slot = lowered.slots[i % signature::Sketch::kSlots];
    slot = static_cast<int16_t>(slot - random->Between(1, 500));
  }
  return lowered;
}

// The first `num_slots` slots of `a`, the others of `b`.
inline signature::Sketch Spliced(const signature::Sketch& a,
                                 const signature::Sketch& b, size_t num_slots) {
  signature::Sketch spliced = b;
  for (size_t i = 0; i < num_slots; ++i) spliced.slots[i] = a.slots[i];
  return spliced;
}

template <typename T>
void Shuffle(std::vector<T>* items, Random* random) {
  for (size_t i = items->size(); i > 1; --i) {
    std::swap((*items)[i - 1], (*items)[random->Below(i)]);
  }
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_CORE_CLUSTER_SKETCHES_H_
