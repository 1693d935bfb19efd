#ifndef TROMMEL_JOBS_REUSE_REPAIR_STEP_H_
#define TROMMEL_JOBS_REUSE_REPAIR_STEP_H_

// The step of `trommel reuse` that learns broken rules again.

#include <memory>
#include <string>
#include <vector>

#include "jobs/learner/learner_flags.h"
#include "jobs/page/page_flags.h"
#include "jobs/reuse/plan.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::reuse_job {

struct RepairStepSettings {
  page::PageFlags page;
  learner::LearnerFlags learner;
  int num_reducers = 4;
};

std::unique_ptr<mr::Step> MakeRepairStep();
// Reads the new crawl and what the steps before have written; writes
// kRepairsTable (repairs_table.h).
mr::StepSpec RepairSpec(const ReuseFiles& files,
                        const std::vector<std::string>& new_crawls,
                        const RepairStepSettings& settings);

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_REPAIR_STEP_H_
