#ifndef TROMMEL_JOBS_CLUSTER_PLACE_STEP_H_
#define TROMMEL_JOBS_CLUSTER_PLACE_STEP_H_

#include <memory>

#include "mapreduce/job/job.h"

namespace trommel::jobs::cluster_job {

// The third round of "cluster": places every page among the templates of its
// site (assignments/), and completes the rows of clusters with what their pages
// say (clusters/, sites/).
std::unique_ptr<mr::Step> MakePlaceStep();

// `signatures` is a table of signatures, without columns.
mr::StepSpec PlaceSpec(mr::TableInput signatures, int num_reducers);

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_PLACE_STEP_H_
