#ifndef TROMMEL_JOBS_EXTRACT_REPORT_H_
#define TROMMEL_JOBS_EXTRACT_REPORT_H_

#include <string>

#include "jobs/cli/verb.h"
#include "jobs/tables/figures_table.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::extract {

// What `trommel extract` says when it is done: pages, records, rejects by
// reason, coverage (the share of pages that have a record, skipped ones
// included) and, for the sites with most pages, how many of the records have
// each attribute.
cli::Report MakeExtractReport(const std::string& out,
                              const mr::Counters& counters,
                              const tables::Figures& figures);

}  // namespace trommel::jobs::extract

#endif  // TROMMEL_JOBS_EXTRACT_REPORT_H_
