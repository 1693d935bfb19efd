#include "mapreduce/process/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "tests/testing/temp_dir.h"

namespace trommel::mr {
namespace {

using ::testing::HasSubstr;
using testing_support::TempDir;

TEST(RunCommand, ReturnsOutputErrorsAndExitCode) {
  const absl::StatusOr<CommandOutput> output =
      RunCommand({"sh", "-c", "echo out; echo err >&2; exit 3"}, {}, 10);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->out, "out\n");
  EXPECT_EQ(output->err, "err\n");
  EXPECT_EQ(output->exit_code, 3);
}

TEST(RunCommand, AddsToAndReplacesTheEnvironment) {
  ::setenv("TROMMEL_TEST_VARIABLE", "old", 1);
  const absl::StatusOr<CommandOutput> output =
      RunCommand({"sh", "-c", "echo $TROMMEL_TEST_VARIABLE $OTHER; echo $PATH"},
                 {{"TROMMEL_TEST_VARIABLE", "new"}, {"OTHER", "too"}}, 10);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_THAT(output->out, HasSubstr("new too\n"));
  EXPECT_THAT(output->out, HasSubstr(std::getenv("PATH")));
}

TEST(RunCommand, MuchOutputOnBothSidesDoesNotBlock) {
  const absl::StatusOr<CommandOutput> output = RunCommand(
      {"sh", "-c", "head -c 500000 /dev/zero >&2; head -c 700000 /dev/zero"},
      {}, 30);
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_EQ(output->out.size(), 700000u);
  EXPECT_EQ(output->err.size(), 500000u);
}

TEST(RunCommand, TimeLimitKillsWhateverWasStarted) {
  const TempDir temp;
  const std::string pid_file = temp / "pid";
  const auto start = std::chrono::steady_clock::now();
  const absl::StatusOr<CommandOutput> output = RunCommand(
      {"sh", "-c", "sleep 600 & echo $! > " + pid_file + "; wait"}, {}, 1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(output.status())) << output.status();
  EXPECT_THAT(std::string(output.status().message()), HasSubstr("within 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  const pid_t sleeper =
      std::atoi(testing_support::ReadWholeFile(pid_file).c_str());
  ASSERT_GT(sleeper, 0);
  // It is gone, or a zombie until init takes it.
  for (int i = 0; i < 100 && ::kill(sleeper, 0) == 0; ++i) ::usleep(20000);
  const absl::StatusOr<CommandOutput> state =
      RunCommand({"ps", "-o", "stat=", "-p", std::to_string(sleeper)}, {}, 10);
  if (state.ok()) {
    EXPECT_TRUE(state->out.empty() || state->out[0] == 'Z') << state->out;
  }
}

TEST(RunCommand, MissingProgramIsNamed) {
  const absl::StatusOr<CommandOutput> output =
      RunCommand({"/no/such/program"}, {}, 10);
  EXPECT_TRUE(absl::IsNotFound(output.status()));
  EXPECT_THAT(std::string(output.status().message()),
              HasSubstr("/no/such/program"));
}

}  // namespace
}  // namespace trommel::mr
