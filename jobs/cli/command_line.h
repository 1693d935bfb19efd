#ifndef TROMMEL_JOBS_CLI_COMMAND_LINE_H_
#define TROMMEL_JOBS_CLI_COMMAND_LINE_H_

#include <memory>
#include <vector>

#include "jobs/cli/verb.h"

namespace trommel::jobs::cli {

// Parses the arguments, runs the verb they name and prints what it reports.
// Returns the process's exit code. Results go to standard output, everything
// else to standard error.
int RunCommandLine(int argc, const char* const* argv,
                   const std::vector<std::unique_ptr<Verb>>& verbs);

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_COMMAND_LINE_H_
