#ifndef TROMMEL_CORE_COVERAGE_SITE_COVERAGE_H_
#define TROMMEL_CORE_COVERAGE_SITE_COVERAGE_H_

// How well the clusters of a site go on covering its pages, day by day, and
// when that changes (Vertex, section IV-B).
//
//   SiteCoverage site("shop.example", settings, std::move(clusters));
//   site.BeginDay(day);
//   for (DayPage& page : pages) site.Add(std::move(page));
//   SiteDay result = site.EndDay();

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cluster/site_sample.h"
#include "core/coverage/cluster_set.h"
#include "core/coverage/day_pages.h"
#include "core/coverage/share.h"

namespace trommel::coverage {

// Which pages count as covered.
enum class Counting {
  kPlaced,     // those in a cluster, by signature or by sketch
  kSignature,  // those that a signature covers, as in the paper
};
// "placed" or "signature", as tables have it.
std::string_view CountingName(Counting counting);
Share CoverageOf(const CoverageCounts& counts, Counting counting);

struct CoverageSettings {
  // Drops beyond these are changes, in percent of pages; each has a timeline of
  // its own for either way of counting.
  std::vector<int> thresholds = {10, 20, 30, 40, 50};
  // How a site is clustered anew: with the fourth step, or by the three passes.
  bool merge = true;
  // How many of a day's pages with a signature are kept.
  int64_t max_kept_pages = cluster::kMaxSamplePages;
};

// The clusters to begin with.
struct FirstClusters {
  std::vector<cluster::Template> templates;
  std::vector<std::string> cluster_ids;
  // When they were made: pages of each cluster, those placed by sketch among
  // them, and what all pages of the site were like. None: not known, and the
  // first day is compared with nothing.
  std::vector<int64_t> sizes;
  std::vector<int64_t> sizes_by_sketch;
  std::optional<CoverageCounts> counts;
};

// A page that was in a cluster and no longer is. Where no URL is known on both
// days the two are different pages, one of each kind.
struct ChangedPage {
  struct Version {
    std::string url;
    std::optional<signature::ShingleVector> signature;
    std::optional<std::string> cluster_id;
  };
  std::optional<Version> before;
  std::optional<Version> after;
  // In the clusters of this day, where the site was clustered anew.
  std::optional<std::string> new_cluster_id;
};

// A set of clusters on a day.
struct SetDay {
  std::optional<int64_t> clustered_on;  // none: the first clusters
  CoverageCounts counts;
  std::vector<ClusterDay> clusters;
  // Where a timeline has a change, or a cluster is broken.
  std::vector<ChangedPage> examples;
};

struct TimelineDay {
  Counting counting = Counting::kPlaced;
  int threshold = 0;
  size_t set = 0;  // among SiteDay::sets
  Share coverage;
  // On the last day with pages, by the clusters that are in use; none on the
  // first.
  std::optional<Share> before;
  bool change = false;
  // The coverage of this day's pages (of the kept ones) by clusters made of
  // them: after a change, and where there was no cluster at all.
  std::optional<Share> anew;
};

struct SiteDay {
  int64_t day = 0;
  std::optional<int64_t> previous_day;  // the last one with pages
  std::vector<SetDay> sets;             // those that timelines use
  std::vector<TimelineDay> timelines;
};

class SiteCoverage {
 public:
  static constexpr size_t kExamples = 3;

  SiteCoverage(std::string_view site, CoverageSettings settings,
               FirstClusters first);

  // Days rise; a day has at least one page.
  void BeginDay(int64_t day);
  // In the order of the sample: by rank, then as SampleRank() says.
  void Add(DayPage page);
  SiteDay EndDay();

 private:
  struct Timeline {
    Counting counting;
    int threshold;
    std::shared_ptr<ClusterSet> set;
    std::optional<Share> before;
  };

  std::vector<TimelineDay> DecideChanges() const;
  std::vector<ChangedPage> Examples(
      const ClusterSet& set, const ClusterSet* anew,
      const std::vector<std::pair<size_t, size_t>>& common) const;
  ChangedPage ExampleOfTwo(const ClusterSet& set, const ClusterSet* anew) const;
  ChangedPage::Version VersionOf(const DayPage& page, const ClusterSet& set,
                                 const PlacedPage& placed) const;

  std::string site_;
  CoverageSettings settings_;
  std::vector<Timeline> timelines_;
  // Those of the timelines, each once.
  std::vector<std::shared_ptr<ClusterSet>> sets_;
  int64_t day_ = 0;
  std::optional<int64_t> previous_day_;
  DayPages today_;
  DayPages yesterday_;
};

}  // namespace trommel::coverage

#endif  // TROMMEL_CORE_COVERAGE_SITE_COVERAGE_H_
