#include "core/learn/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trommel {
namespace {

TEST(LearnerRegistryTest, EveryNameMakesItsLearner) {
  ASSERT_FALSE(LearnerNames().empty());
  EXPECT_EQ(LearnerNames()[0], "vertex");
  for (const std::string& name : LearnerNames()) {
    const auto learner = MakeLearner(name);
    ASSERT_TRUE(learner.ok()) << learner.status();
    EXPECT_EQ((*learner)->name(), name);
  }
  EXPECT_THAT(std::string(MakeLearner("nobody").status().message()),
              testing::AllOf(testing::HasSubstr("nobody"),
                             testing::HasSubstr("vertex")));
}

}  // namespace
}  // namespace trommel
