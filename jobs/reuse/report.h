#ifndef TROMMEL_JOBS_REUSE_REPORT_H_
#define TROMMEL_JOBS_REUSE_REPORT_H_

#include <string>

#include "jobs/cli/verb.h"
#include "jobs/reuse/outcome.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::reuse_job {

// What `trommel reuse` says when it is done.
cli::Report MakeReuseReport(const std::string& out, const ReuseOutcome& outcome,
                            const mr::Counters& counters);

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_REPORT_H_
