#ifndef TROMMEL_JOBS_REUSE_OUTCOME_H_
#define TROMMEL_JOBS_REUSE_OUTCOME_H_

// What `trommel reuse` came to: from the tables of its steps to rules,
// statuses, decisions and figures.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/reuse/decision.h"
#include "jobs/reuse/fields_table.h"
#include "jobs/reuse/plan.h"
#include "jobs/reuse/repairs_table.h"
#include "jobs/tables/decisions_table.h"
#include "jobs/tables/rules_folder.h"
#include "jobs/tables/to_annotate.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::reuse_job {

// Figure 5 of the Vertex paper, of a site: of the pages in new clusters that
// the editor did not skip, how many no old cluster takes, and how many have a
// rule again.
struct SiteFigures {
  int64_t clusters = 0;
  int64_t pages = 0;
  int64_t nowhere = 0;
  int64_t reused = 0;
  int64_t repaired = 0;
  int64_t to_annotate = 0;

  double CoverageDrop() const;
  double ReusedShare() const;
};

struct ReuseOutcome {
  proto::RuleSet rules;
  std::vector<tables::ClusterStatus> statuses;
  std::vector<tables::DecisionRow> decisions;   // by site and cluster
  std::vector<tables::ToAnnotate> to_annotate;  // the most pages first
  std::map<std::string, SiteFigures> sites;
  // New clusters.
  int64_t clusters = 0;
  std::map<std::string, int64_t> by_kind;  // and those reused
  std::map<std::string, int64_t> by_how;
  int64_t reused_untested = 0;  // without a URL that was crawled before
  // Old rules.
  int64_t rules_before = 0;  // of the sites that were looked at
  int64_t rules_by_cluster_match = 0;
  int64_t rules_retired = 0;
  int64_t rules_of_other_sites = 0;   // not in --sites
  int64_t rules_of_absent_sites = 0;  // no page in the new crawl
  int64_t absent_sites = 0;
};

// What is known when the steps are done.
struct ReuseFindings {
  const ReusePlan* plan = nullptr;
  proto::RuleSet rules;                         // old ones, whole, of all sites
  std::vector<tables::ClusterStatus> statuses;  // old ones
  FieldTests tests;
  bool repair = true;  // whether repairs were tried
  std::map<std::string, Repair> repairs;
  FieldTests repaired_tests;
};

ReuseOutcome MakeOutcome(const ReuseFindings& findings);

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_OUTCOME_H_
