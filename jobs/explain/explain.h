#ifndef TROMMEL_JOBS_EXPLAIN_EXPLAIN_H_
#define TROMMEL_JOBS_EXPLAIN_EXPLAIN_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeExplainVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_EXPLAIN_EXPLAIN_H_
