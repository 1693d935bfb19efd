#ifndef TROMMEL_JOBS_DOM_DOM_H_
#define TROMMEL_JOBS_DOM_DOM_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

// `trommel dom`: the parsed tree of one page.
std::unique_ptr<cli::Verb> MakeDomVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_DOM_DOM_H_
