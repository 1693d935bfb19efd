#ifndef TROMMEL_JOBS_RULES_ACTIONS_H_
#define TROMMEL_JOBS_RULES_ACTIONS_H_

// What `trommel rules` can do to a store.

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/cli/verb.h"
#include "jobs/rule_store/rule_store.h"

namespace trommel::jobs::rules {

absl::StatusOr<cli::Report> ListVersions(const rule_store::RuleStore& store);
absl::StatusOr<cli::Report> DiffVersions(const rule_store::RuleStore& store,
                                         const std::string& before,
                                         const std::string& after);

// Takes the rules back to those of version `to`; empty: of the last that was in
// service before and differs. With `rule` (a rule_id or cluster_id) that
// cluster's alone; one that is no longer in service comes back from `to`.
absl::StatusOr<cli::Report> RollBack(rule_store::RuleStore* store,
                                     const std::string& to,
                                     const std::string& rule);

// Pins a rule that serves or is on probation (a rule_id or cluster_id): it
// stays in service whatever tests say. Or takes the pin out again.
absl::StatusOr<cli::Report> PinRule(rule_store::RuleStore* store,
                                    const std::string& rule, bool is_pinned);

struct PublishFlags {
  std::string date;                 // of the night; empty: a person publishes
  std::vector<std::string> learnt;  // NAME=FOLDER, output of learn
  std::string reused;               // output of reuse
  std::string reused_sites;         // file with the sites that it was for
  std::string monitored;            // output of monitor for the current rules
  std::string tried;                // for those on probation
  std::string checked;              // and for those that were learnt
  std::string blocked_sites;  // file with the sites whose crawl is no good
};
// Makes a version of what was found and puts it in service, if it differs.
absl::StatusOr<cli::Report> PublishNight(rule_store::RuleStore* store,
                                         const PublishFlags& flags);

}  // namespace trommel::jobs::rules

#endif  // TROMMEL_JOBS_RULES_ACTIONS_H_
