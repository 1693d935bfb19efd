#include "mapreduce/process/command.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <memory>

#include "core/base/status.h"
#include "mapreduce/process/process.h"

namespace trommel::mr {
namespace {

using Clock = std::chrono::steady_clock;

// Reads both pipes until they end; false when the time is up before.
bool ReadBoth(const Process& process, Clock::time_point deadline,
              CommandOutput* output) {
  pollfd files[2] = {{process.output(), POLLIN, 0},
                     {process.errors(), POLLIN, 0}};
  std::string* const texts[2] = {&output->out, &output->err};
  int open = 2;
  while (open > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - Clock::now());
    if (left.count() <= 0) return false;
    const int ready = ::poll(files, 2, static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (files[i].revents == 0) continue;
      char buffer[8192];
      const ssize_t count = ::read(files[i].fd, buffer, sizeof(buffer));
      if (count > 0) {
        texts[i]->append(buffer, static_cast<size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        files[i].fd = -1;
        --open;
      }
    }
  }
  return true;
}

}  // namespace

absl::StatusOr<CommandOutput> RunCommand(
    const std::vector<std::string>& arguments,
    const std::vector<std::pair<std::string, std::string>>& environment,
    int timeout_s) {
  ProcessOptions options;
  options.program = arguments.front();
  options.arguments.assign(arguments.begin() + 1, arguments.end());
  options.environment = environment;
  options.output = Stream::Pipe();
  options.errors = Stream::Pipe();
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Process> process,
                           Process::Start(options));
  CommandOutput output;
  if (!ReadBoth(*process, Clock::now() + std::chrono::seconds(timeout_s),
                &output)) {
    return absl::DeadlineExceededError(
        StrCat(arguments[0], " ", arguments.size() > 1 ? arguments[1] : "",
               " did not end within ", timeout_s, " s"));
  }
  process->Wait();
  const int status = process->wait_status();
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  return output;
}

}  // namespace trommel::mr
