#ifndef TROMMEL_JOBS_RUN_PROCESS_CHILD_PROCESS_H_
#define TROMMEL_JOBS_RUN_PROCESS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace trommel::run {

// A process that this one waits for and that dies with it, however that ends.
class ChildProcess {
 public:
  struct Options {
    std::string program;                 // path
    std::vector<std::string> arguments;  // without the program
    std::string folder;                  // to run in; empty: this one's
    std::string input;                   // file for standard input; empty: none
    std::string output;                  // file, emptied first
    std::string errors;                  // file, appended to
  };
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const Options& options);
  // Kills it if it is alive, with all that it started in its group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Returns whether it has ended, without waiting.
  bool HasEnded();
  // The status is that of waitpid(), once the process has ended.
  int wait_status() const { return wait_status_; }

  // Waits until one of the processes has ended, or the time is over.
  static void WaitForAny(const std::vector<const ChildProcess*>& processes,
                         int timeout_ms);

 private:
  ChildProcess() = default;

  pid_t pid_ = -1;
  int pid_descriptor_ = -1;
  bool ended_ = false;
  int wait_status_ = 0;
};

// Returns "exit code 1", "killed by signal 9 (Killed)" and such.
std::string DescribeWaitStatus(int wait_status);

}  // namespace trommel::run

#endif  // TROMMEL_JOBS_RUN_PROCESS_CHILD_PROCESS_H_
