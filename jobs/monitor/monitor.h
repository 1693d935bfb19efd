#ifndef TROMMEL_JOBS_MONITOR_MONITOR_H_
#define TROMMEL_JOBS_MONITOR_MONITOR_H_

#include <memory>

#include "jobs/cli/verb.h"

namespace trommel {

std::unique_ptr<cli::Verb> MakeMonitorVerb();

}  // namespace trommel

#endif  // TROMMEL_JOBS_MONITOR_MONITOR_H_
