#include "mapreduce/io/row.h"

#include <utility>

#include "core/base/status.h"

namespace trommel::io {

RowReader::RowReader(std::unique_ptr<TableReader> table,
                     const std::vector<ColumnRequest>& requests)
    : table_(std::move(table)), columns_(requests.size()) {
  for (size_t i = 0; i < requests.size(); ++i) {
    columns_[i].is_bytes = requests[i].type == ColumnType::kBytes;
    columns_[i].is_list = requests[i].type == ColumnType::kBytesList ||
                          requests[i].type == ColumnType::kInt64List;
  }
}

absl::StatusOr<std::unique_ptr<RowReader>> RowReader::Open(
    const Path& file, const std::vector<ColumnRequest>& requests,
    const TableReader::Options& options) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<TableReader> table,
                           TableReader::Open(file, requests, options));
  return std::unique_ptr<RowReader>(new RowReader(std::move(table), requests));
}

absl::StatusOr<bool> RowReader::NextBatch() {
  TROMMEL_ASSIGN_OR_RETURN(const bool more, table_->Next(&batch_));
  if (!more) {
    index_ = batch_.num_rows = 0;
    return false;
  }
  index_ = 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const std::shared_ptr<arrow::Array>& array = batch_.columns[i];
    if (columns_[i].is_list) {
      columns_[i].lists = array ? ListColumn(array) : ListColumn();
    } else if (columns_[i].is_bytes) {
      columns_[i].bytes = array ? BytesColumn(array) : BytesColumn();
    } else {
      columns_[i].integers = array ? Int64Column(array) : Int64Column();
    }
  }
  return true;
}

}  // namespace trommel::io
