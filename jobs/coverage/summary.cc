#include "jobs/coverage/summary.h"

#include <algorithm>

namespace trommel::jobs::coverage_job {

bool CoverageSummary::IsVanished(const CoveredSite& site) const {
  return site.last_day.has_value() && *site.last_day < last_day_with_pages;
}

int CoverageSummary::HighestExceeded(const CoverageRow& row) const {
  int highest = 0;
  for (const int threshold : thresholds) {
    if (row.before.has_value() &&
        coverage::DropExceeds(*row.before, row.coverage, threshold)) {
      highest = std::max(highest, threshold);
    }
  }
  return highest;
}

}  // namespace trommel::jobs::coverage_job
