// The main program of tests that run jobs of test_steps.h. Engines start this
// same program again for tasks ("task JOB KIND ..."), here or on a cluster.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "jobs/cli/command_line.h"
#include "jobs/registry.h"
#include "tests/mapreduce/engine/test_steps.h"

namespace trommel {
namespace {

class TestJobsVerb final : public jobs::cli::Verb {
 public:
  TestJobsVerb()
      : Verb("test",
             "jobs of tests\n\njobs of tests\n\nExample:\n  trommel test\n") {}
  void DefineFlags(jobs::cli::Flags* /*flags*/) override {}
  absl::StatusOr<jobs::cli::Report> Run() override {
    return jobs::cli::Report();
  }
  mr::StepRegistry MakeSteps() const override {
    return testing_support::MakeTestSteps();
  }
};

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "task") == 0) {
    std::vector<std::unique_ptr<trommel::jobs::cli::Verb>> verbs;
    verbs.push_back(std::make_unique<trommel::TestJobsVerb>());
    trommel::jobs::task::AddTaskVerb(&verbs);
    return trommel::jobs::cli::RunCommandLine(argc, argv, verbs);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
