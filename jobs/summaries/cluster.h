#ifndef TROMMEL_JOBS_SUMMARIES_CLUSTER_H_
#define TROMMEL_JOBS_SUMMARIES_CLUSTER_H_

#include <cstdint>
#include <string>

#include "core/base/json_fields.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel cluster --json` prints. Shares are from 0 to 1.
struct Cluster {
  static constexpr char kVerb[] = "cluster";

  // What the three passes alone come to.
  struct ThreePasses {
    int64_t clusters = 0;
    double coverage_of_sample = 0;

    TROMMEL_JSON_FIELDS(clusters, coverage_of_sample);
  };

  std::string out;
  int64_t pages = 0;
  int64_t sites = 0;
  int64_t clusters = 0;
  int64_t sampled = 0;       // pages
  int64_t by_signature = 0;  // pages placed
  int64_t by_sketch = 0;     // pages placed
  int64_t uncovered = 0;     // pages in no cluster
  int64_t too_short = 0;     // of them, for a signature
  int64_t alike = 0;         // pages that say nothing of their own
  int64_t alike_sites = 0;   // sites with such pages
  int64_t rejected = 0;      // pages, not among `pages`
  double coverage = 0;
  double coverage_by_signature = 0;
  mr::Counters counters;
  ThreePasses three_passes;

  TROMMEL_JSON_FIELDS(out, pages, sites, clusters, sampled, by_signature,
                      by_sketch, uncovered, too_short, alike, alike_sites,
                      rejected, coverage, coverage_by_signature, counters,
                      three_passes);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_CLUSTER_H_
