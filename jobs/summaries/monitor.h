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

    void VisitFields(JsonFields* fields) {
      fields->Visit("fine", &fine);
      fields->Visit("broken", &broken);
      fields->Visit("changed", &changed);
      fields->Visit("unknown", &unknown);
    }
  };
  // Rules by verdict.
  struct Rules {
    int64_t fine = 0;
    int64_t broken = 0;
    int64_t unknown = 0;

    void VisitFields(JsonFields* fields) {
      fields->Visit("fine", &fine);
      fields->Visit("broken", &broken);
      fields->Visit("unknown", &unknown);
    }
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

    void VisitFields(JsonFields* fields) {
      fields->Visit("all", &all);
      fields->Visit("present", &present);
      fields->Visit("absent", &absent);
      fields->Visit("placed_by_signature", &placed_by_signature);
      fields->Visit("placed_by_sketch", &placed_by_sketch);
      fields->Visit("signature_changed", &signature_changed);
      fields->Visit("null_extraction", &null_extraction);
      fields->Visit("wrong_extraction", &wrong_extraction);
      fields->Visit("failed", &failed);
      fields->Visit("saved_by_fields", &saved_by_fields);
    }
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

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("verdict", &verdict);
      fields->Visit("rules", &rules);
      fields->Visit("broken", &broken);
      fields->Visit("share_of_rules", &share_of_rules);
      fields->Visit("share_of_urls", &share_of_urls);
      fields->Visit("reasons", &reasons);
    }
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

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("cluster_id", &cluster_id);
      fields->Visit("rule_id", &rule_id);
      fields->Visit("verdict", &verdict);
      fields->Visit("bellwethers", &bellwethers);
      fields->Visit("present", &present);
      fields->Visit("signature_changed", &signature_changed);
      fields->Visit("null_extraction", &null_extraction);
      fields->Visit("wrong_extraction", &wrong_extraction);
      fields->Visit("failed", &failed);
      fields->Visit("reasons", &reasons);
    }
  };
  // Attributes of records by verdict.
  struct Attributes {
    int64_t fine = 0;
    int64_t drifted = 0;
    int64_t unknown = 0;

    void VisitFields(JsonFields* fields) {
      fields->Visit("fine", &fine);
      fields->Visit("drifted", &drifted);
      fields->Visit("unknown", &unknown);
    }
  };
  // An attribute whose values have drifted.
  struct Drift {
    std::string site;
    std::string schema;
    std::string attribute;
    std::string state;  // DriftStateName()
    std::vector<std::string> reasons;

    void VisitFields(JsonFields* fields) {
      fields->Visit("site", &site);
      fields->Visit("schema", &schema);
      fields->Visit("attribute", &attribute);
      fields->Visit("state", &state);
      fields->Visit("reasons", &reasons);
    }
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

  void VisitFields(JsonFields* fields) {
    fields->Visit("out", &out);
    fields->Visit("sites", &sites);
    fields->Visit("rules", &rules);
    fields->Visit("bellwethers", &bellwethers);
    fields->Visit("flagged_sites", &flagged_sites);
    fields->Visit("broken_rules", &broken_rules);
    fields->Visit("attributes", &attributes);
    fields->Visit("drift", &drift);
    fields->Visit("notes", &notes);
    fields->Visit("next", &next);
    fields->Visit("counters", &counters);
  }
};

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_MONITOR_H_
