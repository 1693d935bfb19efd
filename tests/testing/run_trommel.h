#ifndef TROMMEL_TESTS_TESTING_RUN_TROMMEL_H_
#define TROMMEL_TESTS_TESTING_RUN_TROMMEL_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "jobs/cli/command_line.h"
#include "jobs/registry.h"

namespace trommel::testing_support {

struct CommandResult {
  int exit_code = 0;
  std::string out;
  std::string err;
};

// Runs `trommel ARGUMENTS...` in this process, all verbs included.
inline CommandResult RunTrommel(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"trommel"};
  for (const std::string& argument : arguments) {
    argv.push_back(argument.c_str());
  }
  CommandResult result;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  result.exit_code = jobs::cli::RunCommandLine(static_cast<int>(argv.size()),
                                               argv.data(), jobs::AllVerbs());
  result.out = testing::internal::GetCapturedStdout();
  result.err = testing::internal::GetCapturedStderr();
  return result;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_RUN_TROMMEL_H_
