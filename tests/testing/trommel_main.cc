// The main program of tests of verbs that run map/reduce jobs: the engines
// start this same program again, as `trommel task ...`, for their tasks.

#include <gtest/gtest.h>

#include <cstring>

#include "jobs/cli/command_line.h"
#include "jobs/registry.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "task") == 0) {
    return trommel::jobs::cli::RunCommandLine(argc, argv,
                                              trommel::jobs::AllVerbs());
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
