#ifndef TROMMEL_JOBS_RUN_SCHEDULING_LOCAL_PAGES_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_LOCAL_PAGES_H_

// Pages for people of stages whose output is on HDFS, which no browser opens.

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace trommel::jobs::run::scheduling {

// Returns the names of the files of an output that a person may want to open.
const std::vector<std::string>& PageNames();

// Copies these files, as far as the output has them, and the annotation pages
// that an index leads to, into a local folder.
absl::Status CopyPages(const std::string& output, const std::string& folder);

}  // namespace trommel::jobs::run::scheduling

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_LOCAL_PAGES_H_
