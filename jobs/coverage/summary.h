#ifndef TROMMEL_JOBS_COVERAGE_SUMMARY_H_
#define TROMMEL_JOBS_COVERAGE_SUMMARY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "jobs/coverage/coverage_tables.h"

namespace trommel::jobs::coverage_job {

// What people want to see of the coverage of many sites.
struct CoverageSummary {
  // How many sites changed how often, by one timeline: a column of Table III of
  // the paper.
  struct Timeline {
    coverage::Counting counting = coverage::Counting::kPlaced;
    int threshold = 0;
    // sites[i] sites changed i times.
    std::vector<int64_t> sites;
    int64_t changes = 0;
  };
  struct Site {
    CoveredSite about;
    // By the first timeline: pages in a cluster count, and the lowest threshold
    // is a change.
    std::vector<CoverageRow> days;
    double largest_drop = 0;
    int64_t changes = 0;
    std::vector<ExampleRow> examples;

    bool IsNew() const { return about.clusters == 0; }
    bool IsNeverCrawled() const { return about.days == 0; }
  };

  std::vector<int> thresholds;  // rising
  std::vector<Timeline> timelines;
  // Pages of all sites by day; 0 for the day of a crawl without a page.
  std::map<int64_t, int64_t> pages_of_day;
  int64_t last_day_with_pages = 0;

  int64_t sites = 0;
  int64_t pages = 0;
  int64_t sites_compared = 0;  // on at least one day: those of the timelines
  int64_t sites_new = 0;       // without clusters to begin with
  int64_t sites_vanished = 0;  // had pages, and none on the last day
  int64_t sites_never_crawled = 0;
  int64_t rejected = 0;

  // Site and days on which it changed or a cluster broke, by the first
  // timeline, as in Table IV of the paper: the largest drop first, and so many
  // in all.
  std::vector<CoverageRow> broken;
  int64_t num_broken = 0;
  // The sites shown, the largest drop first; all of them, or the first ones.
  std::vector<Site> shown;

  // The last day crawled, with pages or without.
  int64_t last_day() const {
    return pages_of_day.empty() ? 0 : pages_of_day.rbegin()->first;
  }
  // Whether it had pages, and no longer has any.
  bool IsVanished(const CoveredSite& site) const;
  // The highest threshold that the drop of a row is beyond; 0: none.
  int HighestExceeded(const CoverageRow& row) const;
};

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_SUMMARY_H_
