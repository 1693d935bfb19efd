#ifndef TROMMEL_CORE_COVERAGE_SHARE_H_
#define TROMMEL_CORE_COVERAGE_SHARE_H_

#include <cstdint>

namespace trommel::coverage {

// A share of pages, kept as the two counts: whether a drop exceeds a threshold
// is decided exactly, and the same on every machine.
struct Share {
  int64_t part = 0;
  int64_t whole = 0;

  // 0 where there is nothing to have a share of.
  double value() const {
    return whole == 0 ? 0.0
                      : static_cast<double>(part) / static_cast<double>(whole);
  }
  friend bool operator==(const Share&, const Share&) = default;
};

// Returns whether the share fell by more than `percent` of all pages: from 90%
// to 79% is a drop of 11.
bool DropExceeds(const Share& before, const Share& now, int percent);

}  // namespace trommel::coverage

#endif  // TROMMEL_CORE_COVERAGE_SHARE_H_
