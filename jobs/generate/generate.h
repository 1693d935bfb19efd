#ifndef TROMMEL_JOBS_GENERATE_GENERATE_H_
#define TROMMEL_JOBS_GENERATE_GENERATE_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel generate`: a synthetic web with truth.
std::unique_ptr<cli::Verb> MakeGenerateVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_GENERATE_GENERATE_H_
