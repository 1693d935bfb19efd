#include "jobs/cli/command_line.h"
#include "jobs/registry.h"

int main(int argc, char** argv) {
  return trommel::cli::RunCommandLine(argc, argv, trommel::AllVerbs());
}
