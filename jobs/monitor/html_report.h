#ifndef TROMMEL_JOBS_MONITOR_HTML_REPORT_H_
#define TROMMEL_JOBS_MONITOR_HTML_REPORT_H_

#include <string>

#include "jobs/monitor/findings.h"

namespace trommel::jobs::monitor_job {

// report.html: the findings for people, on one page that needs nothing else.
std::string MonitorPage(const Findings& findings);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_HTML_REPORT_H_
