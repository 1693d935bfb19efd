#ifndef TROMMEL_JOBS_SUMMARIES_REUSE_H_
#define TROMMEL_JOBS_SUMMARIES_REUSE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "jobs/tables/to_annotate.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel reuse --json` prints. `reused` to `ignored` count new clusters.
struct Reuse {
  static constexpr char kVerb[] = "reuse";

  // The new clusters that an old rule was reused for, by how it was found
  // (HowMatchedName()).
  struct ReusedBy {
    int64_t cluster_match = 0;
    int64_t page_match = 0;
    int64_t page_match_by_sketch = 0;
    int64_t field_test = 0;

    TROMMEL_JSON_FIELDS(cluster_match, page_match, page_match_by_sketch,
                        field_test);
  };
  // A site's clusters and pages, and shares of the pages.
  struct Site {
    std::string site;
    int64_t clusters = 0;
    int64_t pages = 0;
    double coverage_drop = 0;
    double reused = 0;
    double drop_plus_reused = 0;
    double repaired = 0;
    double to_annotate = 0;

    TROMMEL_JSON_FIELDS(site, clusters, pages, coverage_drop, reused,
                        drop_plus_reused, repaired, to_annotate);
  };

  std::string out;
  int64_t clusters = 0;  // new ones
  int64_t reused = 0;
  int64_t repaired = 0;
  int64_t annotate = 0;
  int64_t ignored = 0;
  ReusedBy reused_by;
  int64_t reused_without_shared_urls = 0;
  int64_t rules = 0;
  int64_t rules_before = 0;
  int64_t rules_reused_by_cluster_match = 0;
  int64_t rules_retired = 0;  // without a new cluster
  int64_t rules_of_other_sites = 0;
  int64_t rules_of_absent_sites = 0;
  int64_t absent_sites = 0;
  std::vector<tables::ToAnnotate> to_annotate;  // the first
  int64_t num_sites = 0;
  std::vector<Site> sites;  // not all if there are many
  mr::Counters counters;

  TROMMEL_JSON_FIELDS(out, clusters, reused, repaired, annotate, ignored,
                      reused_by, reused_without_shared_urls, rules,
                      rules_before, rules_reused_by_cluster_match,
                      rules_retired, rules_of_other_sites,
                      rules_of_absent_sites, absent_sites, to_annotate,
                      num_sites, sites, counters);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_REUSE_H_
