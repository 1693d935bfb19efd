#ifndef TROMMEL_JOBS_CLUSTER_TEMPLATE_STEP_H_
#define TROMMEL_JOBS_CLUSTER_TEMPLATE_STEP_H_

#include <memory>

#include "jobs/cluster/cluster_settings.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::cluster_job {

// The second round of "cluster": samples each site by a hash of its URLs and
// finds the templates of the sample.
std::unique_ptr<mr::Step> MakeTemplateStep();

// `signatures` is a table of signatures, without columns.
mr::StepSpec TemplateSpec(mr::TableInput signatures,
                          const ClusterSettings& settings, int num_reducers);

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_TEMPLATE_STEP_H_
