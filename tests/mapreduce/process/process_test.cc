#include "mapreduce/process/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "mapreduce/process/process_identity.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

ProcessOptions Shell(const std::string& script) {
  ProcessOptions options;
  options.program = "sh";
  options.arguments = {"-c", script};
  return options;
}

std::unique_ptr<Process> StartOrDie(const ProcessOptions& options) {
  absl::StatusOr<std::unique_ptr<Process>> process = Process::Start(options);
  EXPECT_TRUE(process.ok()) << process.status();
  return process.ok() ? *std::move(process) : nullptr;
}

std::string ReadToEnd(int descriptor) {
  std::string text;
  char buffer[256];
  for (ssize_t count = 1; count > 0;) {
    count = ::read(descriptor, buffer, sizeof(buffer));
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

// What a script prints, after it ended with 0.
std::string Print(ProcessOptions options) {
  options.output = Stream::Pipe();
  const std::unique_ptr<Process> process = StartOrDie(options);
  if (process == nullptr) return "";
  std::string text = ReadToEnd(process->output());
  process->Wait();
  EXPECT_EQ(process->wait_status(), 0);
  return text;
}

// The number in a file, when there is one.
pid_t PidIn(const std::string& file) {
  for (int i = 0; i < 500; ++i) {
    if (::access(file.c_str(), F_OK) == 0) {
      const pid_t pid = std::atoi(ReadWholeFile(file).c_str());
      if (pid > 0) return pid;
    }
    ::usleep(10000);
  }
  return 0;
}

bool EndsSoon(pid_t pid) {
  for (int i = 0; i < 500 && IsRunning(pid); ++i) ::usleep(10000);
  return !IsRunning(pid);
}

TEST(Process, StreamsAreFilesPipesOrNothing) {
  const TempDir temp;
  WriteWholeFile(temp / "in", "read me");
  WriteWholeFile(temp / "out", "a long text that goes away");
  WriteWholeFile(temp / "err", "stays, ");
  ProcessOptions options = Shell("cat; echo comes >&2");
  options.input = Stream::File(temp / "in");
  options.output = Stream::File(temp / "out");
  options.errors = Stream::AppendTo(temp / "err");
  const std::unique_ptr<Process> files = StartOrDie(options);
  ASSERT_NE(files, nullptr);
  files->Wait();
  EXPECT_EQ(files->wait_status(), 0);
  EXPECT_EQ(files->input(), -1);
  EXPECT_EQ(ReadWholeFile(temp / "out"), "read me");
  EXPECT_EQ(ReadWholeFile(temp / "err"), "stays, comes\n");

  options = Shell("read line; echo got $line; echo no >&2");
  options.input = options.output = options.errors = Stream::Pipe();
  const std::unique_ptr<Process> pipes = StartOrDie(options);
  ASSERT_NE(pipes, nullptr);
  ASSERT_EQ(::write(pipes->input(), "it\n", 3), 3);
  EXPECT_EQ(ReadToEnd(pipes->output()), "got it\n");
  EXPECT_EQ(ReadToEnd(pipes->errors()), "no\n");

  EXPECT_EQ(Print(Shell("cat")), "");  // and standard input is empty
}

TEST(Process, NameFolderAndEnvironment) {
  const TempDir temp;
  ::setenv("TROMMEL_TEST_VARIABLE", "old", 1);
  ProcessOptions options = Shell("echo $TROMMEL_TEST_VARIABLE $0; pwd");
  EXPECT_THAT(Print(options), HasSubstr("old sh\n"));
  options.name = "called";
  options.folder = temp.path();
  options.environment = {{"TROMMEL_TEST_VARIABLE", "new"}};
  EXPECT_EQ(Print(options), "new called\n" + temp.path() + "\n");
}

TEST(Process, WhatCannotStartSaysWhy) {
  const TempDir temp;
  WriteWholeFile(temp / "text", "not a program");
  struct Case {
    std::string label;
    void (*change)(const TempDir&, ProcessOptions*);
    absl::StatusCode code;
    std::string message;
  };
  const Case cases[] = {
      {"no program",
       [](const TempDir&, ProcessOptions* o) { o->program = "/no/program"; },
       absl::StatusCode::kNotFound, "cannot run /no/program: No such file"},
      {"not in PATH",
       [](const TempDir&, ProcessOptions* o) { o->program = "no-program"; },
       absl::StatusCode::kNotFound, "cannot run no-program: No such file"},
      {"may not be run",
       [](const TempDir& t, ProcessOptions* o) { o->program = t / "text"; },
       absl::StatusCode::kUnavailable, "Permission denied"},
      {"no folder",
       [](const TempDir&, ProcessOptions* o) { o->folder = "/no/folder"; },
       absl::StatusCode::kNotFound, "cannot run sh in /no/folder: No such"},
      {"no input",
       [](const TempDir&, ProcessOptions* o) {
         o->input = Stream::File("/no/input");
       },
       absl::StatusCode::kUnavailable, "cannot open /no/input: No such file"},
      {"no output",
       [](const TempDir&, ProcessOptions* o) {
         o->output = Stream::File("/no/output");
       },
       absl::StatusCode::kUnavailable, "cannot open /no/output: No such file"},
  };
  for (const Case& c : cases) {
    ProcessOptions options = Shell("true");
    c.change(temp, &options);
    const absl::Status status = Process::Start(options).status();
    EXPECT_EQ(status.code(), c.code) << c.label << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.label;
  }
}

TEST(Process, HasEndedAndWaitForTellTheTruth) {
  ProcessOptions options = Shell("read line; exit 5");
  options.input = Stream::Pipe();
  const std::unique_ptr<Process> process = StartOrDie(options);
  ASSERT_NE(process, nullptr);
  EXPECT_FALSE(process->HasEnded());
  EXPECT_FALSE(process->WaitFor(milliseconds(30)));
  ASSERT_EQ(::write(process->input(), "\n", 1), 1);
  EXPECT_TRUE(process->WaitFor(seconds(30)));
  EXPECT_TRUE(process->HasEnded());
  EXPECT_EQ(DescribeWaitStatus(process->wait_status()), "exit code 5");
  process->Kill();  // has nobody to kill
}

TEST(Process, KillTakesTheGroupAlong) {
  const TempDir temp;
  const std::unique_ptr<Process> process =
      StartOrDie(Shell("sleep 600 & echo $! >" + temp / "pid" + "; wait"));
  ASSERT_NE(process, nullptr);
  const pid_t sleeper = PidIn(temp / "pid");
  ASSERT_GT(sleeper, 0);
  process->Kill();
  process->Wait();
  EXPECT_EQ(DescribeWaitStatus(process->wait_status()),
            "killed by signal 9 (Killed)");
  EXPECT_TRUE(EndsSoon(sleeper));
}

TEST(Process, DiesWithItsObjectAndLeavesNoZombie) {
  std::unique_ptr<Process> process = StartOrDie(Shell("sleep 600"));
  ASSERT_NE(process, nullptr);
  const pid_t pid = process->pid();
  EXPECT_EQ(::getpgid(pid), pid);
  process.reset();
  EXPECT_NE(::kill(pid, 0), 0);
  ProcessOptions options = Shell("sleep 600");
  options.has_own_group = false;
  process = StartOrDie(options);
  ASSERT_NE(process, nullptr);
  EXPECT_EQ(::getpgid(process->pid()), ::getpgrp());
  process.reset();
}

TEST(Process, DiesWithItsParent) {
  const TempDir temp;
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto process =
        Process::Start(Shell("echo $$ >" + temp / "pid" + "; exec sleep 600"));
    for (;;) ::pause();
  }
  const pid_t sleeper = PidIn(temp / "pid");
  ASSERT_GT(sleeper, 0);
  ::kill(parent, SIGKILL);
  ASSERT_EQ(::waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(EndsSoon(sleeper));
}

TEST(Process, WaitForAnyEndsWithAnEndOrAWrittenLine) {
  const std::unique_ptr<Process> slow = StartOrDie(Shell("sleep 600"));
  const std::unique_ptr<Process> fast = StartOrDie(Shell("sleep 0.1"));
  ASSERT_TRUE(slow != nullptr && fast != nullptr);
  const auto begin = std::chrono::steady_clock::now();
  while (!fast->HasEnded()) {
    Process::WaitForAny({slow.get(), fast.get()}, seconds(300));
  }
  ProcessOptions options = Shell("echo here; sleep 600");
  options.output = Stream::Pipe();
  const std::unique_ptr<Process> writing = StartOrDie(options);
  ASSERT_NE(writing, nullptr);
  Process::WaitForAny({slow.get(), writing.get()}, seconds(300));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(200));
  EXPECT_FALSE(slow->HasEnded());
  EXPECT_FALSE(writing->HasEnded());
  Process::WaitForAny({slow.get()}, milliseconds(10));
}

// A worker's owner ignores the signal; what it starts must not inherit that.
TEST(Process, BrokenPipesEndPrograms) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  ProcessOptions options = Shell("kill -PIPE $$");
  const std::unique_ptr<Process> process = StartOrDie(options);
  std::signal(SIGPIPE, before);
  ASSERT_NE(process, nullptr);
  process->Wait();
  EXPECT_EQ(DescribeWaitStatus(process->wait_status()),
            "killed by signal 13 (Broken pipe)");
}

// As under a supervisor that closes what its programs have no use for.
TEST(Process, StartsWithoutStandardStreamsOfItsOwn) {
  const TempDir temp;
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    ProcessOptions options = Shell("read line; echo got $line; echo no >&2");
    options.input = options.output = Stream::Pipe();
    options.errors = Stream::AppendTo(temp / "err");
    const auto process = Process::Start(options);
    if (!process.ok() || ::write((*process)->input(), "it\n", 3) != 3) {
      ::_exit(1);
    }
    ::_exit(ReadToEnd((*process)->output()) == "got it\n" ? 0 : 2);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace trommel::mr
