#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "jobs/registry.h"
#include "tests/testing/run_trommel.h"

namespace trommel::jobs::task {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::RunTrommel;

TEST(TaskVerb, WrongUsageIsNamed) {
  CommandResult result = RunTrommel({"task", "stats"});
  EXPECT_EQ(result.exit_code, 2);
  result = RunTrommel({"task", "stats", "juggle"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("juggle"));
  result = RunTrommel({"task", "nosuchjob", "map"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("nosuchjob"), HasSubstr("stats")));
}

TEST(TaskVerb, MissingSpecificationIsNamed) {
  const CommandResult result =
      RunTrommel({"task", "stats", "reduce", "--spec=/no/such/spec.json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("/no/such/spec.json"));
}

TEST(TaskVerb, HelpExplainsTheFraming) {
  const CommandResult result = RunTrommel({"task", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("rawbytes"), HasSubstr("--spec")));
}

}  // namespace
}  // namespace trommel::jobs::task
