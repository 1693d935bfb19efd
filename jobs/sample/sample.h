#ifndef TROMMEL_JOBS_SAMPLE_SAMPLE_H_
#define TROMMEL_JOBS_SAMPLE_SAMPLE_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeSampleVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_SAMPLE_SAMPLE_H_
