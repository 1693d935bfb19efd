#ifndef TROMMEL_JOBS_EXTRACT_EXTRACT_H_
#define TROMMEL_JOBS_EXTRACT_EXTRACT_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeExtractVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_EXTRACT_EXTRACT_H_
