#ifndef TROMMEL_MAPREDUCE_TASK_SUPERVISOR_H_
#define TROMMEL_MAPREDUCE_TASK_SUPERVISOR_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/task/breadcrumb.h"
#include "mapreduce/task/task_spec.h"
#include "mapreduce/task/worker_process.h"

namespace trommel::mr {

// Sees one task through: has a worker process run it, watches the process, and
// when it dies has another try again, until one succeeds or there is no hope.
//
// A process that dies while it maps a row (a crash, the row's own appetite for
// memory, time) makes that row a suspect. A row under which processes died
// twice is given up: the next attempt puts it into the table of rejects and
// maps the others. A process killed from outside also leaves a suspect behind,
// but that takes three deaths at the same row, one after the other, so that
// operators, schedulers and the kernel's choice of whom to kill when memory is
// short do not cost rows. Deaths between rows, memory that no single row took,
// and errors count as failures of the task. Their number has a limit, and so
// has that of deaths that lead to nothing.
//
//   SupervisedTask task(limits, spec, directory, nullptr);
//   TROMMEL_RETURN_IF_ERROR(task.Start());
//   while (task.Poll() == SupervisedTask::State::kRunning) { wait a little }
class SupervisedTask {
 public:
  enum class State { kRunning, kSucceeded, kFailed };

  // `attempt` describes the first attempt; what changes from one to the next
  // is filled in here. `directory` is for this task alone: each attempt gets a
  // folder in it. `worker` is an idle process left from another task, or null.
  SupervisedTask(const TaskLimits& limits, AttemptSpec attempt,
                 std::string directory, std::unique_ptr<WorkerProcess> worker);
  SupervisedTask(const SupervisedTask&) = delete;
  SupervisedTask& operator=(const SupervisedTask&) = delete;

  absl::Status Start() { return StartAttempt(); }
  // To be called every now and then: ends and begins attempts.
  State Poll();

  // Rows the present attempt has done and rejected.
  int64_t rows_done() const;
  int64_t rows_rejected() const;
  // Goes up while the attempt gets somewhere.
  int64_t activity() const;
  // The process at work.
  const WorkerProcess* worker() const { return worker_.get(); }
  // After success: the process, for another task.
  std::unique_ptr<WorkerProcess> TakeWorker() { return std::move(worker_); }
  // After success: the attempt that succeeded and what it made.
  const AttemptSpec& attempt() const { return attempt_; }
  const AttemptResult& result() const { return result_; }
  // After failure: why.
  const absl::Status& failure() const { return failure_; }
  // What happened on the way, for people; each is given once.
  std::vector<std::string> TakeNews() { return std::exchange(news_, {}); }

 private:
  using Clock = std::chrono::steady_clock;
  // How an attempt's process ended.
  struct Death {
    bool from_outside = false;
    std::string reason;  // for the table of rejects
    std::string detail;
  };

  std::string TaskName() const;
  absl::Status StartAttempt();
  void Watch();
  void Kill(std::string reason, std::string detail);
  // Each decides what follows from an attempt's end; true when the task goes
  // on with another attempt.
  bool JudgeResult();
  bool JudgeDeath();
  bool Blame(int64_t row, const Death& death);
  bool Retry(const absl::Status& why);
  bool Fail(absl::Status why);

  TaskLimits limits_;
  AttemptSpec attempt_;
  std::string directory_;
  int num_attempts_ = 0;
  int num_failures_ = 0;
  std::map<int64_t, int> deaths_;  // by row, of its own doing
  // The row at which the process was last killed from outside, and how many
  // times that was the same.
  int64_t killed_row_ = Breadcrumb::kNoRow;
  int killings_in_a_row_ = 0;
  int deaths_in_vain_ = 0;  // since a row was last given up

  std::unique_ptr<WorkerProcess> worker_;
  std::optional<Breadcrumb> breadcrumb_;
  std::optional<Death> killed_;  // by this supervisor
  int64_t watched_row_ = Breadcrumb::kNoRow;
  int64_t memory_before_row_mb_ = 0;
  int64_t watched_activity_ = 0;
  Clock::time_point watched_since_;

  State state_ = State::kRunning;
  AttemptResult result_;
  absl::Status failure_;
  std::vector<std::string> news_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_SUPERVISOR_H_
