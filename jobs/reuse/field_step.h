#ifndef TROMMEL_JOBS_REUSE_FIELD_STEP_H_
#define TROMMEL_JOBS_REUSE_FIELD_STEP_H_

// The step of `trommel reuse` that tests rules on the pages of both crawls: the
// candidates of new clusters, and in a later round the repaired rules.

#include <memory>
#include <string>
#include <vector>

#include "jobs/page/page_flags.h"
#include "jobs/reuse/plan.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::reuse_job {

std::unique_ptr<mr::Step> MakeFieldStep();
// Writes kFieldsTable and kPagesTable; of repaired rules kRepairedFieldsTable
// and kRepairedPagesTable.
mr::StepSpec FieldSpec(const ReuseFiles& files,
                       const std::vector<std::string>& new_crawls,
                       const std::vector<std::string>& old_crawls,
                       bool is_of_repaired, const page::PageFlags& page,
                       int num_reducers);

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_FIELD_STEP_H_
