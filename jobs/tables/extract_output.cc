#include "jobs/tables/extract_output.h"

#include "core/base/status.h"
#include "core/base/strings.h"

namespace trommel::jobs::tables {
namespace {

absl::StatusOr<bool> HasFolder(const io::Path& path, std::string_view name) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path.Child(name)));
  return entry.kind == io::EntryKind::kDirectory;
}

// Returns whether the folder is an output in the layout of this version. One
// whose records somebody took away is: its rejects are no records.
absl::StatusOr<bool> IsWholeOutput(const io::Path& path) {
  for (const char* const table :
       {kRecordsFolder, kRejectsFolder, kFiguresFolder}) {
    TROMMEL_ASSIGN_OR_RETURN(const bool has_table, HasFolder(path, table));
    if (has_table) return true;
  }
  return false;
}

// Returns the other table that stands beside records, or beside those that the
// path is a partition of. Other tables are not partitioned by schema.
io::Path TableBeside(const io::Path& records, std::string_view table) {
  io::Path folder = records;
  std::string partitions;
  for (std::string name = folder.BaseName();
       name.find('=') != std::string::npos; name = folder.BaseName()) {
    if (name.rfind(SchemaPartition(""), 0) != 0) {
      partitions = StrCat("/", name, partitions);
    }
    folder = folder.Parent();
  }
  return folder.Parent().Child(
      StrCat(BesideRecords(folder.BaseName(), table), partitions));
}

}  // namespace

std::string SchemaPartition(std::string_view schema_name) {
  return StrCat("schema=", schema_name);
}

std::string BesideRecords(std::string_view records, std::string_view table) {
  while (!records.empty() && records.back() == '/') records.remove_suffix(1);
  const size_t name = records.rfind('/') + 1;  // 0 without a slash
  return records.substr(name) == kRecordsFolder
             ? StrCat(records.substr(0, name), table)
             : StrCat(records, "-", table);
}

absl::StatusOr<ExtractOutput> FindExtractOutput(const io::Path& path) {
  TROMMEL_ASSIGN_OR_RETURN(const bool is_whole, IsWholeOutput(path));
  if (is_whole) {
    return ExtractOutput{path.Child(kRecordsFolder), path.Child(kRejectsFolder),
                         path.Child(kFiguresFolder)};
  }
  TROMMEL_ASSIGN_OR_RETURN(const bool is_former,
                           HasFolder(path, kFormerRejectsFolder));
  if (is_former) {
    return ExtractOutput{path, path.Child(kFormerRejectsFolder),
                         path.Child(kFormerFiguresFolder)};
  }
  return ExtractOutput{path, TableBeside(path, kRejectsFolder),
                       TableBeside(path, kFiguresFolder)};
}

}  // namespace trommel::jobs::tables
