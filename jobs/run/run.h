#ifndef TROMMEL_JOBS_RUN_RUN_H_
#define TROMMEL_JOBS_RUN_RUN_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeRunVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_RUN_RUN_H_
