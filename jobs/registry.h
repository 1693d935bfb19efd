#ifndef TROMMEL_JOBS_REGISTRY_H_
#define TROMMEL_JOBS_REGISTRY_H_

#include <memory>
#include <vector>

#include "jobs/cli/verb.h"

namespace trommel {

// Every verb of the command line, in the order in which --help lists them.
std::vector<std::unique_ptr<cli::Verb>> AllVerbs();

}  // namespace trommel

#endif  // TROMMEL_JOBS_REGISTRY_H_
