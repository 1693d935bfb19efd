#include "mapreduce/task/supervisor.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/io/path.h"

namespace trommel::mr {
namespace {

constexpr int kDeathsToBlame = 2;
constexpr int kKillingsToBlame = 3;
// A row is to blame for the memory of its process only if it took this share of
// the limit by itself.
constexpr int64_t kShareToBlame = 4;
// A task gives up after this many times as many deaths as failures.
constexpr int kDeathsPerFailure = 4;
constexpr int64_t kRowsPerKiller = 1000;

// Errors that another attempt will meet again.
bool IsPermanent(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status) ||
         absl::IsFailedPrecondition(status) || absl::IsUnimplemented(status);
}

std::string Describe(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return StrCat("signal ", signal, " (", ::strsignal(signal), ")");
  }
  return StrCat("exit code ", WEXITSTATUS(wait_status));
}

// What the table of rejects says. Which signal ends a process that crashed
// depends on its surroundings (with Java in it, most become SIGABRT), and rows
// must not.
std::string DetailOfDeath(int wait_status) {
  return WIFSIGNALED(wait_status)
             ? "a fatal signal"
             : StrCat("exit code ", WEXITSTATUS(wait_status));
}

bool IsFromOutside(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return false;
  const int signal = WTERMSIG(wait_status);
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT ||
         signal == SIGHUP;
}

absl::StatusOr<AttemptResult> ReadResult(const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string json, io::ReadFile(path));
  return AttemptResultFromJson(json);
}

}  // namespace

SupervisedTask::SupervisedTask(const TaskLimits& limits, AttemptSpec attempt,
                               std::string directory,
                               std::unique_ptr<WorkerProcess> worker)
    : limits_(limits),
      attempt_(std::move(attempt)),
      directory_(std::move(directory)),
      worker_(std::move(worker)) {}

std::string SupervisedTask::TaskName() const {
  return attempt_.is_map ? StrCat("map task ", attempt_.split.index)
                         : StrCat("reduce task ", attempt_.partition);
}

absl::Status SupervisedTask::StartAttempt() {
  attempt_.directory = StrCat(directory_, "/", num_attempts_);
  attempt_.clear_tables = num_attempts_ > 0;
  ++num_attempts_;
  std::error_code error;
  std::filesystem::create_directories(attempt_.directory, error);
  if (error) {
    return absl::UnavailableError(
        StrCat(attempt_.directory, ": ", error.message()));
  }
  TROMMEL_ASSIGN_OR_RETURN(
      const io::Path spec,
      io::ResolvePath(StrCat(attempt_.directory, "/attempt.json")));
  TROMMEL_RETURN_IF_ERROR(io::WriteFile(spec, ToJson(attempt_)));
  TROMMEL_ASSIGN_OR_RETURN(Breadcrumb breadcrumb,
                           Breadcrumb::Open(attempt_.BreadcrumbFile()));
  breadcrumb->row = Breadcrumb::kNoRow;
  breadcrumb_ = std::move(breadcrumb);
  watched_row_ = Breadcrumb::kNoRow;
  watched_activity_ = 0;
  watched_since_ = Clock::now();
  memory_before_row_mb_ = 0;
  killed_.reset();
  if (worker_ == nullptr) {
    TROMMEL_ASSIGN_OR_RETURN(
        worker_, WorkerProcess::Start(StrCat(attempt_.directory, "/stderr")));
  }
  worker_->Run(spec.path);
  return absl::OkStatus();
}

int64_t SupervisedTask::rows_done() const {
  return breadcrumb_.has_value() ? (*breadcrumb_)->rows_done.load() : 0;
}

int64_t SupervisedTask::rows_rejected() const {
  return breadcrumb_.has_value() ? (*breadcrumb_)->rows_rejected.load() : 0;
}

int64_t SupervisedTask::activity() const {
  return rows_done() +
         (breadcrumb_.has_value() ? (*breadcrumb_)->activity.load() : 0);
}

void SupervisedTask::Kill(std::string reason, std::string detail) {
  killed_ = Death{false, std::move(reason), std::move(detail)};
  worker_->Kill();
}

void SupervisedTask::Watch() {
  if (killed_.has_value()) return;
  const int64_t row = (*breadcrumb_)->row.load();
  const int64_t memory_mb = worker_->ResidentMegabytes();
  if (memory_mb > limits_.memory_mb) {
    // Between rows it is what they are read from.
    const bool own_doing =
        row != Breadcrumb::kNoRow &&
        memory_mb - memory_before_row_mb_ >= limits_.memory_mb / kShareToBlame;
    Kill(own_doing ? "crashed" : "",
         StrCat("more than ", limits_.memory_mb, " MB of memory"));
    return;
  }
  // Signs of life restart the clock even on a row: sorting and writing what
  // many rows have put out happens in the time of one.
  const int64_t activity = (*breadcrumb_)->activity.load();
  const Clock::time_point now = Clock::now();
  const bool on_a_row = row != Breadcrumb::kNoRow;
  if (row != watched_row_) memory_before_row_mb_ = memory_mb;
  if (row != watched_row_ || activity != watched_activity_) {
    watched_row_ = row;
    watched_activity_ = activity;
    watched_since_ = now;
    return;
  }
  const int64_t limit_s =
      on_a_row ? limits_.row_timeout_s : limits_.stall_timeout_s();
  if (now - watched_since_ > std::chrono::seconds(limit_s)) {
    Kill("timeout", StrCat("more than ", limit_s, " s"));
  }
}

