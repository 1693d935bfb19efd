#ifndef TROMMEL_JOBS_RULE_STORE_NEXT_RULES_H_
#define TROMMEL_JOBS_RULE_STORE_NEXT_RULES_H_

// What the rules become after a night.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jobs/rule_store/rule_store.h"
#include "jobs/tables/rules_folder.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::rule_store {

// Rules with what is known of each cluster.
struct FoundRules {
  proto::RuleSet rules;
  std::vector<tables::ClusterStatus> statuses;
};

// What a night has found out.
struct NightFindings {
  std::string date;
  // The rules by learning, for each sample that was learnt from, by name:
  // "movie/DATE".
  std::map<std::string, FoundRules> learnt;
  // The rules by reuse for the changed sites, in place of all that these have.
  std::optional<FoundRules> reused;
  std::set<std::string> changed_sites;
  // Rules that failed their field test, in service or learnt, by rule_id.
  std::set<std::string> broken;
};

// A rule that does not come into service, or goes out of it.
struct RuleOutOfService {
  std::string site;
  std::string rule_id;
  std::string reason;
};

struct NextRules {
  proto::RuleSet rules;
  // A line for each rule, and for each cluster that editors do not want.
  std::vector<tables::ClusterStatus> statuses;
  LearntRules learnt;
  ClusterDates cluster_dates;
  LossDates losses;
  int64_t num_learnt = 0;                   // came into service by learning
  int64_t num_reused = 0;                   // by reuse
  std::vector<RuleOutOfService> withheld;   // never were in service
  std::vector<RuleOutOfService> withdrawn;  // were
};

// What serves when the night begins.
struct RulesBefore {
  FoundRules found;
  LearntRules learnt;
  ClusterDates cluster_dates;
  LossDates losses;
};

// Returns the rules of before, changed by what was found. In turn:
//
// 1. A changed site's rules give way to those that reuse has for it. Without a
//    result of reuse, its broken rules alone are withdrawn.
// 2. Broken rules of other sites are withdrawn.
// 3. What learning says now and did not say before comes in, and
//    what it said then and no longer says goes out: a merge of three, so that
//    what reuse or a person did to other rules meanwhile stays. Samples that
//    nothing is said of keep what they gave. Of several new rules for a
//    cluster, that of the last sample of the first vertical is meant.
//
// Rules that did not pass their validity test are withheld in 1 and 3, and
// those that fail their field test in 3; reuse has tested its own. What was
// learnt for the same cluster before a rule that is withheld goes on serving. A
// cluster has rules of one schema: those of another are withheld.
//
// A site has lost a rule, and is to be sampled again, when one is withdrawn
// without reuse, or when it has none and what is learnt for it fails the field
// test: it has changed since it was sampled.
NextRules MakeNextRules(const RulesBefore& before,
                        const NightFindings& findings);

}  // namespace trommel::jobs::rule_store

#endif  // TROMMEL_JOBS_RULE_STORE_NEXT_RULES_H_
