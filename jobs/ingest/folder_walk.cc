#include "jobs/ingest/folder_walk.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/status.h"

namespace trommel::jobs::ingest {
namespace {

namespace fs = std::filesystem;

// What a kind of file is counted as; empty for files and folders.
std::string_view SkippedAs(fs::file_type type) {
  switch (type) {
    case fs::file_type::symlink:
      return kSkippedLink;
    case fs::file_type::fifo:
      return kSkippedPipe;
    case fs::file_type::socket:
      return kSkippedSocket;
    case fs::file_type::block:
    case fs::file_type::character:
      return kSkippedDevice;
    default:
      return {};
  }
}

using Step = FolderWalk::Step;

// What is in a folder of this machine. (Arrow's listing follows links, and
// leaves out those that lead nowhere.)
absl::StatusOr<std::vector<Step>> ListLocal(const io::Path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder.path, error), end;
       !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) return absl::ErrnoToStatus(error.value(), folder.name);
  std::sort(names.begin(), names.end());
  std::vector<Step> steps;
  for (const std::string& name : names) {
    Step step;
    step.entry.path = folder.Child(name);
    step.skipped =
        SkippedAs(fs::symlink_status(step.entry.path.path, error).type());
    if (step.skipped.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(step.entry, io::Stat(step.entry.path));
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

// The same anywhere. Other file systems have files and folders only.
absl::StatusOr<std::vector<Step>> List(const io::Path& folder) {
  if (io::IsLocal(folder)) return ListLocal(folder);
  TROMMEL_ASSIGN_OR_RETURN(std::vector<io::Entry> entries,
                           io::ListDirectory(folder, /*recursive=*/false));
  std::vector<Step> steps;
  for (io::Entry& entry : entries) steps.push_back({std::move(entry), {}});
  return steps;
}

}  // namespace

FolderWalk::FolderWalk(const io::Path& folder) {
  pending_.push_back({{folder, io::EntryKind::kDirectory}, {}});
}

absl::StatusOr<bool> FolderWalk::Next(Step* step) {
  while (!pending_.empty()) {
    *step = std::move(pending_.back());
    pending_.pop_back();
    if (!step->skipped.empty()) return true;
    if (step->entry.kind == io::EntryKind::kFile) return true;
    if (step->entry.kind == io::EntryKind::kNone) continue;  // just removed
    TROMMEL_ASSIGN_OR_RETURN(std::vector<Step> steps, List(step->entry.path));
    for (Step& below : steps) {
      if (io::IsHidden(below.entry.path.BaseName())) {
        below.skipped = kSkippedHidden;
      }
    }
    pending_.insert(pending_.end(), std::make_move_iterator(steps.rbegin()),
                    std::make_move_iterator(steps.rend()));
  }
  return false;
}

absl::Status CheckFileInFolder(const io::Path& folder, const io::Path& file) {
  if (!io::IsLocal(file)) return absl::OkStatus();
  std::error_code error;
  const fs::path real_folder = fs::canonical(folder.path, error);
  if (error) return absl::OkStatus();  // opening it says what is wrong
  const fs::path real_file = fs::canonical(file.path, error);
  if (error) return absl::OkStatus();
  const auto [end, ignored] =
      std::mismatch(real_folder.begin(), real_folder.end(), real_file.begin(),
                    real_file.end());
  if (end != real_folder.end()) {
    return absl::InvalidArgumentError("a link leads out of the directory");
  }
  const std::string_view skipped = SkippedAs(fs::status(real_file).type());
  if (!skipped.empty()) {
    return absl::InvalidArgumentError(StrCat("not a file but a ", skipped));
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::ingest
