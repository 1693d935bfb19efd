#ifndef TROMMEL_JOBS_SUMMARIES_SAMPLE_H_
#define TROMMEL_JOBS_SUMMARIES_SAMPLE_H_

#include <cstdint>
#include <string>

#include "core/base/json_fields.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel sample --json` prints.
struct Sample {
  static constexpr char kVerb[] = "sample";

  std::string out;
  int64_t sites = 0;
  int64_t clusters = 0;
  int64_t clusters_sampled = 0;  // those with a page in the crawl
  int64_t clusters_alike = 0;    // left out: their pages all say the same
  int64_t pages = 0;             // chosen
  mr::Counters counters;

  TROMMEL_JSON_FIELDS(out, sites, clusters, clusters_sampled, clusters_alike,
                      pages, counters);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_SAMPLE_H_
