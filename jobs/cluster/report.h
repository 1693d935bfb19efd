#ifndef TROMMEL_JOBS_CLUSTER_REPORT_H_
#define TROMMEL_JOBS_CLUSTER_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trommel::jobs::cluster_job {

// What a person wants to see of a clustering. Strings may be any bytes, as
// crawled: the page escapes them, shows what would be invisible and cuts what
// is very long. Every page of a site is in one of by_signature, by_sketch and
// uncovered; the same holds for the totals.
struct ClusterReport {
  struct Cluster {
    std::string cluster_id;
    int64_t size = 0;        // pages, those placed by sketch included
    int64_t by_sketch = 0;   // of them
    int64_t importance = 0;  // the sum over the signatures
    // Text such as "12.*.7.200.3.*.9.41" and its importance, in any order.
    std::vector<std::pair<std::string, int64_t>> signatures;
    std::string url_regex;
    std::vector<std::string> example_urls;
  };
  struct Site {
    std::string site;
    int64_t pages = 0;
    int64_t sampled = 0;
    int64_t too_short = 0;  // for a signature
    int64_t uncovered = 0;  // in no cluster, those too short included
    int64_t by_signature = 0;
    int64_t by_sketch = 0;
    int64_t num_clusters = 0;
    // Pages that say nothing of their own, and how such a page begins.
    int64_t alike = 0;
    std::string alike_text;
    // The clusters shown, largest first: all of them, or the first ones.
    std::vector<Cluster> clusters;
  };

  // Totals over all sites, those not shown included.
  int64_t pages = 0;
  int64_t sites = 0;
  int64_t clusters = 0;
  int64_t sampled = 0;
  int64_t uncovered = 0;
  int64_t too_short = 0;
  int64_t by_signature = 0;
  int64_t by_sketch = 0;
  int64_t alike = 0;
  int64_t alike_sites = 0;  // with such pages
  int64_t rejected = 0;     // not among `pages`
  // The sites shown, most pages first: all of them, or the first ones.
  std::vector<Site> largest_sites;
};

// The report as an HTML page (jobs/report). It says where sites or clusters are
// not shown. Takes time in proportion to the text; a cluster takes a bounded
// number of bytes, some 2 KB of them where the text is harmless.
std::string ReportHtml(const ClusterReport& report);

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_REPORT_H_
