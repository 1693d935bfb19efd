#ifndef TROMMEL_JOBS_REUSE_OVERLAP_STEP_H_
#define TROMMEL_JOBS_REUSE_OVERLAP_STEP_H_

// The first step of `trommel reuse`: what new clusters have in common with old
// ones.

#include <memory>
#include <string>

#include "jobs/reuse/plan.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::reuse_job {

std::unique_ptr<mr::Step> MakeOverlapStep();
// Reads the signatures of the new crawl and the assignments of the old one;
// writes kOverlapTable (overlap_table.h).
mr::StepSpec OverlapSpec(const ReuseFiles& files,
                         const std::string& new_signatures,
                         const std::string& old_assignments, int num_reducers);

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_OVERLAP_STEP_H_
