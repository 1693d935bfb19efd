#ifndef TROMMEL_TESTS_CORE_COVERAGE_DAY_OF_PAGES_H_
#define TROMMEL_TESTS_CORE_COVERAGE_DAY_OF_PAGES_H_

// Pages whose signatures are written by hand.

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/cluster/templates.h"
#include "core/coverage/day_pages.h"

namespace trommel::coverage {

// A page with vector b.b.b.b.b.b.b.b: two of them have no byte in common, so
// the pages of one `look` are one cluster of the three passes. 0: too short.
inline DayPage PageOf(uint64_t rank, uint8_t look) {
  DayPage page;
  page.rank = rank;
  page.url = StrCat("http://a.example/", rank);
  if (look != 0) {
    page.signature.emplace();
    page.signature->vector = 0x0101010101010101u * look;
  }
  return page;
}

// A run is `count` ranks from `first` on, all of one look.
struct Run {
  uint64_t first;
  uint64_t count;
  uint8_t look;
};
inline std::vector<DayPage> PagesOf(const std::vector<Run>& runs) {
  std::vector<DayPage> pages;
  for (const Run& run : runs) {
    for (uint64_t i = 0; i < run.count; ++i) {
      pages.push_back(PageOf(run.first + i, run.look));
    }
  }
  std::stable_sort(
      pages.begin(), pages.end(),
      [](const DayPage& a, const DayPage& b) { return a.rank < b.rank; });
  return pages;
}

// The cluster of pages of one look.
inline cluster::Template TemplateOf(uint8_t look, int64_t importance) {
  return {
      {{signature::MaskedVector(0x0101010101010101u * look, 0), importance, 0}},
      std::nullopt};
}

}  // namespace trommel::coverage

#endif  // TROMMEL_TESTS_CORE_COVERAGE_DAY_OF_PAGES_H_
