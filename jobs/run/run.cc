#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/characters.h"
#include "core/base/status.h"
#include "jobs/registry.h"
#include "jobs/run/alerts/alert_book.h"
#include "jobs/run/alerts/alert_outbox.h"
#include "jobs/run/layout/dates.h"
#include "jobs/run/layout/layout.h"
#include "jobs/run/pipeline_file.h"
#include "jobs/run/reports/close_nights.h"
#include "jobs/run/reports/run_reports.h"
#include "jobs/run/reports/run_result.h"
#include "jobs/run/run_lock.h"
#include "jobs/run/scheduling/scheduler.h"
#include "jobs/run/scheduling/stage_state.h"
#include "jobs/run/stages/delivery.h"
#include "jobs/run/stages/kept_inputs.h"
#include "jobs/run/stages/stages.h"
#include "jobs/run/stages/vertical_schema.h"

namespace trommel::jobs::run {
namespace {

using alerts::Alert;
using layout::Layout;
using reports::RunResult;
using scheduling::Stage;
using scheduling::StageOutcome;
using scheduling::StageStatus;

void LogLine(std::string_view text) {
  absl::FPrintF(stderr, "%s %s\n",
                absl::FormatTime("%H:%M:%S", absl::Now(), absl::UTCTimeZone()),
                PrintableLines(text));
}

// This stands for the stage in alerts of what comes before all stages.
constexpr char kWholeRun[] = "run";
// A choice of --fail-on-alert.
constexpr char kNeverFail[] = "never";

class RunVerb final : public cli::Verb {
 public:
  RunVerb() : Verb("run", kRunHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags->Positional("PIPELINE", &pipelines_, "the pipeline (textproto)")
        .Input()
        .Required();
    flags
        ->Text("date", &date_,
               "the date to run (without it, the latest that has a crawl)")
        .NotAPath();
    flags->Text("from", &from_, "first date of a range, with --to").NotAPath();
    flags->Text("to", &to_, "last date of a range, with --from").NotAPath();
    flags->Bool("dry-run", &dry_run_, "say what would run and why, only");
    flags->Choice("only", &only_, stages::AllStageNames(),
                  "run stages of this kind only, on what is there; the "
                  "night's report stays");
    flags->Bool("resume", &resume_, "keep what is finished");
    flags->Choice("fail-on-alert", &fail_on_alert_, FailOnAlertChoices(),
                  "exit with 3 when nothing failed and an alert of at least "
                  "this severity is open");
  }

  absl::Status CheckFlags() const override {
    if (pipelines_.size() != 1) {
      return absl::InvalidArgumentError("one pipeline at a time");
    }
    if (from_.empty() != to_.empty()) {
      return absl::InvalidArgumentError("--from and --to go together");
    }
    if (!date_.empty() && !from_.empty()) {
      return absl::InvalidArgumentError(
          "--date and --from with --to exclude each other");
    }
    if (!date_.empty())
      TROMMEL_RETURN_IF_ERROR(layout::CheckDate("date", date_));
    if (!from_.empty()) {
      TROMMEL_RETURN_IF_ERROR(layout::CheckDate("from", from_));
      TROMMEL_RETURN_IF_ERROR(layout::CheckDate("to", to_));
      if (from_ > to_) {
        return absl::InvalidArgumentError(
            StrCat("--from=", from_, " is after --to=", to_));
      }
    }
    return run::ReadPipelineFile(pipelines_[0]).status();
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(proto::Pipeline pipeline,
                             run::ReadPipelineFile(pipelines_[0]));
    const Layout layout(std::move(pipeline));
    for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
      const absl::Status status = stages::CheckSchemaOf(vertical);
      if (!status.ok()) {
        LogLine(StrCat(status.message(), " (the rest of the run goes on)"));
      }
    }
    std::unique_ptr<run::RunLock> lock;
    if (!dry_run_) {
      TROMMEL_ASSIGN_OR_RETURN(lock, TakeLock(layout.pipeline().reports()));
      outbox_ = OpenOutbox(layout);
      outbox_->SendUndelivered();
      AdoptFormerNights(layout);
    }
    RunResult result;
    const absl::Status status = Prepare(layout, &result);
    if (!status.ok()) {
      TellThatNothingRuns(result, status);
      return status;
    }
    const absl::Time began = absl::Now();
    result.outcomes = scheduling::RunStages(result.graph, Options(layout));
    result.seconds = absl::ToDoubleSeconds(absl::Now() - began);
    if (!dry_run_) Close(layout, &result);
    return Conclude(layout, result);
  }

