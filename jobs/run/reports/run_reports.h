#ifndef TROMMEL_JOBS_RUN_REPORTS_RUN_REPORTS_H_
#define TROMMEL_JOBS_RUN_REPORTS_RUN_REPORTS_H_

#include "absl/status/status.h"
#include "jobs/run/layout/layout.h"
#include "jobs/run/reports/run_result.h"

namespace trommel::jobs::run::reports {

// Writes run.json and run.html of the result's dates, and the metrics.
//
// A run that had nothing to do leaves the pages of the one that did, unless
// these tell of failures. The metrics are those of the latest date: a run of an
// earlier one leaves them.
absl::Status WriteRunReports(const layout::Layout& layout,
                             const RunResult& result);

}  // namespace trommel::jobs::run::reports

#endif  // TROMMEL_JOBS_RUN_REPORTS_RUN_REPORTS_H_
