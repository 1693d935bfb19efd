#include "core/signature/sketch.h"

#include <cstring>

#include "core/base/strings.h"

namespace trommel {

absl::StatusOr<Sketch> Sketch::FromBytes(std::string_view bytes) {
  Sketch sketch;
  if (bytes.size() != sketch.slots.size()) {
    return absl::InvalidArgumentError(StrCat("a sketch of ", bytes.size(),
                                             " bytes; it should have ",
                                             sketch.slots.size()));
  }
  std::memcpy(sketch.slots.data(), bytes.data(), bytes.size());
  return sketch;
}

double Resemblance(const Sketch& a, const Sketch& b) {
  // Counts of up to 128 in a byte: the compiler makes this eight wide
  // comparisons and as many additions.
  static_assert(Sketch::kSlots < 256);
  uint8_t equal = 0;
  uint8_t both_empty = 0;
  for (size_t i = 0; i < Sketch::kSlots; ++i) {
    equal += a.slots[i] == b.slots[i] ? 1 : 0;
    both_empty += (a.slots[i] | b.slots[i]) == Sketch::kEmpty ? 1 : 0;
  }
  const int counted = static_cast<int>(Sketch::kSlots) - both_empty;
  return counted == 0 ? 0.0 : static_cast<double>(equal - both_empty) / counted;
}

}  // namespace trommel
