#include "jobs/value_summaries/record_sets.h"

#include <memory>
#include <utility>

#include "core/base/status.h"
#include "core/schema/schema.h"
#include "jobs/tables/extract_output.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/io/table_reader.h"

namespace trommel::jobs::value_summaries {
namespace {

absl::StatusOr<RecordSet> FindRecordSet(const io::Path& folder) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(folder));
  TROMMEL_ASSIGN_OR_RETURN(
      const std::unique_ptr<io::TableReader> table,
      io::TableReader::Open(files[0].path, {{"url", io::ColumnType::kBytes}},
                            {}));
  RecordSet set;
  set.path = folder.Absolute();
  for (const io::TableReader::FileColumn& column : table->columns()) {
    // Others may have been added by whoever works with the records.
    if (!column.is_text || !schema::IsAttributeName(column.name)) continue;
    set.attributes.push_back(
        {column.name,
         column.is_list ? io::ColumnType::kBytesList : io::ColumnType::kBytes,
         /*required=*/false});
  }
  return set;
}

}  // namespace

absl::StatusOr<RecordSets> FindRecordSetsIfAny(std::string_view records) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(records));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(path));
  if (entry.kind == io::EntryKind::kNone) {
    return absl::NotFoundError(StrCat(path.name, " does not exist"));
  }
  RecordSets sets;
  if (entry.kind != io::EntryKind::kDirectory) return sets;
  TROMMEL_ASSIGN_OR_RETURN(const tables::ExtractOutput output,
                           tables::FindExtractOutput(path));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry folder, io::Stat(output.records));
  if (folder.kind == io::EntryKind::kNone) return sets;
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<io::Entry> entries,
      io::ListDirectory(output.records, /*recursive=*/false));
  const std::string prefix = tables::SchemaPartition("");
  for (const io::Entry& inside : entries) {
    const std::string name = inside.path.BaseName();
    if (inside.kind != io::EntryKind::kDirectory ||
        name.rfind(prefix, 0) != 0) {
      continue;
    }
    TROMMEL_ASSIGN_OR_RETURN(sets[name.substr(prefix.size())],
                             FindRecordSet(inside.path));
  }
  return sets;
}

absl::StatusOr<RecordSets> FindRecordSets(std::string_view records) {
  TROMMEL_ASSIGN_OR_RETURN(RecordSets sets, FindRecordSetsIfAny(records));
  if (sets.empty()) {
    return absl::NotFoundError(
        StrCat(records, " has no folder ", tables::SchemaPartition("NAME"),
               "; records are an output of trommel extract"));
  }
  return sets;
}

}  // namespace trommel::jobs::value_summaries
