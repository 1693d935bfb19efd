#include "core/learn/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/core/learn/list_program.h"

namespace trommel::learn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(LearnerRegistryTest, EveryNameMakesItsLearner) {
  ASSERT_FALSE(LearnerNames().empty());
  EXPECT_EQ(LearnerNames()[0], "auto");
  for (const std::string& name : LearnerNames()) {
    const auto learner = MakeLearner(name);
    ASSERT_TRUE(learner.ok()) << learner.status();
    EXPECT_EQ((*learner)->name(), name);
  }
  EXPECT_THAT(
      std::string(MakeLearner("nobody").status().message()),
      AllOf(HasSubstr("nobody"), HasSubstr("auto"), HasSubstr("vertex")));
}

// A learner of one's own with options, as a main program registers it.
TEST(LearnerRegistryTest, RegisteredLearners) {
  static LearnerOptions* const given = new LearnerOptions;
  RegisterLearner({"list",
                   {{"list-tag", "which elements are records", "li"},
                    {"list-max", "so many a page", "100"}},
                   [](const LearnerOptions& options)
                       -> absl::StatusOr<std::unique_ptr<Learner>> {
                     *given = options;
                     if (options.at("list-max") == "0") {
                       return absl::InvalidArgumentError("list-max is 0");
                     }
                     return std::make_unique<testing_support::ListLearner>();
                   }});
  EXPECT_THAT(LearnerNames(), testing::ElementsAre("auto", "vertex", "list"));
  ASSERT_EQ(AllLearnerOptions().size(), 2u);
  EXPECT_EQ(AllLearnerOptions()[0].name, "list-tag");

  ASSERT_TRUE(MakeLearner("list").ok());
  EXPECT_EQ(*given, LearnerOptions({{"list-tag", "li"}, {"list-max", "100"}}));
  ASSERT_TRUE(MakeLearner("list", {{"list-tag", "tr"}}).ok());
  EXPECT_EQ(given->at("list-tag"), "tr");
  EXPECT_EQ(given->at("list-max"), "100");
  // Its own options are checked by the learner; those of others are not read.
  EXPECT_EQ(MakeLearner("list", {{"list-max", "0"}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(MakeLearner("vertex", {{"list-max", "0"}}).ok());
}

}  // namespace
}  // namespace trommel::learn
