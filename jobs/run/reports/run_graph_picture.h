#ifndef TROMMEL_JOBS_RUN_REPORTS_RUN_GRAPH_PICTURE_H_
#define TROMMEL_JOBS_RUN_REPORTS_RUN_GRAPH_PICTURE_H_

#include "jobs/report/html.h"
#include "jobs/run/reports/run_result.h"

namespace trommel::jobs::run::reports {

// Returns the stages of a run as boxes in the colour of their status, and what
// waited for what as lines between them: a row of boxes for each date and
// vertical, stages from left to right. Inline SVG.
report::Html StageGraphPicture(const RunResult& result);

}  // namespace trommel::jobs::run::reports

#endif  // TROMMEL_JOBS_RUN_REPORTS_RUN_GRAPH_PICTURE_H_
