#ifndef TROMMEL_CORE_COVERAGE_CLUSTER_SET_H_
#define TROMMEL_CORE_COVERAGE_CLUSTER_SET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/placement.h"
#include "core/coverage/day_pages.h"
#include "core/coverage/share.h"
#include "core/coverage/url_loss.h"

namespace trommel::coverage {

// How the pages of a site and day lie among a set of clusters.
struct CoverageCounts {
  int64_t pages = 0;
  int64_t too_short = 0;     // for a signature; they are in no cluster
  int64_t by_signature = 0;  // covered by a cluster's signature
  int64_t by_sketch = 0;     // covered by none, but like a cluster
};

// A cluster on a day, and how that compares with the day before.
struct ClusterDay {
  std::string cluster_id;
  int64_t pages = 0;
  int64_t by_sketch = 0;
  UrlLoss urls;
  bool broken = false;
  // The same where pages that were placed by sketch do not count.
  UrlLoss urls_by_signature;
  bool broken_by_signature = false;
};

// Clusters of a site, and the pages of a day among them.
class ClusterSet {
 public:
  // `clustered_on` is the day whose pages they were made of; none where that is
  // not known. The ids are those of the templates.
  ClusterSet(std::vector<cluster::Template> templates,
             std::vector<std::string> cluster_ids,
             std::optional<int64_t> clustered_on);
  // From the sample of a day, as `trommel cluster` does it; with the pages of
  // that day already placed, the kept ones of them.
  static ClusterSet FromPages(std::string_view site, int64_t day,
                              const DayPages& pages, bool merge);

  std::optional<int64_t> clustered_on() const { return clustered_on_; }
  bool empty() const { return cluster_ids_.empty(); }
  // Of a place; null for -1.
  const std::string* IdOf(const PlacedPage& page) const;

  // Counts a page of the day. A kept page is remembered.
  void Add(const DayPage& page, bool kept);
  const CoverageCounts& counts() const { return today_.counts; }
  // Where the kept pages of the day are, in their order.
  const std::vector<PlacedPage>& placed() const { return today_.placed; }
  const std::vector<PlacedPage>& placed_before() const {
    return yesterday_.placed;
  }

  // The clusters on this day against the last one. `common` are the URLs of
  // both; there may be no last day.
  std::vector<ClusterDay> Compare(
      const std::vector<std::pair<size_t, size_t>>& common) const;

  // The day is over: it is the last one now.
  void EndDay();
  // What a day before the first one was like, where only that is known.
  void SetDayBefore(const CoverageCounts& counts,
                    const std::vector<int64_t>& pages,
                    const std::vector<int64_t>& by_sketch);

 private:
  struct Day {
    CoverageCounts counts;
    std::vector<int64_t> pages;      // by cluster
    std::vector<int64_t> by_sketch;  // of them
    std::vector<PlacedPage> placed;  // the kept ones
  };
  Day EmptyDay() const;

  cluster::SiteTemplates templates_;
  std::vector<std::string> cluster_ids_;
  std::optional<int64_t> clustered_on_;
  Day today_;
  Day yesterday_;
};

}  // namespace trommel::coverage

#endif  // TROMMEL_CORE_COVERAGE_CLUSTER_SET_H_
