#ifndef TROMMEL_JOBS_RULE_STORE_NEXT_RULES_H_
#define TROMMEL_JOBS_RULE_STORE_NEXT_RULES_H_

// What the rules become after a night.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "jobs/rule_store/rule_store.h"
#include "jobs/tables/monitor_tables.h"
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
  // The rules by reuse for the changed sites, in place of those that these
  // have.
  std::optional<FoundRules> reused;
  std::set<std::string> changed_sites;
  // What became of the rules that were tried on tonight's crawl, whatever their
  // state, by rule_id. Nothing is there of sites whose crawl says nothing.
  std::map<std::string, tables::RuleVerdictRow> trials;
  // Rules in service that are watched by newer pages from now on.
  proto::RuleSet renewed;
};

// A rule that does not come into service, goes out of it, or comes back.
struct RuleMove {
  std::string site;
  std::string rule_id;
  std::string reason;
};

// An attribute of a rule in service that is switched off or on.
struct AttributeMove {
  std::string site;
  std::string rule_id;
  std::string attribute;
  bool is_off = false;
  std::string reason;
};

struct NextRules {
  StoredRules content;
  LearntRules learnt;
  ClusterDates cluster_dates;
  LossDates losses;
  int64_t num_learnt = 0;           // came into service by learning
  int64_t num_reused = 0;           // by reuse
  int64_t num_renewed = 0;          // have newer bellwethers
  std::vector<RuleMove> withheld;   // never were in service
  std::vector<RuleMove> withdrawn;  // were
  std::vector<RuleMove> restored;   // were on probation
  std::vector<AttributeMove> attributes;
};

// What serves when the night begins.
struct RulesBefore {
  StoredRules content;
  LearntRules learnt;
  ClusterDates cluster_dates;
  LossDates losses;
};

// Returns the rules of before, changed by what was found. next_rules.cc says by
// which rules.
NextRules MakeNextRules(const RulesBefore& before,
                        const NightFindings& findings);

}  // namespace trommel::jobs::rule_store

#endif  // TROMMEL_JOBS_RULE_STORE_NEXT_RULES_H_
