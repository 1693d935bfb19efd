#include "mapreduce/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/base/status.h"

extern char** environ;

// A process is started with fork() and not with posix_spawn(), which has no way
// to say that the child is to end with its parent: a client that goes on to
// submit a job nobody knows of, or a worker that goes on to write where its
// successor does, is worse than one that is cut off.
//
// Between fork() and exec() the child may only make system calls, so all that
// it needs is prepared before. Should one of them fail, the child sends errno
// through a pipe that closes by itself when the program starts: Start() reads
// either the error or the pipe's end.

namespace trommel::mr {
namespace {

// The exit code of a shell for a program that it cannot run.
constexpr int kCannotStart = 127;

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// How often to look whether a process has ended where the kernel has no
// descriptor for that.
constexpr milliseconds kWithoutDescriptor(50);

// As poll() takes it; nobody waits longer than an hour at a time.
int PollTimeout(milliseconds timeout) {
  return static_cast<int>(
      std::clamp<int64_t>(timeout.count(), 0, 60 * 60 * 1000));
}

// A file descriptor that is closed with this object.
class Descriptor {
 public:
  Descriptor() = default;
  // Takes an open descriptor. The numbers of the standard streams are given
  // up, should this process run without one of them: the child would overwrite
  // them when it moves its own there.
  explicit Descriptor(int number) : number_(number) {
    if (number < 0 || number > STDERR_FILENO) return;
    number_ = ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(number);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(other.Release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  int Release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

struct PipeEnds {
  Descriptor read;
  Descriptor write;
};

absl::StatusOr<PipeEnds> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return absl::UnavailableError(
        StrCat("cannot create a pipe: ", std::strerror(errno)));
  }
  return PipeEnds{Descriptor(ends[0]), Descriptor(ends[1])};
}

// What the child uses as a standard stream, and this process's end of a pipe.
struct OpenStream {
  Descriptor theirs;
  Descriptor ours;
};

absl::StatusOr<OpenStream> Open(const Stream& stream, bool is_input) {
  OpenStream open;
  if (stream.kind == Stream::Kind::kPipe) {
    TROMMEL_ASSIGN_OR_RETURN(PipeEnds pipe, MakePipe());
    open.theirs = std::move(is_input ? pipe.read : pipe.write);
    open.ours = std::move(is_input ? pipe.write : pipe.read);
    return open;
  }
  const std::string file =
      stream.kind == Stream::Kind::kNothing ? "/dev/null" : stream.file;
  const int flags =
      is_input ? O_RDONLY
               : O_WRONLY | O_CREAT |
                     (stream.kind == Stream::Kind::kAppendedFile ? O_APPEND
                                                                 : O_TRUNC);
  open.theirs = Descriptor(::open(file.c_str(), flags | O_CLOEXEC, 0644));
  if (open.theirs.number() < 0) {
    return absl::UnavailableError(
        StrCat("cannot open ", file, ": ", std::strerror(errno)));
  }
  return open;
}

// Words as exec() takes them.
class WordList {
 public:
  explicit WordList(std::vector<std::string> words) : words_(std::move(words)) {
    pointers_.reserve(words_.size() + 1);
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  WordList(const WordList&) = delete;
  WordList& operator=(const WordList&) = delete;
  char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

std::vector<std::string> Arguments(const ProcessOptions& options) {
  std::vector<std::string> words = options.arguments;
  words.insert(words.begin(),
               options.name.empty() ? options.program : options.name);
  return words;
}

// This process's variables with those of the options.
std::vector<std::string> Environment(const ProcessOptions& options) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : options.environment) {
    variables.push_back(StrCat(name, "=", value));
  }
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const bool is_replaced =
        std::any_of(options.environment.begin(), options.environment.end(),
                    [&](const auto& added) {
                      return std::strncmp(*variable, added.first.c_str(),
                                          added.first.size()) == 0 &&
                             (*variable)[added.first.size()] == '=';
                    });
    if (!is_replaced) variables.emplace_back(*variable);
  }
  return variables;
}

// What the child needs to become the program.
struct ChildPlan {
  const char* program;
  char* const* arguments;
  char* const* environment;
  const char* folder;
  bool has_own_group;
  int streams[3];
  int failure;  // the pipe that errno goes to
  pid_t parent;
};

// Runs in the child, between fork() and exec(): system calls only.
[[noreturn]] void Become(const ChildPlan& plan) {
  if (plan.has_own_group) ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != plan.parent) ::_exit(kCannotStart);  // it died meanwhile
  std::signal(SIGPIPE, SIG_DFL);  // this process may ignore it, most do not
  bool is_ready = true;
  for (int i = 0; i < 3; ++i) {
    is_ready = is_ready && ::dup2(plan.streams[i], i) >= 0;
  }
  if (is_ready && *plan.folder != '\0') {
    is_ready = ::chdir(plan.folder) == 0;
  }
  if (is_ready) ::execvpe(plan.program, plan.arguments, plan.environment);
  const int error = errno;
  const ssize_t ignored = ::write(plan.failure, &error, sizeof(error));
  (void)ignored;
  ::_exit(kCannotStart);
}

// The error that kept the child from becoming the program; 0: none.
int ReadFailure(int descriptor) {
  int error = 0;
  ssize_t count = 0;
  do {
    count = ::read(descriptor, &error, sizeof(error));
  } while (count < 0 && errno == EINTR);
  return count == sizeof(error) ? error : 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Process>> Process::Start(
    const ProcessOptions& options) {
  const Stream* const streams[3] = {&options.input, &options.output,
                                    &options.errors};
  std::array<OpenStream, 3> open;
  for (int i = 0; i < 3; ++i) {
    TROMMEL_ASSIGN_OR_RETURN(open[i], Open(*streams[i], /*is_input=*/i == 0));
  }
  TROMMEL_ASSIGN_OR_RETURN(PipeEnds failure, MakePipe());
  const WordList arguments(Arguments(options));
  const WordList environment(Environment(options));
  const ChildPlan plan = {options.program.c_str(),
                          arguments.data(),
                          environment.data(),
                          options.folder.c_str(),
                          options.has_own_group,
                          {open[0].theirs.number(), open[1].theirs.number(),
                           open[2].theirs.number()},
                          failure.write.number(),
                          ::getpid()};
  std::unique_ptr<Process> process(new Process());
  process->pid_ = ::fork();
  if (process->pid_ == 0) Become(plan);
  if (process->pid_ < 0) {
    return absl::UnavailableError(
        StrCat("cannot start a process: ", std::strerror(errno)));
  }
  process->pid_descriptor_ =
      static_cast<int>(::syscall(SYS_pidfd_open, process->pid_, 0));
  process->has_own_group_ = options.has_own_group;
  for (int i = 0; i < 3; ++i) process->ends_[i] = open[i].ours.Release();
  ::close(failure.write.Release());
  if (const int error = ReadFailure(failure.read.number()); error != 0) {
    const std::string message =
        StrCat("cannot run ", options.program,
               options.folder.empty() ? "" : StrCat(" in ", options.folder),
               ": ", std::strerror(error));
    return error == ENOENT ? absl::NotFoundError(message)
                           : absl::UnavailableError(message);
  }
  return process;
}

Process::~Process() {
  if (pid_ > 0 && !ended_) {
    Kill();
    Wait();
  }
  for (const int descriptor : {pid_descriptor_, ends_[0], ends_[1], ends_[2]}) {
    if (descriptor >= 0) ::close(descriptor);
  }
}

bool Process::HasEnded() {
  if (ended_) return true;
  const pid_t result = ::waitpid(pid_, &wait_status_, WNOHANG);
  ended_ = result == pid_ || (result < 0 && errno == ECHILD);
  // Somebody else has heard how it ended; that it ended well nobody knows.
  if (ended_ && result != pid_) wait_status_ = W_EXITCODE(1, 0);
  return ended_;
}

void Process::Wait() {
  while (!ended_ && !WaitFor(std::chrono::hours(1))) {
  }
}

bool Process::WaitFor(milliseconds timeout) {
  const Clock::time_point deadline = Clock::now() + timeout;
  while (!HasEnded()) {
    const milliseconds left =
        std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return false;
    pollfd end = {pid_descriptor_, POLLIN, 0};  // -1 is never ready
    ::poll(
        &end, 1,
        PollTimeout(pid_descriptor_ >= 0 ? left
                                         : std::min(left, kWithoutDescriptor)));
  }
  return true;
}

void Process::Kill() {
  if (ended_) return;
  ::kill(has_own_group_ ? -pid_ : pid_, SIGKILL);
}

void Process::WaitForAny(const std::vector<const Process*>& processes,
                         milliseconds timeout) {
  std::vector<pollfd> polled;
  for (const Process* const process : processes) {
    const int descriptor =
        process->output() >= 0 ? process->output() : process->pid_descriptor_;
    if (descriptor < 0) {
      timeout = std::min(timeout, kWithoutDescriptor);
    } else {
      polled.push_back({descriptor, POLLIN, 0});
    }
  }
  ::poll(polled.data(), polled.size(), PollTimeout(timeout));
}

std::string DescribeWaitStatus(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return StrCat("killed by signal ", signal, " (", ::strsignal(signal), ")");
  }
  return StrCat("exit code ", WEXITSTATUS(wait_status));
}

}  // namespace trommel::mr
