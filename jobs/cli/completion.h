#ifndef TROMMEL_JOBS_CLI_COMPLETION_H_
#define TROMMEL_JOBS_CLI_COMPLETION_H_

#include <string>
#include <vector>

#include "jobs/cli/described_flags.h"

namespace trommel::cli {

// A bash script that completes verbs, flags, and the values of flags that have
// a choice; for everything else, files. It needs nothing but bash; zsh reads it
// after `autoload -U bashcompinit && bashcompinit`.
std::string BashCompletion(const std::vector<VerbDescription>& verbs);

}  // namespace trommel::cli

#endif  // TROMMEL_JOBS_CLI_COMPLETION_H_
