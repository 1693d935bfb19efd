#ifndef TROMMEL_JOBS_MONITOR_HTML_REPORT_H_
#define TROMMEL_JOBS_MONITOR_HTML_REPORT_H_

#include <string>

#include "jobs/monitor/findings.h"

namespace trommel {

// report.html: the findings for people, on one page that needs nothing else.
std::string MonitorPage(const Findings& findings);

}  // namespace trommel

#endif  // TROMMEL_JOBS_MONITOR_HTML_REPORT_H_
