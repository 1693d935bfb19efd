#ifndef TROMMEL_JOBS_COVERAGE_COVERAGE_H_
#define TROMMEL_JOBS_COVERAGE_COVERAGE_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel coverage`: how well clusters go on covering the crawls of later
// days, and which sites changed.
std::unique_ptr<cli::Verb> MakeCoverageVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_COVERAGE_COVERAGE_H_
