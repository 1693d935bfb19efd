#include "jobs/run/scheduling/scheduler.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status.h"
#include "jobs/run/scheduling/local_pages.h"
#include "jobs/run/scheduling/stage_attempt.h"
#include "jobs/run/scheduling/stage_state.h"

namespace trommel::jobs::run::scheduling {
namespace {

bool HasEnded(StageStatus status) {
  return status != StageStatus::kPending && status != StageStatus::kRunning;
}

// Returns whether what the stage writes can be read.
bool HasOutput(StageStatus status) {
  return status == StageStatus::kDone || status == StageStatus::kUnchanged ||
         status == StageStatus::kPresent;
}

std::string Seconds(double seconds) {
  return absl::StrFormat("%.*f s", seconds < 10 ? 1 : 0, seconds);
}

class Scheduler {
 public:
  Scheduler(const StageGraph& graph, const SchedulerOptions& options)
      : graph_(graph),
        options_(options),
        outcomes_(graph.stages.size()),
        work_(graph.stages.size()) {}

  std::vector<StageOutcome> Run() {
    while (true) {
      Start();
      if (!HasRunning()) break;  // nothing runs and nothing could be started
      Wait();
      Collect();
    }
    return std::move(outcomes_);
  }

 private:
  // What is known of a stage that is running.
  struct Work {
    std::vector<StageCall> calls;
    size_t num_made = 0;                    // of the calls
    StageState state;                       // what it is made of
    std::unique_ptr<StageAttempt> attempt;  // null: waits for the next
    absl::Time began;
    absl::Time next;
  };

  void Log(size_t i, std::string_view text) const {
    options_.log(StrCat(graph_.stages[i].Name(), ": ", text));
  }

  bool HasRunning() const {
    return std::any_of(outcomes_.begin(), outcomes_.end(),
                       [](const StageOutcome& outcome) {
                         return outcome.status == StageStatus::kRunning;
                       });
  }

  bool IsReady(size_t i) const {
    const auto ended = [&](size_t other) {
      return HasEnded(outcomes_[other].status);
    };
    return std::all_of(graph_.needs[i].begin(), graph_.needs[i].end(), ended) &&
           std::all_of(graph_.uses[i].begin(), graph_.uses[i].end(), ended);
  }

  // Decides on every stage that is ready, until all slots are taken. One pass
  // is enough: stages come after those that they wait for.
  void Start() {
    for (size_t i = 0; i < graph_.stages.size(); ++i) {
      StageOutcome& outcome = outcomes_[i];
      if (outcome.status == StageStatus::kRunning && !work_[i].attempt &&
          absl::Now() >= work_[i].next) {
        Launch(i);
      }
      if (outcome.status != StageStatus::kPending || !IsReady(i)) continue;
      const auto running = std::count_if(
          outcomes_.begin(), outcomes_.end(), [](const StageOutcome& other) {
            return other.status == StageStatus::kRunning;
          });
      if (running >= options_.parallel_stages) continue;
      Decide(i);
    }
  }

  void End(size_t i, StageStatus status, std::string reason) {
    outcomes_[i].status = status;
    outcomes_[i].reason = std::move(reason);
  }

  void Decide(size_t i) {
    const Stage& stage = graph_.stages[i];
    for (const size_t other : graph_.needs[i]) {
      const StageStatus status = outcomes_[other].status;
      const std::string name = graph_.stages[other].Name();
      if (status == StageStatus::kFailed || status == StageStatus::kBlocked) {
        End(i, StageStatus::kBlocked,
            StrCat(name,
                   status == StageStatus::kFailed ? " failed" : " is blocked"));
        Log(i, StrCat("blocked: ", outcomes_[i].reason));
        return;
      }
      if (status == StageStatus::kNotNeeded) {
        End(i, StageStatus::kNotNeeded, StrCat("nothing from ", name));
        return;
      }
    }
    if (!options_.only.empty() && stage.kind != options_.only &&
        stage.kind != "crawl") {
      End(i, StageStatus::kNotAsked, StrCat("--only=", options_.only));
      return;
    }
    for (const auto* const waits_for : {&graph_.needs[i], &graph_.uses[i]}) {
      for (const size_t other : *waits_for) {
        if (outcomes_[other].status != StageStatus::kWouldRun) continue;
        End(i, StageStatus::kWouldRun,
            StrCat("if need be, after ", graph_.stages[other].Name()));
        return;
      }
    }
    absl::StatusOr<StagePlan> plan = stage.plan(
        Available([this](const std::string& path) { return IsUsable(path); },
                  [this](const std::string& path) { return HasFailed(path); }));
    if (!plan.ok()) {
      Fail(i, plan.status());
      return;
    }
    if (plan->what != StagePlan::What::kRun) {
      End(i,
          plan->what == StagePlan::What::kPresent ? StageStatus::kPresent
                                                  : StageStatus::kNotNeeded,
          plan->reason);
      Raise(i, std::move(plan->alerts));
      return;
    }
    if (const absl::Status status = Compare(i, std::move(plan->calls));
        !status.ok()) {
      Fail(i, status);
    }
  }

