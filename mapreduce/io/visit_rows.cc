#include "mapreduce/io/visit_rows.h"

#include <memory>

#include "core/base/status.h"
#include "mapreduce/io/table_files.h"

namespace trommel::io {

absl::Status VisitRows(const Path& table,
                       const std::vector<ColumnRequest>& requests,
                       const std::function<absl::Status(const Row& row)>& visit,
                       const TableReader::Options& options) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> files,
                           ListTableFiles(table));
  for (const Entry& file : files) {
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<RowReader> rows,
                             RowReader::Open(file.path, requests, options));
    Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, rows->Next(&row));
      if (!more) break;
      TROMMEL_RETURN_IF_ERROR(visit(row));
    }
  }
  return absl::OkStatus();
}

}  // namespace trommel::io
