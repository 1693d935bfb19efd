// Processes of tasks are killed at random while a job runs; its rows must be
// those of a job that nobody disturbed. TROMMEL_CHAOS_ROUNDS overrides the
// number of rounds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/base/random.h"
#include "core/base/status.h"
#include "tests/mapreduce/engine/engine_fixture.h"
#include "tests/testing/seed.h"

namespace trommel::mr {
namespace {

using testing_support::EchoColumns;
using testing_support::EchoRow;
using testing_support::Rows;

std::string ReadProc(const std::string& pid, const std::string& file) {
  std::ifstream in("/proc/" + pid + "/" + file);
  return std::string((std::istreambuf_iterator<char>(in)),
                     std::istreambuf_iterator<char>());
}

bool IsChildOfThisProcess(const std::string& pid) {
  return ReadProc(pid, "status")
             .find("\nPPid:\t" + std::to_string(::getpid()) + "\n") !=
         std::string::npos;
}

// Whether a process runs a task of a job on the cluster under test: trommel's
// own processes, and the Java processes around them.
bool IsTaskOnCluster(const std::string& pid) {
  const std::string command = ReadProc(pid, "cmdline");
  const std::string task("trommel\0task\0", 13);
  if (command.find(task) == std::string::npos &&
      command.find("org.apache.hadoop.mapred.YarnChild") == std::string::npos) {
    return false;
  }
  const char* const conf = std::getenv("HADOOP_CONF_DIR");
  return conf != nullptr &&
         ReadProc(pid, "environ").find(StrCat("HADOOP_CONF_DIR=", conf)) !=
             std::string::npos;
}

std::vector<pid_t> TaskProcesses(bool hadoop) {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (hadoop ? IsTaskOnCluster(name) : IsChildOfThisProcess(name)) {
      found.push_back(std::atoi(name.c_str()));
    }
  }
  return found;
}

class Killer {
 public:
  Killer(bool hadoop, uint64_t seed)
      : thread_([this, hadoop, seed] { Run(hadoop, seed); }) {}
  ~Killer() { Stop(); }
  // How many it has killed.
  int Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return killed_;
  }

 private:
  void Run(bool hadoop, uint64_t seed) {
    Random random(seed);
    // On a cluster a task takes seconds to start again.
    const uint64_t pause_ms = hadoop ? 4000 : 250;
    const int most = hadoop ? 3 : 1000;
    while (!stop_ && killed_ < most) {
      const auto pause =
          std::chrono::milliseconds(pause_ms / 2 + random.Below(pause_ms));
      const auto until = std::chrono::steady_clock::now() + pause;
      while (!stop_ && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
      const std::vector<pid_t> processes = TaskProcesses(hadoop);
      if (stop_ || processes.empty()) continue;
      const pid_t victim = processes[random.Below(processes.size())];
      if (::kill(victim, SIGKILL) == 0) ++killed_;
    }
  }

  std::atomic<bool> stop_ = false;
  std::atomic<int> killed_ = 0;
  std::thread thread_;
};

class Chaos : public testing_support::EngineFixture {};

TEST_P(Chaos, RowsAreTheSameWhateverIsKilled) {
  const char* const rounds_text = std::getenv("TROMMEL_CHAOS_ROUNDS");
  const int rounds = rounds_text == nullptr ? 20 : std::atoi(rounds_text);
  const uint64_t seed = testing_support::TestSeed(99);
  std::vector<EchoRow> input;
  for (int64_t i = 0; i < 600; ++i) {
    input.push_back({StrCat("key", i % 37), i, StrCat("value", i), "sleep"});
  }
  input[17].action = "reject";
  WriteEchoRows("in", input, 150);
  limits_.max_attempts = 50;
  limits_.row_timeout_s = 60;
  const StepSpec spec = Spec("echo", "in", EchoColumns(), 2);
  const absl::StatusOr<JobResult> calm = Run(spec, "calm");
  ASSERT_TRUE(calm.ok()) << calm.status();
  const Rows expected = ReadEcho("calm");
  const Rows expected_rejects = ReadRejects("calm");
  int total = 0;
  for (int round = 0; round < rounds; ++round) {
    const uint64_t round_seed = seed + static_cast<uint64_t>(round);
    const std::string out = StrCat("out", round);
    Killer killer(is_hadoop(), round_seed);
    const absl::StatusOr<JobResult> result = Run(spec, out);
    const int killed = killer.Stop();
    total += killed;
    std::cout << "round " << round << ", seed " << round_seed << ": killed "
              << killed << std::endl;
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_EQ(ReadEcho(out), expected);
    ASSERT_EQ(ReadRejects(out), expected_rejects);
    ASSERT_EQ(result->steps[0].counters, calm->steps[0].counters);
  }
  EXPECT_GT(total, rounds / 2) << "too few were killed to mean anything";
}

INSTANTIATE_TEST_SUITE_P(Local, Chaos, testing::Values("local"));
INSTANTIATE_TEST_SUITE_P(Hadoop, Chaos, testing::Values("hadoop"));

}  // namespace
}  // namespace trommel::mr
