#ifndef TROMMEL_JOBS_STATS_STATS_H_
#define TROMMEL_JOBS_STATS_STATS_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel stats`: pages and bytes per site.
std::unique_ptr<cli::Verb> MakeStatsVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_STATS_STATS_H_
