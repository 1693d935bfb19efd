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

  void VisitFields(JsonFields* fields) {
    fields->Visit("out", &out);
    fields->Visit("sites", &sites);
    fields->Visit("clusters", &clusters);
    fields->Visit("done", &done);
    fields->Visit("needs_annotation", &needs_annotation);
    fields->Visit("failed", &failed);
    fields->Visit("ignored", &ignored);
    fields->Visit("rules", &rules);
    fields->Visit("annotated_pages", &annotated_pages);
    fields->Visit("warnings", &warnings);
    fields->Visit("counters", &counters);
    fields->Visit("status", &status);
    fields->Visit("next", &next);
  }
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_LEARN_H_
