#include "mapreduce/task/worker_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/status.h"

namespace trommel::mr {
namespace {

constexpr size_t kErrorTailBytes = 2000;

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerProcess>> WorkerProcess::Start(
    std::string error_file) {
  // A process that died before it was told what to do must not take this one
  // along.
  std::signal(SIGPIPE, SIG_IGN);
  ProcessOptions options;
  options.program = "/proc/self/exe";
  options.name = "trommel";
  options.arguments = {"task", "-", "worker",
                       StrCat("--supervisor=", ::getpid())};
  options.input = Stream::Pipe();
  options.output = Stream::Pipe();
  options.errors = Stream::AppendTo(error_file);
  options.has_own_group = false;
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<Process> process,
                           Process::Start(options));
  ::fcntl(process->output(), F_SETFL, O_NONBLOCK);
  return std::unique_ptr<WorkerProcess>(
      new WorkerProcess(std::move(process), std::move(error_file)));
}

void WorkerProcess::Run(const std::string& attempt_file) {
  const std::string line = attempt_file + "\n";
  // A line is shorter than a pipe's buffer. Should the process be dead, Poll()
  // will tell.
  const ssize_t ignored = ::write(process_->input(), line.data(), line.size());
  (void)ignored;
}

WorkerProcess::Event WorkerProcess::Poll() {
  char answer;
  const ssize_t count = ::read(process_->output(), &answer, 1);
  if (count == 1) return Event::kAttemptEnded;
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Event::kNone;
  // The pipe is closed: the process has ended, or is about to.
  process_->Wait();
  return Event::kDied;
}

int64_t WorkerProcess::ResidentMegabytes() const {
  std::ifstream file(StrCat("/proc/", process_->pid(), "/statm"));
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

void WorkerProcess::WaitForAny(const std::vector<const WorkerProcess*>& workers,
                               std::chrono::milliseconds timeout) {
  std::vector<const Process*> processes;
  processes.reserve(workers.size());
  for (const WorkerProcess* const worker : workers) {
    processes.push_back(worker->process_.get());
  }
  Process::WaitForAny(processes, timeout);
}

}  // namespace trommel::mr
