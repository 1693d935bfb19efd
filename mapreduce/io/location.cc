#include "mapreduce/io/location.h"

#include <arrow/util/uri.h>

#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/path.h"

namespace trommel::io {
namespace {

namespace fs = std::filesystem;

// Links are followed as far as there is something; what is not there yet has
// none.
std::string WithoutLinks(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

absl::StatusOr<Location> Location::Of(std::string_view path_or_uri) {
  if (!IsOnHdfs(path_or_uri)) {
    TROMMEL_ASSIGN_OR_RETURN(const Path path, ResolvePath(path_or_uri));
    return Location(FileSystem::kLocal, WithoutLinks(path.path));
  }
  arrow::util::Uri uri;
  TROMMEL_RETURN_IF_ARROW_ERROR(uri.Parse(std::string(path_or_uri)),
                                path_or_uri);
  std::string path =
      fs::path(StrCat("/", uri.path())).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return Location(FileSystem::kHdfs, std::move(path));
}

bool Location::Contains(const Location& other) const {
  if (file_system_ != other.file_system_) return false;
  const size_t size = path_ == "/" ? 0 : path_.size();
  return other.path_.compare(0, size, path_, 0, size) == 0 &&
         (other.path_.size() == size || other.path_[size] == '/');
}

std::string Location::EntryBeside(const Location& other) const {
  const size_t begin = other.path_.rfind('/') + 1;
  if (file_system_ != other.file_system_ ||
      path_.compare(0, begin, other.path_, 0, begin) != 0) {
    return {};
  }
  return path_.substr(begin, path_.find('/', begin) - begin);
}

std::optional<std::string> Location::FindLinkTo(const Location& target) const {
  // What cannot be looked at cannot be read or replaced either.
  std::error_code error;
  if (file_system_ != FileSystem::kLocal ||
      target.file_system_ != FileSystem::kLocal ||
      !fs::exists(target.path_, error)) {
    return std::nullopt;
  }
  std::set<std::string> seen = {path_};
  std::vector<std::string> folders = {path_};
  while (!folders.empty()) {
    const std::string folder = std::move(folders.back());
    folders.pop_back();
    for (fs::directory_iterator entry(folder, error), end;
         !error && entry != end; entry.increment(error)) {
      std::error_code unknown;
      const std::string name = entry->path().string();
      const bool is_link = entry->is_symlink(unknown);
      const std::string real = is_link ? WithoutLinks(name) : name;
      const Location location(FileSystem::kLocal, real);
      if (is_link && (target.Contains(location) || location.Contains(target))) {
        return name;
      }
      if (entry->is_directory(unknown) && seen.insert(real).second) {
        folders.push_back(real);
      }
    }
  }
  return std::nullopt;
}

}  // namespace trommel::io
