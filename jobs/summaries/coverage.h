#ifndef TROMMEL_JOBS_SUMMARIES_COVERAGE_H_
#define TROMMEL_JOBS_SUMMARIES_COVERAGE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/json_fields.h"

namespace trommel::jobs::summaries {

// What `trommel coverage --json` prints.
struct Coverage {
  static constexpr char kVerb[] = "coverage";

  // How often sites changed, by one threshold.
  struct Timeline {
    std::string counting;                   // which pages count as covered
    int64_t threshold = 0;                  // percent
    std::vector<int64_t> sites_by_changes;  // [i]: sites that changed i times
    int64_t total = 0;

    TROMMEL_JSON_FIELDS(counting, threshold, sites_by_changes, total);
  };
  // A day on which a site changed or a cluster of it broke.
  struct Drop {
    std::string site;
    std::string day;
    int64_t clusters = 0;
    int64_t clusters_broken = 0;
    int64_t urls_compared = 0;
    int64_t urls_lost = 0;
    double coverage = 0;
    double drop = 0;
    bool is_change = false;  // beyond the lowest threshold

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("day", &day);
      fields->Visit("clusters", &clusters);
      fields->Visit("clusters_broken", &clusters_broken);
      fields->Visit("urls_compared", &urls_compared);
      fields->Visit("urls_lost", &urls_lost);
      fields->Visit("coverage", &coverage);
      fields->Visit("drop", &drop);
      fields->Visit("change", &is_change);
    }
  };

  std::string out;
  int64_t pages = 0;
  int64_t sites = 0;
  std::map<std::string, int64_t> days;  // pages by day
  int64_t sites_compared = 0;
  int64_t sites_new = 0;
  int64_t sites_vanished = 0;
  int64_t sites_never_crawled = 0;
  int64_t rejected = 0;  // pages
  std::vector<Timeline> changes;
  int64_t num_broken = 0;
  std::vector<Drop>
      broken;  // the largest drop first; not all if there are many

  TROMMEL_JSON_FIELDS(out, pages, sites, days, sites_compared, sites_new,
                      sites_vanished, sites_never_crawled, rejected, changes,
                      num_broken, broken);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_COVERAGE_H_
