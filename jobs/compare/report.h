#ifndef TROMMEL_JOBS_COMPARE_REPORT_H_
#define TROMMEL_JOBS_COMPARE_REPORT_H_

#include "jobs/cli/verb.h"
#include "jobs/summaries/compare.h"

namespace trommel::jobs::compare {

// What `trommel compare` says: a sentence, and what is different.
cli::Report MakeCompareReport(const summaries::Compare& summary);

}  // namespace trommel::jobs::compare

#endif  // TROMMEL_JOBS_COMPARE_REPORT_H_