 private:
  // Where this does not work, nothing depends on it but readers of old nights.
  static void AdoptFormerNights(const Layout& layout) {
    const absl::StatusOr<int> nights = stages::AdoptFormerNights(layout);
    if (!nights.ok()) {
      LogLine(StrCat(nights.status().message(), " (the run goes on)"));
    } else if (*nights > 0) {
      LogLine(StrCat("the records of ", Counted(*nights, "night"),
                     " had the layout of a former version; their rejects are "
                     "now in ",
                     layout.pipeline().rejects(), ", their figures in ",
                     layout.pipeline().figures()));
    }
  }

  static absl::StatusOr<std::unique_ptr<run::RunLock>> TakeLock(
      const std::string& reports) {
    std::error_code error;
    std::filesystem::create_directories(reports, error);
    if (error) {
      return absl::UnavailableError(
          StrCat("cannot make ", reports, ": ", error.message()));
    }
    TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<run::RunLock> lock,
                             run::RunLock::Take(reports));
    if (!lock->taken_over().empty()) LogLine(lock->taken_over());
    return lock;
  }

  std::unique_ptr<alerts::AlertOutbox> OpenOutbox(const Layout& layout) const {
    alerts::AlertOutbox::Options options;
    options.command = layout.pipeline().on_alert();
    options.folder = FolderOfPipeline();
    options.timeout_s = layout.pipeline().on_alert_timeout_s();
    options.file = layout.Alerts();
    options.command_log = StrCat(layout.pipeline().reports(), "/on_alert.log");
    options.log = LogLine;
    options.today =
        absl::FormatTime("%Y-%m-%d", absl::Now(), absl::UTCTimeZone());
    return std::make_unique<alerts::AlertOutbox>(std::move(options));
  }

