#include "core/learn/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/core/learn/list_program.h"

namespace trommel::learn {
namespace {

// A learner that only learns says so by its name when it is asked for more.
TEST(LearnerTest, PhasesThatALearnerDoesNotHave) {
  const testing_support::ListLearner learner;
  struct Case {
    const char* label;
    bool can;
    absl::Status status;
  };
  const Case kCases[] = {
      {"train", learner.CanTrain(), learner.Train({}).status()},
      {"annotate", learner.CanAnnotate(), learner.Annotate({}).status()},
  };
  for (const Case& c : kCases) {
    EXPECT_FALSE(c.can) << c.label;
    EXPECT_EQ(c.status.code(), absl::StatusCode::kUnimplemented) << c.label;
    EXPECT_THAT(std::string(c.status.message()),
                testing::HasSubstr("the learner list "))
        << c.label;
  }
}

}  // namespace
}  // namespace trommel::learn
