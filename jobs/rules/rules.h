#ifndef TROMMEL_JOBS_RULES_RULES_H_
#define TROMMEL_JOBS_RULES_RULES_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeRulesVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_RULES_RULES_H_
