#ifndef TROMMEL_CORE_COVERAGE_URL_LOSS_H_
#define TROMMEL_CORE_COVERAGE_URL_LOSS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/cluster/placement.h"
#include "core/coverage/day_pages.h"

namespace trommel::coverage {

// Where a page is among the clusters of a set.
struct PlacedPage {
  int32_t place = -1;  // -1: in none
  cluster::PlacedBy by = cluster::PlacedBy::kSignature;
};

// The URLs that two days have in common, as places among their kept pages. A
// URL that a day has several times counts once, with the first of its pages; of
// the URLs above the smaller of the two days' limits nothing is known.
std::vector<std::pair<size_t, size_t>> CommonUrls(const DayPages& before,
                                                  const DayPages& now);

// What became of the URLs that were in a cluster: how many were crawled again,
// and how many of these are no longer in it.
struct UrlLoss {
  int64_t compared = 0;
  int64_t lost = 0;
};

// What is known of a cluster on one day.
struct ClusterPages {
  int64_t pages = 0;
  int64_t site_pages = 0;  // of the whole site
};

// Whether a cluster is broken: the majority of the URLs that were in it, and
// were crawled again, are no longer in it. Where these are fewer than five and
// fewer than half of the cluster's pages they tell nothing, and the cluster's
// share of the site decides: it is broken when that fell to less than half.
bool IsBroken(const UrlLoss& urls, const ClusterPages& before,
              const ClusterPages& now);

}  // namespace trommel::coverage

#endif  // TROMMEL_CORE_COVERAGE_URL_LOSS_H_
