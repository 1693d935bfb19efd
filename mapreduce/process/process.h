#ifndef TROMMEL_MAPREDUCE_PROCESS_PROCESS_H_
#define TROMMEL_MAPREDUCE_PROCESS_PROCESS_H_

// The one way to start a program.
//
//   ProcessOptions options;
//   options.program = "/bin/sh";
//   options.arguments = {"-c", "sort"};
//   options.input = Stream::File("words");
//   options.output = Stream::Pipe();
//   TROMMEL_ASSIGN_OR_RETURN(auto process, Process::Start(options));
//   ... read process->output() to its end ...
//   if (!process->WaitFor(std::chrono::seconds(10))) process->Kill();
//
// RunCommand() (command.h) does that for a program that is short and only
// prints.

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace trommel::mr {

// Where a process reads or writes one of its three standard streams.
struct Stream {
  enum class Kind { kNothing, kFile, kAppendedFile, kPipe };

  static Stream Nothing() { return {Kind::kNothing, ""}; }
  // A file to read, or one to write, which is emptied first.
  static Stream File(std::string file) {
    return {Kind::kFile, std::move(file)};
  }
  // A file to write, after what it has.
  static Stream AppendTo(std::string file) {
    return {Kind::kAppendedFile, std::move(file)};
  }
  // A pipe whose other end the Process object has.
  static Stream Pipe() { return {Kind::kPipe, ""}; }

  Kind kind = Kind::kNothing;
  std::string file;
};

struct ProcessOptions {
  std::string program;                 // a path, or a name to find in PATH
  std::vector<std::string> arguments;  // without the program
  std::string name;    // in a list of processes; empty: as the program
  std::string folder;  // to run in; empty: this process's
  // These are added to this process's own variables, or replace them.
  std::vector<std::pair<std::string, std::string>> environment;
  Stream input;
  Stream output;
  Stream errors;
  // A process with a group of its own is killed together with all that it has
  // started. One without shares this process's group, and so the signals that
  // the group gets from a terminal.
  bool has_own_group = true;
};

// A process that this one waits for. It dies with this one, however that ends,
// and with its Process object. One thread at a time uses an object, and the
// thread that called Start() outlives the process.
class Process {
 public:
  // Returns when the program runs. NotFound when it does not exist.
  static absl::StatusOr<std::unique_ptr<Process>> Start(
      const ProcessOptions& options);
  // Kills the process if it runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  // This process's ends of the pipes; -1 where the stream is none.
  int input() const { return ends_[0]; }
  int output() const { return ends_[1]; }
  int errors() const { return ends_[2]; }

  // Whether it has ended. Does not wait.
  bool HasEnded();
  // Waits until it has ended.
  void Wait();
  // The same; false when the time is up before.
  bool WaitFor(std::chrono::milliseconds timeout);
  // As waitpid() tells it, once it has ended.
  int wait_status() const { return wait_status_; }
  // Kills it, and its group if it has its own. It ends soon after.
  void Kill();

  // Waits until there is something to learn of one of the processes, at most
  // so long: one has ended, or has written to its piped output.
  static void WaitForAny(const std::vector<const Process*>& processes,
                         std::chrono::milliseconds timeout);

 private:
  Process() = default;

  pid_t pid_ = -1;
  bool has_own_group_ = false;
  bool ended_ = false;
  int wait_status_ = 0;
  int pid_descriptor_ = -1;  // readable when the process has ended
  int ends_[3] = {-1, -1, -1};
};

// "exit code 1", "killed by signal 9 (Killed)".
std::string DescribeWaitStatus(int wait_status);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_PROCESS_PROCESS_H_
