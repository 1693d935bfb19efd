#ifndef TROMMEL_MAPREDUCE_PROCESS_COMMAND_H_
#define TROMMEL_MAPREDUCE_PROCESS_COMMAND_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace trommel::mr {

struct CommandOutput {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// Runs a program to its end and returns what it printed. `environment` is
// added to this process's own. A program that takes longer than `timeout_s` is
// killed with all that it started: DeadlineExceeded.
absl::StatusOr<CommandOutput> RunCommand(
    const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& environment,
    int timeout_s);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_PROCESS_COMMAND_H_