  bool IsUsable(const std::string& path) const {
    for (size_t i = 0; i < graph_.stages.size(); ++i) {
      if (graph_.stages[i].output == path &&
          outcomes_[i].status != StageStatus::kNotAsked) {
        return HasOutput(outcomes_[i].status);
      }
    }
    const absl::StatusOr<std::string> digest = DigestOfOutput(path);
    return digest.ok() && !digest->empty();
  }

  bool HasFailed(const std::string& path) const {
    for (size_t i = 0; i < graph_.stages.size(); ++i) {
      if (graph_.stages[i].output != path) continue;
      return outcomes_[i].status == StageStatus::kFailed ||
             outcomes_[i].status == StageStatus::kBlocked;
    }
    return false;
  }

  // Skips the calls if nothing has changed, else makes them.
  absl::Status Compare(size_t i, std::vector<StageCall> calls) {
    const Stage& stage = graph_.stages[i];
    StageOutcome& outcome = outcomes_[i];
    TROMMEL_ASSIGN_OR_RETURN(StageState now,
                             StateOfCalls(calls, options_.version));
    TROMMEL_ASSIGN_OR_RETURN(const std::string output,
                             DigestOfOutput(stage.output));
    TROMMEL_ASSIGN_OR_RETURN(std::optional<StageState> last_time,
                             ReadStageState(stage.State()));
    std::string stale = WhyStale(now, output, last_time);
    if (stale.empty() && !options_.resume) stale = "--resume=false";
    if (stale.empty()) {
      absl::StatusOr<summaries::AnySummary> summary =
          summaries::ParseSummary(calls.back().VerbName(), last_time->summary);
      if (summary.ok()) {
        outcome.summary = *std::move(summary);
      } else {
        stale = std::string(summary.status().message());
      }
    }
    if (stale.empty()) {
      outcome.seconds = last_time->seconds;
      outcome.finished = last_time->finished;
      outcome.alerts = std::move(last_time->alerts);
      End(i, StageStatus::kUnchanged,
          StrCat("nothing has changed since ", outcome.finished));
      return absl::OkStatus();
    }
    if (options_.dry_run) {
      End(i, StageStatus::kWouldRun, std::move(stale));
      return absl::OkStatus();
    }
    outcome.status = StageStatus::kRunning;
    outcome.reason = std::move(stale);
    work_[i].calls = std::move(calls);
    work_[i].state = std::move(now);
    work_[i].began = absl::Now();
    Log(i, StrCat("runs: ", outcome.reason));
    Launch(i);
    return absl::OkStatus();
  }

  void Launch(size_t i) {
    const Stage& stage = graph_.stages[i];
    if (work_[i].num_made == 0) ++outcomes_[i].attempts;
    absl::StatusOr<std::unique_ptr<StageAttempt>> attempt = StageAttempt::Start(
        options_.program, stage, work_[i].calls[work_[i].num_made],
        options_.log_folder(stage));
    if (!attempt.ok()) {
      RetryOrFail(i, attempt.status());
      return;
    }
    work_[i].attempt = *std::move(attempt);
    outcomes_[i].log = work_[i].attempt->log();
  }

  void Wait() const {
    constexpr absl::Duration kLongest = absl::Seconds(10);
    absl::Duration timeout = kLongest;
    std::vector<const mr::Process*> processes;
    for (size_t i = 0; i < work_.size(); ++i) {
      if (outcomes_[i].status != StageStatus::kRunning) continue;
      if (work_[i].attempt) {
        processes.push_back(work_[i].attempt->process());
      } else {
        timeout = std::min(timeout, work_[i].next - absl::Now());
      }
    }
    mr::Process::WaitForAny(
        processes, absl::ToChronoMilliseconds(timeout + absl::Milliseconds(1)));
  }

