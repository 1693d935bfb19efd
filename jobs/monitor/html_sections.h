#ifndef TROMMEL_JOBS_MONITOR_HTML_SECTIONS_H_
#define TROMMEL_JOBS_MONITOR_HTML_SECTIONS_H_

// Sections of report.html, and what they share.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/monitor/findings.h"
#include "jobs/report/html.h"

namespace trommel::jobs::monitor_job {

// A card for each broken rule, in the order of the sites: in which of the three
// ways it fails and where, and a page before and after.
report::Html BrokenRulesSection(const Findings& findings,
                                const std::vector<const WatchedSite*>& sites);

// The rules of which too few bellwethers were crawled.
report::Html UnknownRulesSection(const Findings& findings);

// The attributes of records that drifted.
report::Html DriftSection(const Findings& findings);

// Lines of text below each other.
report::Html Lines(const std::vector<std::string>& lines);
// Says that not all are shown, and which table has them; nothing if all are.
report::Html LeftOut(size_t shown, size_t all, std::string_view noun,
                     std::string_view table);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_HTML_SECTIONS_H_
