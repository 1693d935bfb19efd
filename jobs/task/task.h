#ifndef TROMMEL_JOBS_TASK_TASK_H_
#define TROMMEL_JOBS_TASK_TASK_H_

#include <memory>
#include <vector>

#include "jobs/cli/verb.h"

namespace trommel {

// Adds `trommel task`, which runs one task of a job as the engines start it,
// for the jobs of all verbs in the list.
void AddTaskVerb(std::vector<std::unique_ptr<cli::Verb>>* verbs);

}  // namespace trommel

#endif  // TROMMEL_JOBS_TASK_TASK_H_
