#ifndef TROMMEL_JOBS_SUMMARIES_MONITOR_H_
#define TROMMEL_JOBS_SUMMARIES_MONITOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_fields.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::summaries {

// What `trommel monitor --json` prints.
struct Monitor {
  static constexpr char kVerb[] = "monitor";

  // Sites by verdict.
  struct Sites {
    int64_t fine = 0;
    int64_t broken = 0;
    int64_t changed = 0;
    int64_t unknown = 0;

    TROMMEL_JSON_FIELDS(fine, broken, changed, unknown);
  };
  // Rules by verdict.
  struct Rules {
    int64_t fine = 0;
    int64_t broken = 0;
    int64_t unknown = 0;

    TROMMEL_JSON_FIELDS(fine, broken, unknown);
  };
  struct Bellwethers {
    int64_t all = 0;
    int64_t present = 0;
    int64_t absent = 0;
    int64_t placed_by_signature = 0;
    int64_t placed_by_sketch = 0;
    int64_t signature_changed = 0;
    int64_t null_extraction = 0;
    int64_t wrong_extraction = 0;
    int64_t failed = 0;
    int64_t saved_by_fields = 0;

    TROMMEL_JSON_FIELDS(all, present, absent, placed_by_signature,
                        placed_by_sketch, signature_changed, null_extraction,
                        wrong_extraction, failed, saved_by_fields);
  };
  // A site with a broken rule.
  struct FlaggedSite {
    std::string site;
    std::string verdict;  // SiteStateName()
    int64_t rules = 0;
    int64_t broken = 0;  // rules
    double share_of_rules = 0;
    double share_of_urls = 0;
    std::vector<std::string> reasons;

    TROMMEL_JSON_FIELDS(site, verdict, rules, broken, share_of_rules,
                        share_of_urls, reasons);
  };
  struct BrokenRule {
    std::string site;
    std::string cluster_id;
    std::string rule_id;
    std::string verdict;  // VerdictName()
    int64_t bellwethers = 0;
    int64_t present = 0;
    int64_t signature_changed = 0;
    int64_t null_extraction = 0;
    int64_t wrong_extraction = 0;
    int64_t failed = 0;
    std::vector<std::string> reasons;

    TROMMEL_JSON_FIELDS(site, cluster_id, rule_id, verdict, bellwethers,
                        present, signature_changed, null_extraction,
                        wrong_extraction, failed, reasons);
  };
  // Attributes of records by verdict.
  struct Attributes {
    int64_t fine = 0;
    int64_t drifted = 0;
    int64_t unknown = 0;

    TROMMEL_JSON_FIELDS(fine, drifted, unknown);
  };
  // An attribute whose values have drifted.
  struct Drift {
    std::string site;
    std::string schema;
    std::string attribute;
    std::string state;  // DriftStateName()
    std::vector<std::string> reasons;

    TROMMEL_JSON_FIELDS(site, schema, attribute, state, reasons);
  };

  std::string out;
  Sites sites;
  Rules rules;
  Bellwethers bellwethers;
  std::vector<FlaggedSite> flagged_sites;   // not all if there are many
  std::vector<BrokenRule> broken_rules;     // not all if there are many
  std::optional<Attributes> attributes;     // if records were compared
  std::optional<std::vector<Drift>> drift;  // if records were compared
  std::vector<std::string> notes;
  std::vector<std::string> next;  // commands
  mr::Counters counters;

  TROMMEL_JSON_FIELDS(out, sites, rules, bellwethers, flagged_sites,
                      broken_rules, attributes, drift, notes, next, counters);
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_MONITOR_H_
