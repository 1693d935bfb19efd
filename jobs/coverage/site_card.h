#ifndef TROMMEL_JOBS_COVERAGE_SITE_CARD_H_
#define TROMMEL_JOBS_COVERAGE_SITE_CARD_H_

#include <string>
#include <vector>

#include "jobs/coverage/crawl_days.h"
#include "jobs/coverage/summary.h"
#include "jobs/report/blocks.h"

namespace trommel::jobs::coverage_job {

// Where the data came from, for the commands that the report proposes.
struct CoverageInputs {
  std::string clusters;
  std::vector<CrawlDay> crawls;
  // Flags with which `trommel cluster` makes clusters like those.
  std::vector<std::string> cluster_flags;
};

// A site in the report: its chart, and of each day on which something broke a
// page before and after, and the commands to run next.
report::Card SiteCard(const CoverageSummary& summary,
                      const CoverageSummary::Site& site,
                      const CoverageInputs& inputs);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_SITE_CARD_H_
