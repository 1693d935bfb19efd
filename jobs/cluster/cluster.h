#ifndef TROMMEL_JOBS_CLUSTER_CLUSTER_H_
#define TROMMEL_JOBS_CLUSTER_CLUSTER_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel cluster`: the pages of each site by template.
std::unique_ptr<cli::Verb> MakeClusterVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_CLUSTER_CLUSTER_H_
