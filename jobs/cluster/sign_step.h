#ifndef TROMMEL_JOBS_CLUSTER_SIGN_STEP_H_
#define TROMMEL_JOBS_CLUSTER_SIGN_STEP_H_

#include <memory>
#include <string>
#include <vector>

#include "jobs/cluster/cluster_settings.h"
#include "jobs/page/page_flags.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::cluster_job {

// The first round of "cluster": a signature of each page of a crawl, in the
// table signatures/. Pages that cannot be looked at are rejected.
std::unique_ptr<mr::Step> MakeSignStep();

mr::StepSpec SignSpec(const std::vector<std::string>& crawls,
                      const ClusterSettings& settings,
                      const page::AdmissionFlags& admission);

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_SIGN_STEP_H_
