#ifndef TROMMEL_CORE_SIGNATURE_SKETCH_H_
#define TROMMEL_CORE_SIGNATURE_SKETCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel {

// A wider picture of a page's structure than its eight signature bytes: the
// minima of 128 bins (page_signature.cc says of what), a byte of each. Two
// sketches estimate how much of their structure two pages share, with a
// standard error of at most 0.044, where the eight bytes leave 0.18.
struct Sketch {
  static constexpr size_t kSlots = 128;
  // A slot without a minimum: nothing on the page fell into its bin. Happens on
  // short pages.
  static constexpr uint8_t kEmpty = 0;

  std::array<uint8_t, kSlots> slots = {};

  friend bool operator==(const Sketch&, const Sketch&) = default;
  friend auto operator<=>(const Sketch&, const Sketch&) = default;

  // As stored: the slots.
  std::string_view Bytes() const {
    return {reinterpret_cast<const char*>(slots.data()), slots.size()};
  }
  static absl::StatusOr<Sketch> FromBytes(std::string_view bytes);
};

// The estimated share of structure that two pages have in common: of the slots
// that are not empty in both, those that are equal. 0 for two empty sketches.
double Resemblance(const Sketch& a, const Sketch& b);

}  // namespace trommel

#endif  // TROMMEL_CORE_SIGNATURE_SKETCH_H_
