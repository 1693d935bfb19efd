#include "jobs/cli/command_line.h"
#include "jobs/registry.h"

int main(int argc, char** argv) {
  return trommel::jobs::cli::RunCommandLine(argc, argv,
                                            trommel::jobs::AllVerbs());
}
