#ifndef TROMMEL_JOBS_CLI_PATH_FLAGS_H_
#define TROMMEL_JOBS_CLI_PATH_FLAGS_H_

// The paths that a verb is given, by what its flags say of them: whether the
// verb can do what it is asked without harm to what it reads.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "jobs/cli/flags.h"

namespace trommel::jobs::cli {

// A path among the arguments.
struct GivenPath {
  std::string argument;  // as the user knows it: "--crawl=web", "INPUT a.warc"
  std::string path;
  const Flag* flag = nullptr;

  std::string FlagName() const;  // "--crawl", "INPUT"
};

// The values of all flags that are paths, in the order of the flags.
std::vector<GivenPath> GivenPaths(const Flags& flags);

// Checks the paths of a verb, for every verb and before it does anything:
// - All of them are of file systems that there is support for.
// - No input is at or inside an output. The output is replaced as a whole, and
//   what is deleted with it must not be what it was made from.
// - No output is inside an input that is read whole: it would be read as part
//   of it, if not this time, then the next.
// - No input is what an interrupted run has left beside the output, where the
//   next one cleans up.
// - No link in an input leads to an output that is there.
// --force makes no difference: what could not be done again with it is refused
// the first time. An InvalidArgument names both arguments.
absl::Status CheckPaths(const Flags& flags);

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_PATH_FLAGS_H_
