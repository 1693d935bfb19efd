#ifndef TROMMEL_JOBS_MONITOR_FINDINGS_H_
#define TROMMEL_JOBS_MONITOR_FINDINGS_H_

// What a run of `trommel monitor` found, as its reports tell it.

#include <cstdint>
#include <string>
#include <vector>

#include "jobs/cli/verb.h"
#include "jobs/monitor/drift_table.h"
#include "jobs/monitor/watch.h"
#include "jobs/tables/monitor_tables.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::monitor_job {

inline constexpr char kReportFile[] = "report.html";

struct Totals {
  // Sites by state.
  int64_t fine_sites = 0, broken_sites = 0, changed_sites = 0,
          unknown_sites = 0;
  // Rules by verdict.
  int64_t fine_rules = 0, broken_rules = 0, unknown_rules = 0;
  // Bellwethers.
  int64_t bellwethers = 0, present = 0, by_signature = 0, by_sketch = 0,
          signature_changed = 0, null_extraction = 0, wrong_extraction = 0,
          failed = 0, saved_by_fields = 0;
  // Attributes of records.
  int64_t fine_attributes = 0, drifted_attributes = 0, unknown_attributes = 0;
};

struct Findings {
  std::string out;
  std::vector<std::string> crawls;
  std::vector<std::string> rule_sets;
  std::string cluster_flag;                   // SiteRule::ClusterFlag()
  std::string records_before, records_after;  // both or neither
  monitor::VerdictThresholds thresholds;
  WatchResult watch;
  // Those that drifted, then those of which nothing is known; not all if there
  // are very many.
  std::vector<DriftRow> drift;
  // What the reader should know of the input: schemas without rules, and such.
  std::vector<std::string> notes;
  mr::Counters counters;
  Totals totals;

  bool has_records() const { return !records_before.empty(); }
};

// Counts what `watch` has.
void CountWatch(const WatchResult& watch, Totals* totals);

// The sites with a broken rule, one a line, as `trommel reuse --sites` takes
// them.
std::string FlaggedSites(const WatchResult& watch);

// The commands to run next; empty if no rule is broken.
std::vector<std::string> NextCommands(const Findings& findings);

// For the terminal, and as JSON.
cli::Report MakeMonitorReport(const Findings& findings);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_FINDINGS_H_
