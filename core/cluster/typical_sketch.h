#ifndef TROMMEL_CORE_CLUSTER_TYPICAL_SKETCH_H_
#define TROMMEL_CORE_CLUSTER_TYPICAL_SKETCH_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/signature/sketch.h"

namespace trommel::cluster {

// The sketch of a template: what the sketches of its pages have in common.
//
// Each slot holds the value that most pages have there, and their share as its
// weight. Content that differs from page to page (the text of an article, say)
// puts a different value on each page and so gets little weight; what the
// template itself writes keeps its value and its weight. A page is like the
// template as far as it has these values, by weight.
class TypicalSketch {
 public:
  TypicalSketch() = default;  // like nothing

  // Of at least one page.
  static TypicalSketch Of(const std::vector<const signature::Sketch*>& pages);

  // 0 to 1.
  double Likeness(const signature::Sketch& page) const;
  // Whether a page with this likeness belongs to the template: the template's
  // own pages set the measure.
  bool Accepts(double likeness) const { return likeness >= accepted_likeness_; }

  // As stored in the table of clusters, 386 bytes.
  std::string Encode() const;
  static absl::StatusOr<TypicalSketch> Decode(std::string_view bytes);

 private:
  std::array<int16_t, signature::Sketch::kSlots> values_ = {};
  std::array<uint8_t, signature::Sketch::kSlots> weights_ = {};  // of 255
  double accepted_likeness_ = 2;
};

}  // namespace trommel::cluster

#endif  // TROMMEL_CORE_CLUSTER_TYPICAL_SKETCH_H_
