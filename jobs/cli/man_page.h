#ifndef TROMMEL_JOBS_CLI_MAN_PAGE_H_
#define TROMMEL_JOBS_CLI_MAN_PAGE_H_

#include <string>
#include <string_view>
#include <vector>

#include "jobs/cli/described_flags.h"

namespace trommel::jobs::cli {

// trommel(1), in the man macros of troff. The same for the same verbs: it
// carries the version and no date.
std::string ManPage(std::string_view version, std::string_view about,
                    const std::vector<VerbDescription>& verbs);

}  // namespace trommel::jobs::cli

#endif  // TROMMEL_JOBS_CLI_MAN_PAGE_H_
