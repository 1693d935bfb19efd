#include "jobs/run/scheduling/local_pages.h"

#include "core/base/status.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::scheduling {
namespace {

// The folder beside annotate.html that has a page for each site.
constexpr char kAnnotateFolder[] = "annotate";

absl::Status CopyFile(const io::Path& from, const io::Path& to) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadFile(from));
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(to.Parent()));
  return io::WriteFile(to, bytes);
}

}  // namespace

const std::vector<std::string>& PageNames() {
  static const auto* const names = new std::vector<std::string>{
      "report.html", "annotate.html", "status.jsonl", "rules.textproto"};
  return *names;
}

absl::Status CopyPages(const std::string& output, const std::string& folder) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path from, io::ResolvePath(output));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path to, io::ResolvePath(folder));
  for (const std::string& name : PageNames()) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry page, io::Stat(from.Child(name)));
    if (page.kind != io::EntryKind::kFile) continue;
    TROMMEL_RETURN_IF_ERROR(CopyFile(page.path, to.Child(name)));
  }
  const io::Path annotate = from.Child(kAnnotateFolder);
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(annotate));
  if (entry.kind != io::EntryKind::kDirectory) return absl::OkStatus();
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> pages,
                           io::ListDirectory(annotate, /*recursive=*/false));
  for (const io::Entry& page : pages) {
    if (page.kind != io::EntryKind::kFile) continue;
    TROMMEL_RETURN_IF_ERROR(CopyFile(
        page.path, to.Child(kAnnotateFolder).Child(page.path.BaseName())));
  }
  return absl::OkStatus();
}

}  // namespace trommel::jobs::run::scheduling
