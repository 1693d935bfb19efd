#include "mapreduce/hadoop/command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "core/base/status.h"

extern char** environ;

namespace trommel::mr {
namespace {

using Clock = std::chrono::steady_clock;

// As a shell reports a program that it cannot run.
constexpr int kCannotRun = 127;

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  ~Pipe() {
    if (ends_[0] >= 0) ::close(ends_[0]);
    CloseWrite();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return ends_[0] >= 0; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void CloseWrite() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2];
};

// Reads both pipes until they end; false when the time is up before.
bool ReadBoth(const Pipe& out, const Pipe& err, Clock::time_point deadline,
              CommandOutput* output) {
  pollfd files[2] = {{out.read_end(), POLLIN, 0}, {err.read_end(), POLLIN, 0}};
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
  std::vector<std::string> words = arguments;
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<std::string> variables;
  variables.reserve(environment.size());
  for (const auto& [name, value] : environment) {
    variables.push_back(StrCat(name, "=", value));
  }
  std::vector<char*> envp;
  envp.reserve(variables.size());
  for (std::string& variable : variables) envp.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable) {
    bool replaced = false;
    for (const auto& [name, value] : environment) {
      if (std::strncmp(*variable, name.c_str(), name.size()) == 0 &&
          (*variable)[name.size()] == '=') {
        replaced = true;
      }
    }
    if (!replaced) envp.push_back(*variable);
  }
  envp.push_back(nullptr);

  Pipe out;
  Pipe err;
  if (!out.ok() || !err.ok()) {
    return absl::UnavailableError(
        StrCat("cannot create a pipe: ", std::strerror(errno)));
  }
  const int nowhere = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t parent = ::getpid();
  // Not posix_spawn(), which has no way to say that the program is to end with
  // this process: a client that goes on to submit a job nobody knows of is
  // worse than one that is cut off. Only calls that are safe after fork().
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::setpgid(0, 0);  // so that what it starts can be killed with it
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kCannotRun);
    std::signal(SIGPIPE, SIG_DFL);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(out.write_end(), STDOUT_FILENO);
    ::dup2(err.write_end(), STDERR_FILENO);
    ::execvpe(argv[0], argv.data(), envp.data());
    ::_exit(kCannotRun);
  }
  ::close(nowhere);
  if (pid < 0) {
    return absl::UnavailableError(
        StrCat("cannot start a process: ", std::strerror(errno)));
  }
  out.CloseWrite();
  err.CloseWrite();
  CommandOutput output;
  const bool in_time = ReadBoth(
      out, err, Clock::now() + std::chrono::seconds(timeout_s), &output);
  if (!in_time) ::kill(-pid, SIGKILL);
  int wait_status = 0;
  while (::waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    return absl::DeadlineExceededError(
        StrCat(arguments[0], " ", arguments.size() > 1 ? arguments[1] : "",
               " did not end within ", timeout_s, " s"));
  }
  output.exit_code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 255;
  if (output.exit_code == kCannotRun && output.err.empty()) {
    return absl::NotFoundError(StrCat("cannot run ", arguments[0]));
  }
  return output;
}

}  // namespace trommel::mr
