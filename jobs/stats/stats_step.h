#ifndef TROMMEL_JOBS_STATS_STATS_STEP_H_
#define TROMMEL_JOBS_STATS_STATS_STEP_H_

#include <memory>
#include <string>
#include <vector>

#include "mapreduce/job/job.h"

namespace trommel::jobs::stats {

// The code of the only step of the job "stats": counts pages and adds up bytes
// of content per site. Its one table is ".", with columns site, pages, bytes.
std::unique_ptr<mr::Step> MakeStatsStep();

// The data of the step for some crawls.
mr::StepSpec StatsSpec(const std::vector<std::string>& crawls);

}  // namespace trommel::jobs::stats

#endif  // TROMMEL_JOBS_STATS_STATS_STEP_H_
