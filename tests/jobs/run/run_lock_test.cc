#include "jobs/run/run_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

class RunLockTest : public testing::Test {
 protected:
  // The lock of somebody who is like this process but for what `change` does.
  template <typename Change>
  void Hold(Change change) {
    LockHolder holder = LockHolder::ThisProcess();
    change(&holder);
    WriteWholeFile(temp_ / "run.lock", JsonLineText(ToJson(holder)));
  }
  std::string Error() {
    return std::string(RunLock::Take(temp_.path()).status().message());
  }

  TempDir temp_;
};

TEST_F(RunLockTest, OneAtATime) {
  auto lock = RunLock::Take(temp_.path());
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_EQ((*lock)->taken_over(), "");
  EXPECT_THAT(Error(), HasSubstr("another run is going on: process"));
  lock->reset();
  EXPECT_FALSE(std::filesystem::exists(temp_ / "run.lock"));
  EXPECT_TRUE(RunLock::Take(temp_.path()).ok());
}

TEST_F(RunLockTest, StaleLocksAreTakenOver) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const pid_t zombie = ::fork();
  if (zombie == 0) ::_exit(0);
  siginfo_t info;
  ::waitid(P_PID, static_cast<id_t>(zombie), &info, WEXITED | WNOWAIT);
  struct Case {
    std::string label;
    std::function<void(LockHolder*)> change;
  };
  const Case cases[] = {
      {"that process is gone", [&](LockHolder* h) { h->process.pid = gone; }},
      {"that process is gone", [&](LockHolder* h) { h->process.pid = zombie; }},
      {"another process now", [](LockHolder* h) { ++h->process.start_ticks; }},
      {"started again since", [](LockHolder* h) { h->process.boot_id = "x"; }},
  };
  for (const Case& c : cases) {
    Hold(c.change);
    const auto lock = RunLock::Take(temp_.path());
    ASSERT_TRUE(lock.ok()) << c.label << lock.status();
    EXPECT_THAT((*lock)->taken_over(), HasSubstr(c.label));
  }
  ::waitpid(zombie, nullptr, 0);
}

TEST_F(RunLockTest, LocksOfOtherHostsSayHowToRemoveThem) {
  Hold([](LockHolder* holder) { holder->process.host = "elsewhere"; });
  EXPECT_THAT(Error(), AllOf(HasSubstr("elsewhere"),
                             HasSubstr("rm " + temp_ / "run.lock")));
  EXPECT_TRUE(std::filesystem::exists(temp_ / "run.lock"));
  WriteWholeFile(temp_ / "run.lock", "scribble");
  EXPECT_THAT(Error(), HasSubstr("rm " + temp_ / "run.lock"));
}

}  // namespace
}  // namespace trommel::jobs::run
