#ifndef TROMMEL_JOBS_COVERAGE_TEXT_REPORT_H_
#define TROMMEL_JOBS_COVERAGE_TEXT_REPORT_H_

#include <string>

#include "jobs/cli/verb.h"
#include "jobs/coverage/summary.h"

namespace trommel::jobs::coverage_job {

// Both tables of the paper, and what there is to know before reading them.
cli::Report MakeCoverageReport(const CoverageSummary& summary,
                               const std::string& out);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_TEXT_REPORT_H_
