#ifndef TROMMEL_CORE_SIGNATURE_SKETCH_H_
#define TROMMEL_CORE_SIGNATURE_SKETCH_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::signature {

// A wider picture of a page's structure than its eight signature bytes: the
// minima of 128 bins of hashes, 16 bits of each (page_signature.cc says of
// what).
struct Sketch {
  static constexpr size_t kSlots = 128;
  // A slot without a minimum: nothing on the page fell into its bin. Happens on
  // short pages. Larger than any minimum.
  static constexpr int16_t kEmpty = std::numeric_limits<int16_t>::max();

  std::array<int16_t, kSlots> slots;

  // Of a page without structure.
  Sketch() { slots.fill(kEmpty); }

  friend bool operator==(const Sketch&, const Sketch&) = default;
  friend auto operator<=>(const Sketch&, const Sketch&) = default;

  // As stored: the slots, low byte first.
  static_assert(std::endian::native == std::endian::little);
  std::string_view Bytes() const {
    return {reinterpret_cast<const char*>(slots.data()), sizeof(slots)};
  }
  static absl::StatusOr<Sketch> FromBytes(std::string_view bytes);
};

// How the structures of two pages overlap: of the slots that are not empty in
// both, those that show something both pages have, and something that only one
// has. The minimum of a bin over both pages is the smaller of the two minima;
// where they are equal it belongs to both pages, otherwise to the page with the
// smaller one alone. So each slot is a random draw from the union of the two,
// and the standard error of a share s is the root of s (1 - s) / 128, at most
// 0.044.
struct Overlap {
  int both = 0;
  int only_first = 0;
  int only_second = 0;

  // The estimated share of structure that both have; 0 for two empty sketches.
  double Resemblance() const {
    const int all = both + only_first + only_second;
    return all == 0 ? 0.0 : static_cast<double>(both) / all;
  }
};
Overlap CompareSketches(const Sketch& first, const Sketch& second);

}  // namespace trommel::signature

#endif  // TROMMEL_CORE_SIGNATURE_SKETCH_H_
