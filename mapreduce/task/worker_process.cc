#include "mapreduce/task/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/status.h"

extern char** environ;

namespace trommel::mr {
namespace {

constexpr size_t kErrorTailBytes = 2000;

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(
    std::string error_file) {
  // A process that died before it was told what to do must not take this one
  // along.
  std::signal(SIGPIPE, SIG_IGN);
  std::unique_ptr<WorkerProcess> worker(
      new WorkerProcess(std::move(error_file)));
  int commands[2] = {-1, -1};
  int answers[2] = {-1, -1};
  if (::pipe2(commands, O_CLOEXEC) != 0 || ::pipe2(answers, O_CLOEXEC) != 0) {
    if (commands[0] >= 0) ::close(commands[0]);
    if (commands[1] >= 0) ::close(commands[1]);
    return absl::UnavailableError(
        StrCat("cannot create a pipe: ", std::strerror(errno)));
  }
  worker->commands_ = commands[1];
  worker->answers_ = answers[0];
  ::fcntl(worker->answers_, F_SETFL, O_NONBLOCK);
  std::string words[] = {"trommel", "task", "-", "worker",
                         StrCat("--supervisor=", ::getpid())};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(),
                       words[3].data(), words[4].data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, commands[0], 0);
  posix_spawn_file_actions_adddup2(&files, answers[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, worker->error_file_.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int result = ::posix_spawn(&worker->pid_, "/proc/self/exe", &files,
                                   nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(commands[0]);
  ::close(answers[1]);
  if (result != 0) {
    worker->pid_ = -1;
    return absl::UnavailableError(
        StrCat("cannot start a worker process: ", std::strerror(result)));
  }
  return worker;
}

WorkerProcess::~WorkerProcess() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (commands_ >= 0) ::close(commands_);
  if (answers_ >= 0) ::close(answers_);
}

void WorkerProcess::Run(const std::string& attempt_file) {
  const std::string line = attempt_file + "\n";
  // A line is shorter than a pipe's buffer. Should the process be dead, Poll()
  // will tell.
  const ssize_t ignored = ::write(commands_, line.data(), line.size());
  (void)ignored;
}

void WorkerProcess::Kill() {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

WorkerProcess::Event WorkerProcess::Poll() {
  char answer;
  const ssize_t count = ::read(answers_, &answer, 1);
  if (count == 1) return Event::kAttemptEnded;
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Event::kNone;
  // The pipe is closed: the process has ended, or is about to.
  while (::waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return Event::kDied;
}

int64_t WorkerProcess::ResidentMegabytes() const {
  std::ifstream file(StrCat("/proc/", pid_, "/statm"));
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) >> 20;
}

std::string WorkerProcess::ErrorTail() const {
  std::ifstream file(error_file_);
  std::string text((std::istreambuf_iterator<char>(file)),
                   std::istreambuf_iterator<char>());
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.size() <= kErrorTailBytes
             ? text
             : text.substr(text.size() - kErrorTailBytes);
}

void WorkerProcess::WaitForAny(
    const std::vector<const WorkerProcess*>& processes, int timeout_ms) {
  std::vector<pollfd> files;
  files.reserve(processes.size());
  for (const WorkerProcess* const process : processes) {
    files.push_back({process->answers_, POLLIN, 0});
  }
  ::poll(files.data(), files.size(), timeout_ms);
}

}  // namespace trommel::mr