  // Does all that comes before the first stage.
  absl::Status Prepare(const Layout& layout, RunResult* result) const {
    result->pipeline = pipelines_[0];
    result->began = absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::Now(),
                                     absl::UTCTimeZone());
    TROMMEL_ASSIGN_OR_RETURN(result->dates, Dates(layout));
    result->folder = layout.ReportDay(
        result->dates.size() == 1
            ? result->dates[0]
            : StrCat(result->dates.front(), "_", result->dates.back()));
    TROMMEL_ASSIGN_OR_RETURN(std::vector<Stage> stages,
                             stages::StagesOfNights(layout, result->dates));
    TROMMEL_RETURN_IF_ERROR(
        stages::CheckInputsAreKept(layout, pipelines_[0], stages));
    TROMMEL_ASSIGN_OR_RETURN(result->graph,
                             scheduling::MakeStageGraph(std::move(stages)));
    return absl::OkStatus();
  }

  void TellThatNothingRuns(const RunResult& result,
                           const absl::Status& status) {
    if (dry_run_) return;
    Alert alert;
    alert.kind = result.dates.empty() && absl::IsNotFound(status)
                     ? "crawl_missing"
                     : "stage_failed";
    if (!result.dates.empty()) alert.date = result.dates.back();
    alert.stage = kWholeRun;
    alert.message = StrCat("nothing could be run: ", status.message());
    outbox_->Send(alert);
    outbox_->LogUndelivered();
  }

  static std::vector<std::string> FailOnAlertChoices() {
    std::vector<std::string> choices = alerts::SeverityNames();
    choices.push_back(kNeverFail);
    return choices;
  }

  // Closes the nights, and tells of the alerts that are new and those that have
  // ended.
  void Close(const Layout& layout, RunResult* result) {
    alerts::AlertBook book =
        alerts::AlertBook::Read(layout.AlertBook(), LogLine);
    reports::CloseNights(&book, result);
    std::set<std::string> unchanged;  // stages
    for (size_t i = 0; i < result->outcomes.size(); ++i) {
      if (result->outcomes[i].status == StageStatus::kUnchanged) {
        unchanged.insert(result->graph.stages[i].Name());
      }
    }
    // An alert is told of once in its life, and news that the night has dealt
    // with are for its report.
    std::vector<Alert> shown, sent;
    for (const Alert& alert : result->open_alerts) {
      if (unchanged.count(alert.stage) == 0) shown.push_back(alert);
      if (alert.first == alert.date &&
          alerts::SeverityOf(alert) > alerts::Severity::kInfo) {
        sent.push_back(alert);
      }
    }
    alerts::LimitAlerts(&shown);
    alerts::LimitAlerts(&sent);
    for (const Alert& alert : shown) {
      LogLine(StrCat(absl::AsciiStrToUpper(alert.severity), " ", alert.kind,
                     ": ", alert.message));
    }
    std::vector<Alert> ended = result->resolved_alerts;
    alerts::LimitAlerts(&ended);
    for (const Alert& alert : ended) {
      if (!result->is_idle()) {
        LogLine(StrCat("RESOLVED ", alert.kind, ": ", alert.message));
      }
    }
    sent.insert(sent.end(), ended.begin(), ended.end());
    for (const Alert& alert : sent) outbox_->Send(alert);
    if (const absl::Status status = book.Write(); !status.ok()) {
      LogLine(StrCat(status.message(),
                     ": alerts may be told again (the run goes on)"));
    }
    ForgetOldAlerts(*result, sent);
  }

  // An alert of a stage that holds no longer is news when it comes up again.
  void ForgetOldAlerts(const RunResult& result,
                       const std::vector<Alert>& told) {
    outbox_->KeepOnly(kWholeRun, {});
    for (size_t i = 0; i < result.outcomes.size(); ++i) {
      const StageOutcome& outcome = result.outcomes[i];
      if (outcome.status == StageStatus::kDone ||
          outcome.status == StageStatus::kUnchanged ||
          outcome.status == StageStatus::kPresent ||
          outcome.status == StageStatus::kNotNeeded) {
        outbox_->KeepOnly(result.graph.stages[i].Name(), told);
      }
    }
    outbox_->LogUndelivered();
  }

  absl::StatusOr<std::vector<std::string>> Dates(const Layout& layout) const {
    if (!from_.empty()) return layout::DatesBetween(from_, to_);
    if (!date_.empty()) return std::vector<std::string>{date_};
    TROMMEL_ASSIGN_OR_RETURN(const std::string latest,
                             layout::LatestDate(layout.pipeline().crawl()));
    return std::vector<std::string>{latest};
  }

  // Returns the folder of the pipeline file; empty if it is not on this
  // machine.
  std::string FolderOfPipeline() const {
    const absl::StatusOr<io::Path> file = io::ResolvePath(pipelines_[0]);
    return file.ok() && io::IsLocal(*file) ? file->Parent().Absolute()
                                           : std::string();
  }

  scheduling::SchedulerOptions Options(const Layout& layout) {
    const proto::Limits& limits = layout.pipeline().limits();
    scheduling::SchedulerOptions options;
    options.parallel_stages = limits.parallel_stages();
    options.attempts = limits.attempts();
    options.backoff_s = limits.backoff_s();
    options.max_backoff_s = limits.max_backoff_s();
    options.dry_run = dry_run_;
    options.resume = resume_;
    options.only = only_;
    options.version = scheduling::ProgramVersion();
    options.program = "/proc/self/exe";
    options.log_folder = [&layout](const Stage& stage) {
      return layout.Logs(stage.date);
    };
    options.log = LogLine;
    return options;
  }

  absl::StatusOr<cli::Report> Conclude(const Layout& layout,
                                       const RunResult& result) const {
    cli::Report report;
    *report.json = reports::RunJson(result);
    // A part of a night is not what its report is about.
    const bool writes = !dry_run_ && only_.empty();
    if (writes) {
      const absl::Status status = reports::WriteRunReports(layout, result);
      if (!status.ok()) {
        report.warnings.push_back(
            StrCat("the report could not be written: ", status.message()));
        report.exit_code = cli::ExitCode::kFailed;
      }
    }
    report.text = dry_run_ ? DryRunText(result) : SummaryText(result);
    if (result.has_failed()) {
      report.exit_code = cli::ExitCode::kFailed;
    } else if (IsAlarming(result) && report.exit_code == cli::ExitCode::kDone) {
      report.exit_code = cli::ExitCode::kCheckFlagged;
    }
    return report;
  }

  // Whether the last night leaves an alert open that the caller must hear of.
  bool IsAlarming(const RunResult& result) const {
    const absl::StatusOr<alerts::Severity> least =
        alerts::ParseSeverity(fail_on_alert_);
    if (!least.ok()) return false;
    return std::any_of(result.open_alerts.begin(), result.open_alerts.end(),
                       [&](const Alert& alert) {
                         const bool is_earlier =
                             alert.date != result.dates.back() &&
                             std::count(result.dates.begin(),
                                        result.dates.end(), alert.date) > 0;
                         return !is_earlier &&
                                alerts::SeverityOf(alert) >= *least;
                       });
  }

  static std::string ReasonLine(const Stage& stage,
                                const StageOutcome& outcome) {
    return absl::StrFormat("%-32s %-13s %s\n", stage.Name(),
                           std::string(StageStatusName(outcome.status)),
                           outcome.reason);
  }

  static std::string DryRunText(const RunResult& result) {
    std::string text;
    for (size_t i = 0; i < result.outcomes.size(); ++i) {
      StrAppend(&text, ReasonLine(result.graph.stages[i], result.outcomes[i]));
    }
    StrAppend(&text, Counted(result.Count(StageStatus::kWouldRun), "stage"),
              " would run\n");
    return text;
  }

  // Returns why the stages that --only asks for have nothing to do.
  std::string WhyIdle(const RunResult& result) const {
    std::string text;
    for (size_t i = 0; i < result.outcomes.size(); ++i) {
      const Stage& stage = result.graph.stages[i];
      const StageOutcome& outcome = result.outcomes[i];
      if (stage.kind == only_ && outcome.status != StageStatus::kUnchanged) {
        StrAppend(&text, ReasonLine(stage, outcome));
      }
    }
    return text;
  }

  // Returns the stages that have run or could not, a line each.
  static std::string StageLines(const RunResult& result, bool only_failed) {
    std::string text;
    for (size_t i = 0; i < result.outcomes.size(); ++i) {
      const Stage& stage = result.graph.stages[i];
      const StageOutcome& outcome = result.outcomes[i];
      const bool is_done = outcome.status == StageStatus::kDone;
      if (stage.kind == "crawl" || (is_done && only_failed) ||
          (!is_done && outcome.status != StageStatus::kFailed &&
           outcome.status != StageStatus::kBlocked)) {
        continue;
      }
      absl::StrAppendFormat(
          &text, "%-32s %-9s %s\n", stage.Name(),
          std::string(StageStatusName(outcome.status)),
          is_done ? reports::InShort(outcome.summary) : outcome.reason);
    }
    return text;
  }

  // Returns what is different from the nights before, a line each.
  static std::string AlertLines(const RunResult& result) {
    std::string text;
    std::vector<Alert> shown = result.open_alerts;
    alerts::LimitAlerts(&shown);
    for (const Alert& alert : shown) {
      absl::StrAppendFormat(&text, "%-9s %s\n", alert.severity, alert.message);
    }
    for (const Alert& alert : result.resolved_alerts) {
      absl::StrAppendFormat(&text, "%-9s since %s: %s\n", "resolved",
                            alert.resolved, alert.message);
    }
    return text;
  }

  std::string SummaryText(const RunResult& result) const {
    const std::string dates =
        result.dates.size() == 1
            ? result.dates[0]
            : StrCat(result.dates.front(), " to ", result.dates.back());
    if (result.is_idle()) {
      const auto unchanged = result.Count(StageStatus::kUnchanged);
      return StrCat(WhyIdle(result), dates, ": nothing to do",
                    unchanged == 0 ? ""
                                   : StrCat(", ", Counted(unchanged, "stage"),
                                            " unchanged since the last run"),
                    "\n");
    }
    if (!only_.empty()) {
      return StrCat(
          StageLines(result, /*only_failed=*/false),
          absl::StrFormat(
              "%s: %d run, %d unchanged, %d failed, %d blocked, in %.1f s\n",
              dates, result.Count(StageStatus::kDone),
              result.Count(StageStatus::kUnchanged),
              result.Count(StageStatus::kFailed),
              result.Count(StageStatus::kBlocked), result.seconds));
    }
    return StrCat(reports::NightInShort(result), "; ", result.Page(), "\n",
                  StageLines(result, /*only_failed=*/true), AlertLines(result));
  }

  std::vector<std::string> pipelines_;
  std::string date_;
  std::string from_;
  std::string to_;
  bool dry_run_ = false;
  std::string only_;
  bool resume_ = true;
  std::string fail_on_alert_ = "critical";
  std::unique_ptr<alerts::AlertOutbox> outbox_;  // null: --dry-run
};

}  // namespace

std::unique_ptr<cli::Verb> MakeRunVerb() { return std::make_unique<RunVerb>(); }

}  // namespace trommel::jobs::run
