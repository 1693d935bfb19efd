#ifndef TROMMEL_JOBS_RUN_STAGES_CHANGED_SITES_H_
#define TROMMEL_JOBS_RUN_STAGES_CHANGED_SITES_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/stages/stages.h"

namespace trommel::jobs::run::stages {

// The sites of which the monitor found a rule broken, and what can be done for
// them. Reuse needs the pages and clusters that the rules were made for, which
// may be long deleted.
struct ChangedSites {
  // The sites that reuse can deal with, by the date whose clusters their rules
  // are for.
  std::map<std::string, std::set<std::string>> by_date;
  // The other sites, each with the reason.
  std::map<std::string, std::string> beyond_reuse;
};

// Finds the changed sites of a night that has been monitored; `rules` is the
// version that was. Sites whose rules are for a later date are in neither:
// their change is no news. Nor are those that are back at a design that rules
// on probation are for, and those that answered with pages that are no pages.
absl::StatusOr<ChangedSites> FindChangedSites(
    const Night& night, const rule_store::VersionInfo& rules,
    const scheduling::Available& available);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_CHANGED_SITES_H_
