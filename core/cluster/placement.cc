#include "core/cluster/placement.h"

#include <algorithm>
#include <string>
#include <utility>

namespace trommel::cluster {

std::string_view PlacedByName(PlacedBy by) {
  return by == PlacedBy::kSignature ? "signature" : "sketch";
}

SiteTemplates::SiteTemplates(std::vector<Template> templates)
    : templates_(std::move(templates)) {
  for (size_t i = 0; i < templates_.size(); ++i) {
    for (Signature signature : templates_[i].signatures) {
      signature.group = static_cast<int32_t>(i);
      signatures_.push_back(signature);
    }
  }
  std::sort(signatures_.begin(), signatures_.end());

  std::vector<std::pair<int64_t, std::string>> keys(templates_.size());
  for (size_t i = 0; i < templates_.size(); ++i) {
    const Template& tmpl = templates_[i];
    if (!tmpl.sketch.has_value()) continue;
    keys[i] = {-tmpl.Importance(), tmpl.sketch->Encode()};
    by_preference_.push_back(i);
  }
  std::sort(by_preference_.begin(), by_preference_.end(),
            [&](size_t a, size_t b) { return keys[a] < keys[b]; });
}

std::optional<Placement> SiteTemplates::Place(
    const signature::PageSignature& page) const {
  if (const Signature* const signature =
          FindCovering(signatures_, page.vector)) {
    return Placement{static_cast<size_t>(signature->group),
                     PlacedBy::kSignature};
  }
  std::optional<Placement> best;
  double best_likeness = 0;
  for (const size_t i : by_preference_) {
    const TypicalSketch& sketch = *templates_[i].sketch;
    const double likeness = sketch.Likeness(page.sketch);
    if (likeness > best_likeness && sketch.Accepts(likeness)) {
      best = Placement{i, PlacedBy::kSketch};
      best_likeness = likeness;
    }
  }
  return best;
}

}  // namespace trommel::cluster
