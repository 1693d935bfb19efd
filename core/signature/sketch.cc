#include "core/signature/sketch.h"

#include <cstring>

#include "core/base/strings.h"

namespace trommel::signature {

absl::StatusOr<Sketch> Sketch::FromBytes(std::string_view bytes) {
  Sketch sketch;
  if (bytes.size() != sizeof(sketch.slots)) {
    return absl::InvalidArgumentError(StrCat("a sketch of ", bytes.size(),
                                             " bytes; it should have ",
                                             sizeof(sketch.slots)));
  }
  std::memcpy(sketch.slots.data(), bytes.data(), bytes.size());
  return sketch;
}

Overlap CompareSketches(const Sketch& first, const Sketch& second) {
  int16_t only_first = 0;
  int16_t only_second = 0;
  int16_t both_empty = 0;
  for (size_t i = 0; i < Sketch::kSlots; ++i) {
    const int16_t a = first.slots[i];
    const int16_t b = second.slots[i];
    only_first += a < b ? 1 : 0;
    only_second += a > b ? 1 : 0;
    both_empty += (a & b) == Sketch::kEmpty ? 1 : 0;
  }
  const int counted = static_cast<int>(Sketch::kSlots) - both_empty;
  return {counted - only_first - only_second, only_first, only_second};
}

}  // namespace trommel::signature
