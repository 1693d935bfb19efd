#ifndef TROMMEL_JOBS_SUMMARIES_COMPARE_H_
#define TROMMEL_JOBS_SUMMARIES_COMPARE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel compare --json` prints.
struct Compare {
  static constexpr char kVerb[] = "compare";

  // Sites by the state of their day.
  struct Sites {
    int64_t good = 0;
    int64_t blocked = 0;
    int64_t missing = 0;

    TROMMEL_JSON_FIELDS(good, blocked, missing);
  };
  // What is different from the days before.
  struct Finding {
    std::string kind;      // monitor::DeliveryFindingName()
    std::string severity;  // "critical" or "warning"
    std::string site;
    std::string schema;     // may be empty, as may the next two
    std::string rule_id;    // where it is found of this rule only
    std::string attribute;  // where it is about one
    double before = 0;      // monitor::DeliveryFinding says of what
    double after = 0;
    int64_t affected = 0;  // pages, records or values
    std::string message;   // with the site
    std::vector<std::string> example_urls;

    TROMMEL_JSON_FIELDS(kind, severity, site, schema, rule_id, attribute,
                        before, after, affected, message, example_urls);
  };

  std::string out;
  std::string date;
  int64_t records = 0;
  int64_t usual_records = 0;   // the sum of the medians of the sites
  int64_t compared_sites = 0;  // those of which a day before is known
  Sites sites;
  int64_t num_findings = 0;
  // The most severe and largest first; not all if there are many.
  std::vector<Finding> findings;
  mr::Counters counters;

  TROMMEL_JSON_FIELDS(out, date, records, usual_records, compared_sites, sites,
                      num_findings, findings, counters);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_COMPARE_H_
