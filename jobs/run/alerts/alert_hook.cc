#include "jobs/run/alerts/alert_hook.h"

#include <unistd.h>

#include <fstream>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/status.h"
#include "jobs/run/process/child_process.h"

namespace trommel::run {

absl::Status TellOfAlert(const std::string& command, const std::string& folder,
                         const Alert& alert, int timeout_s,
                         const std::string& log) {
  const std::string input = StrCat(log, ".stdin");
  {
    std::ofstream out(input, std::ios::binary | std::ios::trunc);
    out << JsonLineText(ToJson(alert)) << "\n";
    out.close();
    if (!out) return absl::UnavailableError(StrCat("cannot write ", input));
  }
  ChildProcess::Options options;
  options.program = "/bin/sh";
  options.arguments = {"-c", command};
  options.folder = folder;
  options.input = input;
  options.output = StrCat(log, ".stdout");
  options.errors = log;
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<ChildProcess> child,
                           ChildProcess::Start(options));
  const absl::Time deadline = absl::Now() + absl::Seconds(timeout_s);
  while (!child->HasEnded()) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) {
      return absl::DeadlineExceededError(
          StrCat("on_alert took longer than ", timeout_s, " s; killed"));
    }
    ChildProcess::WaitForAny(
        {child.get()}, static_cast<int>(absl::ToInt64Milliseconds(left)) + 1);
  }
  ::unlink(input.c_str());
  if (child->wait_status() == 0) return absl::OkStatus();
  return absl::AbortedError(StrCat(
      "on_alert: ", DescribeWaitStatus(child->wait_status()), "; see ", log));
}

}  // namespace trommel::run
