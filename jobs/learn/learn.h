#ifndef TROMMEL_JOBS_LEARN_LEARN_H_
#define TROMMEL_JOBS_LEARN_LEARN_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeLearnVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_LEARN_LEARN_H_
