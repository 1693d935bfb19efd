#include "mapreduce/io/move.h"

#include <arrow/filesystem/filesystem.h>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "mapreduce/io/arrow_status.h"

namespace trommel::io {
namespace {

// Copies a file, or a directory with all that is in it.
absl::Status Copy(const Entry& from, const Path& to) {
  if (from.kind == EntryKind::kDirectory) {
    arrow::fs::FileSelector selector;
    selector.base_dir = from.path.path;
    selector.recursive = true;
    return FromArrow(arrow::fs::CopyFiles(from.path.file_system, selector,
                                          to.file_system, to.path),
                     StrCat("copying ", from.path.name, " to ", to.name));
  }
  return FromArrow(
      arrow::fs::CopyFiles({{from.path.file_system, from.path.path}},
                           {{to.file_system, to.path}}),
      StrCat("copying ", from.path.name, " to ", to.name));
}

}  // namespace

absl::Status Move(const Path& from, const Path& to) {
  if (from.file_system->Equals(*to.file_system) && Rename(from, to).ok()) {
    return absl::OkStatus();
  }
  // It is another disk, or another cluster; anything else that is wrong shows
  // when it is copied.
  const Path copy = to.Parent().Child(StrCat(".", to.BaseName(), ".copy"));
  TROMMEL_RETURN_IF_ERROR(RemoveAll(copy));
  TROMMEL_ASSIGN_OR_RETURN(const Entry entry, Stat(from));
  TROMMEL_RETURN_IF_ERROR(Copy(entry, copy));
  TROMMEL_RETURN_IF_ERROR(Rename(copy, to));
  return RemoveAll(from);
}

}  // namespace trommel::io
