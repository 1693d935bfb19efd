#ifndef TROMMEL_JOBS_CLI_COMPLETION_H_
#define TROMMEL_JOBS_CLI_COMPLETION_H_

#include <string>
#include <vector>

#include "jobs/cli/described_flags.h"

namespace trommel::jobs::cli {

// A bash script that completes verbs, flags, and the values of flags that have
// a choice; for everything else, files. It needs nothing but bash.
std::string BashCompletion(const std::vector<VerbDescription>& verbs);

// The same for zsh, which shows what each is for as well: a file _trommel for a
// folder of $fpath, or to be sourced after compinit.
std::string ZshCompletion(const std::vector<VerbDescription>& verbs);

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_COMPLETION_H_
