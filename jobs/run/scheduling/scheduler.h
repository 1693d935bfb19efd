#ifndef TROMMEL_JOBS_RUN_SCHEDULING_SCHEDULER_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_SCHEDULER_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "jobs/run/alerts/alert.h"
#include "jobs/run/scheduling/stage_graph.h"
#include "jobs/summaries/any_summary.h"

namespace trommel::jobs::run::scheduling {

enum class StageStatus {
  kPending,
  kRunning,
  kDone,       // ran tonight
  kUnchanged,  // ran earlier, and nothing has changed since
  kPresent,
  kNotNeeded,
  kNotAsked,  // --only names another
  kWouldRun,  // --dry-run
  kFailed,
  kBlocked,  // something it needs failed
};
// Returns "done", "unchanged", "there", "not needed" and such.
std::string_view StageStatusName(StageStatus status);

struct StageOutcome {
  StageStatus status = StageStatus::kPending;
  // Why it ran or did not; of one that failed, the error.
  std::string reason;
  int attempts = 0;
  double seconds = 0;                 // when it last ran
  std::string finished;               // when it last did, UTC
  std::string log;                    // of a stage that ran
  summaries::AnySummary summary;      // when it last ran
  std::vector<alerts::Alert> alerts;  // also of earlier times, if unchanged
};

struct SchedulerOptions {
  int parallel_stages = 2;
  int attempts = 3;
  double backoff_s = 5;
  double max_backoff_s = 300;
  bool dry_run = false;
  bool resume = true;   // false: everything is run again
  std::string only;     // kind of stage; empty: all
  std::string version;  // ProgramVersion()
  std::string program;  // that has the verbs: "/proc/self/exe"
  // The folder for the logs of a stage.
  std::function<std::string(const Stage&)> log_folder;
  // Told of every line for people.
  std::function<void(std::string_view)> log;
};

// Runs the stages, each when what it waits for has ended, several at a time,
// earlier ones first. A stage is a process of its own. One that fails is tried
// again after a while; when that does not help, those that need it are blocked,
// and the others go on. The outcomes are in the order of the graph's stages.
std::vector<StageOutcome> RunStages(const StageGraph& graph,
                                    const SchedulerOptions& options);

}  // namespace trommel::jobs::run::scheduling

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_SCHEDULER_H_
