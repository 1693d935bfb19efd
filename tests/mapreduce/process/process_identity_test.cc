#include "mapreduce/process/process_identity.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace trommel::mr {
namespace {

TEST(ProcessIdentity, ThisProcessRuns) {
  const ProcessIdentity self = ProcessIdentity::ThisProcess();
  EXPECT_EQ(self.pid, ::getpid());
  EXPECT_EQ(self.host, HostName());
  EXPECT_GT(self.start_ticks, 0);
  EXPECT_FALSE(self.boot_id.empty());
  EXPECT_EQ(self.WhyGone(), "");
  EXPECT_TRUE(IsRunning(self.pid));
}

TEST(ProcessIdentity, SaysWhyAProcessIsGone) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const pid_t zombie = ::fork();
  if (zombie == 0) ::_exit(0);
  siginfo_t info;
  ::waitid(P_PID, static_cast<id_t>(zombie), &info, WEXITED | WNOWAIT);
  EXPECT_FALSE(IsRunning(gone));
  EXPECT_FALSE(IsRunning(zombie));
  const ProcessIdentity self = ProcessIdentity::ThisProcess();
  struct Case {
    std::string label;
    ProcessIdentity process;
    std::string why;
  };
  const Case cases[] = {
      {"gone",
       {self.host, self.boot_id, gone, self.start_ticks},
       "that process is gone"},
      {"zombie",
       {self.host, self.boot_id, zombie, self.start_ticks},
       "that process is gone"},
      {"later",
       {self.host, self.boot_id, self.pid, self.start_ticks + 1},
       "that number is another process now"},
      {"boot",
       {self.host, "x", self.pid, self.start_ticks},
       "the machine was started again since"},
      {"elsewhere", {"elsewhere", "x", gone, 1}, ""},
  };
  for (const Case& c : cases) EXPECT_EQ(c.process.WhyGone(), c.why) << c.label;
  ::waitpid(zombie, nullptr, 0);
}

}  // namespace
}  // namespace trommel::mr
