#ifndef TROMMEL_JOBS_REUSE_REUSE_H_
#define TROMMEL_JOBS_REUSE_REUSE_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeReuseVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_REUSE_REUSE_H_
