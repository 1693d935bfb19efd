#ifndef TROMMEL_JOBS_SUMMARIES_LEARN_H_
#define TROMMEL_JOBS_SUMMARIES_LEARN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "jobs/tables/rules_folder.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel learn --json` prints. `done` to `ignored` count clusters by
// status.
struct Learn {
  static constexpr char kVerb[] = "learn";

  std::string out;
  int64_t sites = 0;
  int64_t clusters = 0;
  int64_t done = 0;
  int64_t needs_annotation = 0;
  int64_t failed = 0;
  int64_t ignored = 0;
  int64_t rules = 0;
  int64_t annotated_pages = 0;
  int64_t warnings = 0;
  mr::Counters counters;
  std::vector<tables::ClusterStatus> status;  // the first clusters
  std::vector<std::string> next;              // pages to annotate, the first

  TROMMEL_JSON_FIELDS(out, sites, clusters, done, needs_annotation, failed,
                      ignored, rules, annotated_pages, warnings, counters,
                      status, next);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_LEARN_H_