  void Collect() {
    for (size_t i = 0; i < work_.size(); ++i) {
      if (outcomes_[i].status != StageStatus::kRunning || !work_[i].attempt ||
          !work_[i].attempt->process()->HasEnded()) {
        continue;
      }
      const std::unique_ptr<StageAttempt> attempt = std::move(work_[i].attempt);
      absl::StatusOr<summaries::AnySummary> summary = attempt->Result();
      absl::Status status = summary.status();
      if (status.ok() && ++work_[i].num_made < work_[i].calls.size()) {
        Launch(i);
        continue;
      }
      if (status.ok()) status = Finish(i, *std::move(summary));
      if (!status.ok()) RetryOrFail(i, status);
    }
  }

  absl::Status Finish(size_t i, summaries::AnySummary summary) {
    const Stage& stage = graph_.stages[i];
    StageOutcome& outcome = outcomes_[i];
    StageState& state = work_[i].state;
    if (stage.deliver) TROMMEL_RETURN_IF_ERROR(stage.deliver(&summary));
    TROMMEL_ASSIGN_OR_RETURN(state.output, DigestOfOutput(stage.output));
    if (state.output.empty()) {
      return absl::DataLossError(
          StrCat("it ended well, but ", stage.output, " is not there"));
    }
    if (stage.Pages() != stage.output) {
      TROMMEL_RETURN_IF_ERROR(CopyPages(stage.output, stage.Pages()));
    }
    std::vector<alerts::Alert> alerts;
    if (stage.alerts) alerts = stage.alerts(summary);
    outcome.seconds = absl::ToDoubleSeconds(absl::Now() - work_[i].began);
    outcome.finished = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(),
                                        absl::UTCTimeZone());
    outcome.summary = std::move(summary);
    Raise(i, std::move(alerts));
    state.finished = outcome.finished;
    state.seconds = outcome.seconds;
    state.summary = summaries::SummaryJson(outcome.summary);
    state.alerts = outcome.alerts;
    TROMMEL_RETURN_IF_ERROR(WriteStageState(stage.State(), state));
    outcome.status = StageStatus::kDone;
    Log(i, StrCat("done in ", Seconds(outcome.seconds)));
    return absl::OkStatus();
  }

  void Raise(size_t i, std::vector<alerts::Alert> alerts) {
    const Stage& stage = graph_.stages[i];
    for (alerts::Alert& alert : alerts) {
      alert.date = stage.date;
      alert.stage = stage.Name();
      alert.severity = alerts::SeverityName(alerts::SeverityOf(alert));
    }
    outcomes_[i].alerts = std::move(alerts);
  }

  void RetryOrFail(size_t i, const absl::Status& status) {
    StageOutcome& outcome = outcomes_[i];
    if (absl::IsInvalidArgument(status) ||
        outcome.attempts >= options_.attempts) {
      Fail(i, status);
      return;
    }
    const double wait_s =
        std::min(options_.max_backoff_s,
                 options_.backoff_s * std::pow(2, outcome.attempts - 1));
    work_[i].num_made = 0;
    work_[i].next = absl::Now() + absl::Seconds(wait_s);
    Log(i, StrCat("failed (", outcome.attempts, " of ",
                  Counted(options_.attempts, "attempt"), "), again in ",
                  Seconds(wait_s), ": ", status.message()));
  }

  void Fail(size_t i, const absl::Status& status) {
    const Stage& stage = graph_.stages[i];
    End(i, StageStatus::kFailed, std::string(status.message()));
    Log(i, StrCat("FAILED: ", outcomes_[i].reason));
    alerts::Alert alert;
    alert.kind = "stage_failed";
    alert.message = StrCat(stage.Name(), " failed: ", outcomes_[i].reason);
    alert.report = outcomes_[i].log;
    alert.numbers = {{"attempts", outcomes_[i].attempts}};
    Raise(i, {std::move(alert)});
  }

  const StageGraph& graph_;
  const SchedulerOptions& options_;
  std::vector<StageOutcome> outcomes_;
  std::vector<Work> work_;
};

}  // namespace

std::string_view StageStatusName(StageStatus status) {
  switch (status) {
    case StageStatus::kPending:
      return "pending";
    case StageStatus::kRunning:
      return "running";
    case StageStatus::kDone:
      return "done";
    case StageStatus::kUnchanged:
      return "unchanged";
    case StageStatus::kPresent:
      return "there";
    case StageStatus::kNotNeeded:
      return "not needed";
    case StageStatus::kNotAsked:
      return "not asked for";
    case StageStatus::kWouldRun:
      return "would run";
    case StageStatus::kFailed:
      return "failed";
    case StageStatus::kBlocked:
      return "blocked";
  }
  return "";
}

std::vector<StageOutcome> RunStages(const StageGraph& graph,
                                    const SchedulerOptions& options) {
  return Scheduler(graph, options).Run();
}

}  // namespace trommel::jobs::run::scheduling
