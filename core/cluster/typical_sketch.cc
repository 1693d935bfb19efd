#include "core/cluster/typical_sketch.h"

#include <algorithm>
#include <cmath>

#include "core/base/status.h"

namespace trommel::cluster {
namespace {

// A page belongs to a template when its likeness is at least this share of what
// all but the oddest fiftieth of the template's own pages have, and never with
// less than the floor.
constexpr double kShareOfOwn = 0.8;
constexpr size_t kOddest = 50;
constexpr double kFloor = 0.25;

// The threshold is stored in these steps.
constexpr double kSteps = 10000;

}  // namespace

TypicalSketch TypicalSketch::Of(
    const std::vector<const signature::Sketch*>& pages) {
  TypicalSketch typical;
  const size_t n = pages.size();
  std::vector<int16_t> values;
  for (size_t slot = 0; slot < signature::Sketch::kSlots; ++slot) {
    // Empty slots tell nothing: small pages have them in common.
    values.clear();
    for (const signature::Sketch* page : pages) {
      if (page->slots[slot] != signature::Sketch::kEmpty) {
        values.push_back(page->slots[slot]);
      }
    }
    std::sort(values.begin(), values.end());
    size_t most = 0;
    typical.values_[slot] = signature::Sketch::kEmpty;
    for (auto run = values.begin(); run != values.end();) {
      const auto end = std::upper_bound(run, values.end(), *run);
      if (static_cast<size_t>(end - run) > most) {
        most = static_cast<size_t>(end - run);
        typical.values_[slot] = *run;
      }
      run = end;
    }
    typical.weights_[slot] = static_cast<uint8_t>((most * 255 + n / 2) / n);
  }
  std::vector<double> own;
  own.reserve(n);
  for (const signature::Sketch* page : pages)
    own.push_back(typical.Likeness(*page));
  std::sort(own.begin(), own.end());
  const double accepted = std::max(kFloor, kShareOfOwn * own[n / kOddest]);
  typical.accepted_likeness_ = std::floor(accepted * kSteps) / kSteps;
  return typical;
}

double TypicalSketch::Likeness(const signature::Sketch& page) const {
  int shared = 0;
  int total = 0;
  for (size_t i = 0; i < signature::Sketch::kSlots; ++i) {
    total += weights_[i];
    shared += page.slots[i] == values_[i] ? weights_[i] : 0;
  }
  return total == 0 ? 0.0 : static_cast<double>(shared) / total;
}

std::string TypicalSketch::Encode() const {
  const int steps = static_cast<int>(std::lround(accepted_likeness_ * kSteps));
  signature::Sketch values;
  values.slots = values_;
  std::string bytes(values.Bytes());
  bytes.append(weights_.begin(), weights_.end());
  bytes += static_cast<char>(steps >> 8);
  bytes += static_cast<char>(steps & 0xFF);
  return bytes;
}

absl::StatusOr<TypicalSketch> TypicalSketch::Decode(std::string_view bytes) {
  constexpr size_t kValues = sizeof(TypicalSketch::values_);
  constexpr size_t kWeights = sizeof(TypicalSketch::weights_);
  constexpr size_t kSize = kValues + kWeights + 2;
  if (bytes.size() != kSize) {
    return absl::InvalidArgumentError(StrCat("the sketch of a template has ",
                                             bytes.size(),
                                             " bytes; it should have ", kSize));
  }
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  TypicalSketch typical;
  TROMMEL_ASSIGN_OR_RETURN(
      const signature::Sketch values,
      signature::Sketch::FromBytes(bytes.substr(0, kValues)));
  typical.values_ = values.slots;
  for (size_t i = 0; i < kWeights; ++i) typical.weights_[i] = byte(kValues + i);
  const int steps = byte(kSize - 2) << 8 | byte(kSize - 1);
  if (steps == 0 || steps > 2 * kSteps) {
    return absl::InvalidArgumentError(
        "the sketch of a template accepts everything or nothing");
  }
  typical.accepted_likeness_ = steps / kSteps;
  return typical;
}

}  // namespace trommel::cluster
