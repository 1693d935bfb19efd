#ifndef TROMMEL_JOBS_COVERAGE_COVERAGE_TABLES_H_
#define TROMMEL_JOBS_COVERAGE_COVERAGE_TABLES_H_

// The tables that `trommel coverage` writes. Days are text, YYYY-MM-DD.
//
// coverage/, one row per site, day with pages, way of counting and threshold:
//   site, day
//   counting          string: "placed" (pages in a cluster count as covered) or
//                     "signature" (only those that a signature covers)
//   threshold         int64, percent: the timeline
//   clustered_on      string, the day whose pages made the clusters in use;
//   null
//                     for the clusters given
//   previous_day      string, the last day with pages; null on the first
//   pages, too_short, by_signature, by_sketch
//   covered           int64, of the pages, as `counting` has it
//   covered_before, pages_before   int64, what the day is compared with; null
//                     where there is nothing
//   change            bool: the drop is beyond the threshold
//   covered_anew, pages_anew       int64, by clusters made of this day's pages;
//                     null where it was not clustered anew
//   coverage, drop, coverage_anew  double, the shares of these; null as they
//   are clusters          int64, those in use clusters_broken   int64, of them
//   urls_compared, urls_lost       int64, over the broken clusters
//
// cluster_days/, one row per cluster in use and day:
//   site, day, clustered_on, cluster_id, pages, by_sketch
//   urls_compared, urls_lost, broken
//   signature_urls_compared, signature_urls_lost, signature_broken: the same
//                     where pages placed by sketch do not count
//
// examples/, up to three pages that left a cluster, per set of clusters and day
// with a change or a broken cluster:
//   site, day, clustered_on, number
//   url_before, signature_before, cluster_id_before
//   url_after, signature_after, cluster_id_after
//   new_cluster_id    in the clusters of the day, where it was clustered anew
//
// sites/, one row per site that has clusters or pages:
//   site, clusters    int64, those given
//   first_day, last_day   string, with pages; null where there is none
//   days, pages       int64

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/coverage/site_coverage.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::coverage_job {

inline constexpr char kCoverageTable[] = "coverage";
inline constexpr char kClusterDaysTable[] = "cluster_days";
inline constexpr char kExamplesTable[] = "examples";
inline constexpr char kCoveredSitesTable[] = "sites";

// In the order of CoverageOutputs().
enum class CoverageOutput : size_t {
  kCoverage,
  kClusterDays,
  kExamples,
  kSites,
};
std::vector<mr::OutputTable> CoverageOutputs();

absl::Status WriteTimelines(std::string_view site, const coverage::SiteDay& day,
                            io::RowWriter* table);
absl::Status WriteClusterDays(std::string_view site,
                              const coverage::SiteDay& day,
                              io::RowWriter* table);
absl::Status WriteExamples(std::string_view site, const coverage::SiteDay& day,
                           io::RowWriter* table);

struct CoveredSite {
  std::string site;
  int64_t clusters = 0;
  std::optional<int64_t> first_day;
  std::optional<int64_t> last_day;
  int64_t days = 0;
  int64_t pages = 0;
};
absl::Status WriteCoveredSite(const CoveredSite& site, io::RowWriter* table);

// A row of coverage/, for those who read it back.
struct CoverageRow {
  std::string site;
  int64_t day = 0;
  coverage::Counting counting = coverage::Counting::kPlaced;
  int threshold = 0;
  std::string clustered_on;  // as in the table; empty for null
  std::optional<int64_t> previous_day;
  coverage::CoverageCounts counts;
  coverage::Share coverage;
  std::optional<coverage::Share> before;
  std::optional<coverage::Share> anew;
  int64_t clusters = 0;
  int64_t clusters_broken = 0;
  coverage::UrlLoss urls;

  // As the table says it.
  bool IsChange() const {
    return before.has_value() &&
           coverage::DropExceeds(*before, coverage, threshold);
  }
  double Drop() const {
    return before.has_value() ? before->value() - coverage.value() : 0;
  }
};
const std::vector<io::ColumnRequest>& CoverageColumns();
absl::StatusOr<CoverageRow> ReadCoverageRow(const io::Row& row);

// A row of examples/.
struct ExampleRow {
  std::string site;
  int64_t day = 0;
  std::string clustered_on;
  // Text, empty for null.
  std::string url_before, signature_before, cluster_id_before;
  std::string url_after, signature_after, cluster_id_after, new_cluster_id;
};
const std::vector<io::ColumnRequest>& ExampleColumns();
absl::StatusOr<ExampleRow> ReadExampleRow(const io::Row& row);

const std::vector<io::ColumnRequest>& CoveredSiteColumns();
absl::StatusOr<CoveredSite> ReadCoveredSite(const io::Row& row);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_COVERAGE_TABLES_H_
