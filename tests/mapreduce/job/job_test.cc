#include "mapreduce/job/job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::mr {
namespace {

class NamedStep final : public Step {
 public:
  explicit NamedStep(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  absl::StatusOr<std::vector<OutputTable>> Outputs(
      const TaskContext& /*context*/) const override {
    return std::vector<OutputTable>();
  }
  absl::StatusOr<std::unique_ptr<Mapper>> MakeMapper(
      const TaskContext& /*context*/) const override {
    return nullptr;
  }

 private:
  std::string name_;
};

TEST(FindStep, FindsByNameAndListsWhatThereIs) {
  StepRegistry registry;
  registry.push_back(std::make_unique<NamedStep>("stats.count"));
  registry.push_back(std::make_unique<NamedStep>("stats.merge"));
  for (const std::unique_ptr<Step>& step : registry) {
    const auto found = FindStep(registry, step->name());
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, step.get());
  }
  const auto missing = FindStep(registry, "stats");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.status().message()),
              testing::AllOf(testing::HasSubstr("\"stats\""),
                             testing::HasSubstr("stats.count, stats.merge")));
}

}  // namespace
}  // namespace trommel::mr
