#ifndef TROMMEL_JOBS_EXPORT_EXPORT_H_
#define TROMMEL_JOBS_EXPORT_EXPORT_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel export`: rules as stylesheets and plain XPaths.
std::unique_ptr<cli::Verb> MakeExportVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_EXPORT_EXPORT_H_