SupervisedTask::State SupervisedTask::Poll() {
  if (state_ != State::kRunning) return state_;
  bool another = false;
  switch (worker_->Poll()) {
    case WorkerProcess::Event::kNone:
      Watch();
      return state_;
    case WorkerProcess::Event::kAttemptEnded:
      another = JudgeResult();
      break;
    case WorkerProcess::Event::kDied:
      another = JudgeDeath();
      worker_.reset();
      break;
  }
  if (!another) return state_;
  if (absl::Status status = StartAttempt(); !status.ok()) {
    Fail(std::move(status));
  }
  return state_;
}

bool SupervisedTask::JudgeResult() {
  absl::StatusOr<AttemptResult> result = ReadResult(attempt_.ResultFile());
  if (!result.ok()) return Retry(result.status());
  if (!result->status.ok()) return Retry(result->status);
  result_ = *std::move(result);
  state_ = State::kSucceeded;
  return false;
}

bool SupervisedTask::JudgeDeath() {
  const int wait_status = worker_->wait_status();
  Death death;
  if (killed_.has_value()) {
    death = *killed_;
  } else {
    death = {IsFromOutside(wait_status), "crashed", DetailOfDeath(wait_status)};
  }
  if (killed_.has_value() && killed_->reason.empty()) {
    return Retry(absl::ResourceExhaustedError(
        StrCat("its process took ", death.detail,
               ", and no single row is to blame; raise --task-memory-mb")));
  }
  const int64_t row = (*breadcrumb_)->row.load();
  if (row != Breadcrumb::kNoRow) return Blame(row, death);
  std::string message =
      StrCat("its process ended: ",
             killed_.has_value() ? death.detail : Describe(wait_status));
  const std::string tail = worker_->ErrorTail();
  if (!tail.empty()) StrAppend(&message, "; it said: ", tail);
  return Retry(absl::InternalError(message));
}

bool SupervisedTask::Blame(int64_t row, const Death& death) {
  bool to_blame = false;
  if (death.from_outside) {
    killings_in_a_row_ = row == killed_row_ ? killings_in_a_row_ + 1 : 1;
    killed_row_ = row;
    to_blame = killings_in_a_row_ >= kKillingsToBlame;
  } else {
    to_blame = ++deaths_[row] >= kDeathsToBlame;
  }
  if (!to_blame) {
    if (++deaths_in_vain_ > limits_.max_attempts * kDeathsPerFailure) {
      return Fail(absl::InternalError(
          StrCat(TaskName(), ": its process died ", deaths_in_vain_,
                 " times at different rows, the last time at row ", row, ": ",
                 death.detail)));
    }
    news_.push_back(StrCat(TaskName(), ": its process ended at row ", row, ": ",
                           death.detail, "; trying again"));
    return true;
  }
  std::vector<KillerRow>& killers = attempt_.killer_rows;
  const auto at = std::lower_bound(killers.begin(), killers.end(), row,
                                   [](const KillerRow& killer, int64_t other) {
                                     return killer.row < other;
                                   });
  if (at != killers.end() && at->row == row) {
    return Fail(absl::InternalError(StrCat(
        TaskName(), ": row ", row,
        " ends its process even when it is only to be named: ", death.detail)));
  }
  killers.insert(at, {row, death.reason, death.detail});
  deaths_in_vain_ = 0;
  news_.push_back(
      StrCat(TaskName(), ": row ", row, " is given up: ", death.detail));
  const int64_t most = std::max<int64_t>(
      limits_.max_killer_rows, attempt_.split.num_rows() / kRowsPerKiller);
  if (static_cast<int64_t>(killers.size()) <= most) return true;
  return Fail(absl::ResourceExhaustedError(
      StrCat(TaskName(), ": more than ", most,
             " rows of one split ended their process, the last: ", death.detail,
             "; that is the code's fault, not the rows'")));
}

bool SupervisedTask::Retry(const absl::Status& why) {
  ++num_failures_;
  const std::string message = StrCat(TaskName(), ": ", why.message());
  if (IsPermanent(why)) return Fail(absl::Status(why.code(), message));
  if (num_failures_ >= limits_.max_attempts) {
    return Fail(absl::Status(
        why.code(),
        StrCat(message, " (tried ", Counted(num_failures_, "time"), ")")));
  }
  news_.push_back(StrCat(message, "; trying again"));
  return true;
}

bool SupervisedTask::Fail(absl::Status why) {
  failure_ = std::move(why);
  state_ = State::kFailed;
  return false;
}

}  // namespace trommel::mr
