#include "jobs/run/alerts/alert_hook.h"

#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>

#include "core/base/status.h"
#include "mapreduce/process/process.h"

namespace trommel::jobs::run::alerts {

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
  mr::ProcessOptions options;
  options.program = "/bin/sh";
  options.arguments = {"-c", command};
  options.folder = folder;
  options.input = mr::Stream::File(input);
  options.output = mr::Stream::File(StrCat(log, ".stdout"));
  options.errors = mr::Stream::AppendTo(log);
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<mr::Process> child,
                           mr::Process::Start(options));
  if (!child->WaitFor(std::chrono::seconds(timeout_s))) {
    return absl::DeadlineExceededError(
        StrCat("on_alert took longer than ", timeout_s, " s; killed"));
  }
  ::unlink(input.c_str());
  if (child->wait_status() == 0) return absl::OkStatus();
  return absl::AbortedError(
      StrCat("on_alert: ", mr::DescribeWaitStatus(child->wait_status()),
             "; see ", log));
}

}  // namespace trommel::jobs::run::alerts
