#ifndef TROMMEL_JOBS_COVERAGE_HTML_REPORT_H_
#define TROMMEL_JOBS_COVERAGE_HTML_REPORT_H_

#include <string>

#include "jobs/coverage/site_card.h"
#include "jobs/coverage/summary.h"

namespace trommel::jobs::coverage_job {

// The page report.html (jobs/report): both tables of the paper, and a chart of
// every site with its changes.
std::string CoverageHtml(const CoverageSummary& summary,
                         const CoverageInputs& inputs);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_HTML_REPORT_H_
