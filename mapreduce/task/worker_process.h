#ifndef TROMMEL_MAPREDUCE_TASK_WORKER_PROCESS_H_
#define TROMMEL_MAPREDUCE_TASK_WORKER_PROCESS_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/process/process.h"

namespace trommel::mr {

// A process of this program that runs attempts, one after the other: starting
// one takes as long as mapping thousands of small rows. It dies with its
// owner, whatever happens to that.
class WorkerProcess {
 public:
  enum class Event {
    kNone,
    kAttemptEnded,  // by itself; the process waits for another
    kDied,
  };

  // What it says on standard error goes to the file `error_file`.
  static absl::StatusOr<std::unique_ptr<WorkerProcess>> Start(
      std::string error_file);

  // Gives it an attempt to run, described by a file. One at a time.
  void Run(const std::string& attempt_file);
  // What has happened since the last call. Does not wait.
  Event Poll();
  void Kill() { process_->Kill(); }

  // As waitpid() tells it, once it has died.
  int wait_status() const { return process_->wait_status(); }
  // Resident memory now.
  int64_t ResidentMegabytes() const;
  // The end of what it said on standard error.
  std::string ErrorTail() const;

  // Waits until one of the workers has something to tell, at most so long.
  static void WaitForAny(const std::vector<const WorkerProcess*>& workers,
                         std::chrono::milliseconds timeout);

 private:
  WorkerProcess(std::unique_ptr<Process> process, std::string error_file)
      : process_(std::move(process)), error_file_(std::move(error_file)) {}

  std::unique_ptr<Process> process_;  // reads commands, writes answers
  std::string error_file_;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_WORKER_PROCESS_H_
