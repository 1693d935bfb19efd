#ifndef TROMMEL_JOBS_RUN_ALERTS_ALERT_HOOK_H_
#define TROMMEL_JOBS_RUN_ALERTS_ALERT_HOOK_H_

#include <string>

#include "absl/status/status.h"
#include "jobs/run/alerts/alert.h"

namespace trommel::jobs::run::alerts {

// Gives an alert to the user's command: a shell command that runs in `folder`
// (empty: this process's) and reads it as JSON from standard input. What it
// prints goes to the file `log`. The error says why the alert may not have
// arrived.
absl::Status TellOfAlert(const std::string& command, const std::string& folder,
                         const Alert& alert, int timeout_s,
                         const std::string& log);

}  // namespace trommel::jobs::run::alerts

#endif  // TROMMEL_JOBS_RUN_ALERTS_ALERT_HOOK_H_
