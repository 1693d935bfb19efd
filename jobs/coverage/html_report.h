#ifndef TROMMEL_JOBS_COVERAGE_HTML_REPORT_H_
#define TROMMEL_JOBS_COVERAGE_HTML_REPORT_H_

#include <string>
#include <vector>

#include "jobs/coverage/crawl_days.h"
#include "jobs/coverage/summary.h"

namespace trommel {

// Where the data came from, for the commands that the report proposes.
struct CoverageInputs {
  std::string clusters;
  std::vector<CrawlDay> crawls;
};

// The page report.html (jobs/report): both tables of the paper, and a chart of
// every site with its changes.
std::string CoverageHtml(const CoverageSummary& summary,
                         const CoverageInputs& inputs);

}  // namespace trommel

#endif  // TROMMEL_JOBS_COVERAGE_HTML_REPORT_H_
