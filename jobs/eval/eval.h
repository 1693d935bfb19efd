#ifndef TROMMEL_JOBS_EVAL_EVAL_H_
#define TROMMEL_JOBS_EVAL_EVAL_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeEvalVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_EVAL_EVAL_H_
