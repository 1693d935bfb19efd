#include "jobs/run/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/status.h"

namespace trommel::run {
namespace {

constexpr int kCannotStart = 127;

// Runs in the child, between fork() and execv(): system calls only.
void Become(const char* program, char* const* arguments, const char* folder,
            int input, int output, int errors, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kCannotStart);  // it died meanwhile
  if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(errors, 2) < 0) {
    ::_exit(kCannotStart);
  }
  if (*folder != '\0' && ::chdir(folder) != 0) ::_exit(kCannotStart);
  ::execv(program, arguments);
  ::_exit(kCannotStart);
}

int OpenFile(const std::string& file, int flags) {
  return ::open(file.c_str(), flags | O_CLOEXEC, 0644);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const Options& options) {
  const int input =
      OpenFile(options.input.empty() ? "/dev/null" : options.input, O_RDONLY);
  const int output = OpenFile(options.output, O_WRONLY | O_CREAT | O_TRUNC);
  const int errors = OpenFile(options.errors, O_WRONLY | O_CREAT | O_APPEND);
  const auto close_all = [&] {
    for (const int descriptor : {input, output, errors}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  };
  if (input < 0 || output < 0 || errors < 0) {
    const std::string why = std::strerror(errno);
    close_all();
    return absl::UnavailableError(StrCat("cannot open ",
                                         input < 0    ? options.input
                                         : output < 0 ? options.output
                                                      : options.errors,
                                         ": ", why));
  }
  std::vector<std::string> words = options.arguments;
  words.insert(words.begin(), options.program);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::unique_ptr<ChildProcess> child(new ChildProcess());
  const pid_t parent = ::getpid();
  child->pid_ = ::fork();
  if (child->pid_ == 0) {
    Become(options.program.c_str(), arguments.data(), options.folder.c_str(),
           input, output, errors, parent);
  }
  const std::string why = std::strerror(errno);
  close_all();
  if (child->pid_ < 0) {
    return absl::UnavailableError(StrCat("cannot start a process: ", why));
  }
  child->pid_descriptor_ =
      static_cast<int>(::syscall(SYS_pidfd_open, child->pid_, 0));
  return child;
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0 && !ended_) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (pid_descriptor_ >= 0) ::close(pid_descriptor_);
}

bool ChildProcess::HasEnded() {
  if (ended_) return true;
  const pid_t result = ::waitpid(pid_, &wait_status_, WNOHANG);
  ended_ = result == pid_ || (result < 0 && errno == ECHILD);
  return ended_;
}

void ChildProcess::WaitForAny(const std::vector<const ChildProcess*>& processes,
                              int timeout_ms) {
  constexpr int kWithoutDescriptorMs = 50;
  std::vector<pollfd> polled;
  for (const ChildProcess* const process : processes) {
    if (process->pid_descriptor_ < 0) {
      timeout_ms = std::min(timeout_ms, kWithoutDescriptorMs);
    } else {
      polled.push_back({process->pid_descriptor_, POLLIN, 0});
    }
  }
  ::poll(polled.data(), polled.size(), timeout_ms);
}

std::string DescribeWaitStatus(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return StrCat("killed by signal ", signal, " (", ::strsignal(signal), ")");
  }
  return StrCat("exit code ", WEXITSTATUS(wait_status));
}

}  // namespace trommel::run
