#ifndef TROMMEL_MAPREDUCE_IO_VISIT_ROWS_H_
#define TROMMEL_MAPREDUCE_IO_VISIT_ROWS_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"

namespace trommel::io {

// Calls `visit` with every row of a table, file by file. Stops at the first
// error, also one of `visit`.
absl::Status VisitRows(const Path& table,
                       const std::vector<ColumnRequest>& requests,
                       const std::function<absl::Status(const Row& row)>& visit,
                       const TableReader::Options& options = {});

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_VISIT_ROWS_H_
