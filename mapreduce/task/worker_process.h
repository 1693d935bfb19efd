#ifndef TROMMEL_MAPREDUCE_TASK_WORKER_PROCESS_H_
#define TROMMEL_MAPREDUCE_TASK_WORKER_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

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
  // Kills the process if it is alive.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // Gives it an attempt to run, described by a file. One at a time.
  void Run(const std::string& attempt_file);
  // What has happened since the last call. Does not wait.
  Event Poll();
  void Kill();

  // As waitpid() tells it, once it has died.
  int wait_status() const { return wait_status_; }
  // Resident memory now.
  int64_t ResidentMegabytes() const;
  // The end of what it said on standard error.
  std::string ErrorTail() const;

  // Waits until a process of the list has something to tell, at most so long.
  static void WaitForAny(const std::vector<const WorkerProcess*>& processes,
                         int timeout_ms);

 private:
  explicit WorkerProcess(std::string error_file)
      : error_file_(std::move(error_file)) {}

  std::string error_file_;
  pid_t pid_ = -1;
  int commands_ = -1;  // write end of its standard input
  int answers_ = -1;   // read end of its standard output
  int wait_status_ = 0;
};

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_WORKER_PROCESS_H_
