#include "mapreduce/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace trommel {
namespace {

TEST(Progress, IsSilentOnShortWorkWithoutATerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress("work", "pages", 1000);
    for (int i = 1; i <= 1000; ++i) progress.Update(i);
    progress.Finish();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, LogsALineAtOnce) {
  testing::internal::CaptureStderr();
  Progress progress("work", "pages", -1);
  progress.Log("something to know");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "something to know\n");
}

TEST(Progress, ALineStaysOneWhateverIsInIt) {
  testing::internal::CaptureStderr();
  Progress progress("work", "pages", -1);
  progress.Log("rejected: \x1b[2J\nrejected: nothing");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "rejected: \\u001b[2J\\nrejected: nothing\n");
}

}  // namespace
}  // namespace trommel
