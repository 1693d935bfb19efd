#ifndef TROMMEL_JOBS_RULE_STORE_RULE_STATE_H_
#define TROMMEL_JOBS_RULE_STORE_RULE_STATE_H_

// What a rule store knows of a rule besides the rule: whether it serves, since
// when, why, and what would change that.

#include <string>
#include <vector>

#include "core/base/json_fields.h"

namespace trommel::jobs::rule_store {

// An attribute that a rule in service does not give at present.
struct SwitchedOff {
  std::string attribute;
  std::string since;  // date
  std::string why;

  TROMMEL_JSON_FIELDS(attribute, since, why);

  friend bool operator==(const SwitchedOff&, const SwitchedOff&) = default;
};

// A rule is in service, or on probation: it is out of service, and tried every
// night. What is in neither state has been withdrawn, and only earlier versions
// have it.
struct RuleState {
  static constexpr char kInService[] = "in_service";
  static constexpr char kOnProbation[] = "probation";

  std::string rule_id;  // rule::WholeRuleId()
  std::string site;
  std::string cluster_id;
  std::string state;
  bool is_pinned = false;  // stays in service, whatever tests say
  std::string since;       // date; empty where nobody wrote it down
  std::string why;
  std::string back_when;  // what would bring it, or what is off, back
  // On probation, and nothing took its place.
  bool is_missed = false;
  // The date whose clusters it is for; empty where nobody wrote it down.
  std::string cluster_date;
  std::vector<SwitchedOff> switched_off;

  bool is_in_service() const { return state == kInService; }

  void VisitFields(JsonFields* fields) {
    fields->Visit("rule_id", &rule_id);
    fields->Visit("site", &site);
    fields->Visit("cluster_id", &cluster_id);
    fields->Visit("state", &state);
    fields->Visit("pinned", &is_pinned);
    fields->Visit("since", &since);
    fields->Visit("why", &why);
    fields->Visit("back_when", &back_when);
    fields->Visit("missed", &is_missed);
    fields->Visit("cluster_date", &cluster_date);
    fields->Visit("switched_off", &switched_off);
  }

  friend bool operator==(const RuleState&, const RuleState&) = default;
};

}  // namespace trommel::jobs::rule_store

#endif  // TROMMEL_JOBS_RULE_STORE_RULE_STATE_H_
