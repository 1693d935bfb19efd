#include "core/coverage/day_pages.h"

#include <cstddef>
#include <utility>

#include "core/cluster/site_sample.h"

namespace trommel::coverage {

DayPages::DayPages(int64_t max_signed) : max_signed_(max_signed) {}

bool DayPages::Add(DayPage&& page) {
  ++num_pages_;
  num_signed_ += page.signature.has_value() ? 1 : 0;
  if (first_dropped_.has_value()) return false;
  if (kept_signed_ == max_signed_ ||
      static_cast<int64_t>(kept_.size()) == 2 * max_signed_) {
    first_dropped_ = page.rank;
    return false;
  }
  kept_signed_ += page.signature.has_value() ? 1 : 0;
  kept_.push_back(std::move(page));
  return true;
}

std::vector<signature::PageSignature> DayPages::Sample() const {
  const auto wanted = static_cast<size_t>(cluster::SamplePages(num_signed_));
  std::vector<signature::PageSignature> sample;
  for (const DayPage& page : kept_) {
    if (sample.size() == wanted) break;
    if (page.signature.has_value()) sample.push_back(*page.signature);
  }
  return sample;
}

}  // namespace trommel::coverage
