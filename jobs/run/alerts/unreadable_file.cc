#include "jobs/run/alerts/unreadable_file.h"

#include <filesystem>
#include <system_error>

#include "core/base/strings.h"

namespace trommel::jobs::run::alerts {
namespace {

constexpr char kEnding[] = ".unreadable";

}  // namespace

std::string MoveUnreadableAside(const io::Path& file) {
  std::error_code error;  // it is then written over
  std::filesystem::rename(file.path, StrCat(file.path, kEnding), error);
  return StrCat(file.name, kEnding);
}

}  // namespace trommel::jobs::run::alerts
