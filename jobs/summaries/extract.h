#ifndef TROMMEL_JOBS_SUMMARIES_EXTRACT_H_
#define TROMMEL_JOBS_SUMMARIES_EXTRACT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel extract --json` prints.
struct Extract {
  static constexpr char kVerb[] = "extract";

  // What one rule came to on a site.
  struct Rule {
    std::string rule_id;
    std::map<std::string, int64_t> events;     // pages by event
    std::map<std::string, double> fill_rates;  // by attribute

    void VisitFields(JsonFields* fields) {
      fields->Visit("rule_id", &rule_id);
      fields->VisitCounts(&events);
      fields->Visit("fill_rates", &fill_rates);
    }
  };
  struct Site {
    std::string site;
    int64_t pages = 0;
    int64_t records = 0;
    int64_t skipped = 0;
    double coverage = 0;
    std::map<std::string, int64_t> rejects;    // pages by reason
    std::map<std::string, double> fill_rates;  // by attribute
    std::vector<Rule> rules;

    TROMMEL_JSON_FIELDS(site, pages, records, skipped, coverage, rejects,
                        fill_rates, rules);
  };

  std::string out;
  int64_t pages = 0;
  int64_t records = 0;
  int64_t skipped = 0;   // pages that have not changed
  int64_t rejected = 0;  // pages
  mr::Counters rejects;  // pages by reason
  int64_t bytes_read = 0;
  double coverage = 0;  // share of pages with a record
  int64_t num_sites = 0;
  std::vector<Site> sites;  // most pages first; not all if there are many
  mr::Counters counters;

  TROMMEL_JSON_FIELDS(out, pages, records, skipped, rejected, rejects,
                      bytes_read, coverage, num_sites, sites, counters);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_EXTRACT_H_
