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

    void VisitFields(JsonFields* fields) {
      fields->Visit("cluster_match", &cluster_match);
      fields->Visit("page_match", &page_match);
      fields->Visit("page_match_by_sketch", &page_match_by_sketch);
      fields->Visit("field_test", &field_test);
    }
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

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("clusters", &clusters);
      fields->Visit("pages", &pages);
      fields->Visit("coverage_drop", &coverage_drop);
      fields->Visit("reused", &reused);
      fields->Visit("drop_plus_reused", &drop_plus_reused);
      fields->Visit("repaired", &repaired);
      fields->Visit("to_annotate", &to_annotate);
    }
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

  void VisitFields(JsonFields* fields) {
    fields->Visit("out", &out);
    fields->Visit("clusters", &clusters);
    fields->Visit("reused", &reused);
    fields->Visit("repaired", &repaired);
    fields->Visit("annotate", &annotate);
    fields->Visit("ignored", &ignored);
    fields->Visit("reused_by", &reused_by);
    fields->Visit("reused_without_shared_urls", &reused_without_shared_urls);
    fields->Visit("rules", &rules);
    fields->Visit("rules_before", &rules_before);
    fields->Visit("rules_reused_by_cluster_match",
                  &rules_reused_by_cluster_match);
    fields->Visit("rules_retired", &rules_retired);
    fields->Visit("rules_of_other_sites", &rules_of_other_sites);
    fields->Visit("rules_of_absent_sites", &rules_of_absent_sites);
    fields->Visit("absent_sites", &absent_sites);
    fields->Visit("to_annotate", &to_annotate);
    fields->Visit("num_sites", &num_sites);
    fields->Visit("sites", &sites);
    fields->Visit("counters", &counters);
  }
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_REUSE_H_
