#include "mapreduce/io/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "core/base/status.h"

namespace trommel::io {

absl::StatusOr<std::unique_ptr<ScratchFolder>> ScratchFolder::Create(
    const std::string& parent, const std::string& prefix) {
  std::error_code error;
  std::string place = parent;
  if (place.empty()) {
    place = std::filesystem::temp_directory_path(error).string();
  } else {
    std::filesystem::create_directories(place, error);
  }
  std::string pattern = StrCat(place, "/", prefix, "-XXXXXX");
  if (error || ::mkdtemp(pattern.data()) == nullptr) {
    return absl::UnavailableError(
        StrCat("cannot create a folder for temporary files in ",
               place.empty() ? "TMPDIR" : place, ": ",
               error ? error.message() : std::strerror(errno)));
  }
  return std::unique_ptr<ScratchFolder>(new ScratchFolder(std::move(pattern)));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace trommel::io
