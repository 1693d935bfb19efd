#include "mapreduce/hadoop/program_tree.h"

#include <filesystem>
#include <system_error>

namespace trommel::mr {

std::string ProgramLibraryFolder() {
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path().parent_path() / "lib").string();
}

}  // namespace trommel::mr
