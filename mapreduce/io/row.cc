#include "mapreduce/io/row.h"

#include <utility>

#include "core/base/status.h"

namespace trommel::io {

Row::Column::Kind RowReader::KindOf(ColumnType type) {
  switch (type) {
    case ColumnType::kBytes:
      return Row::Column::Kind::kBytes;
    case ColumnType::kInt64:
    case ColumnType::kTimestamp:
      return Row::Column::Kind::kIntegers;
    case ColumnType::kDouble:
      return Row::Column::Kind::kDoubles;
    case ColumnType::kBytesList:
    case ColumnType::kInt64List:
    case ColumnType::kDoubleList:
      return Row::Column::Kind::kLists;
  }
  return Row::Column::Kind::kBytes;
}

RowReader::RowReader(std::unique_ptr<TableReader> table,
                     const std::vector<ColumnRequest>& requests)
    : table_(std::move(table)), columns_(requests.size()) {
  for (size_t i = 0; i < requests.size(); ++i) {
    columns_[i].kind = KindOf(requests[i].type);
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
    switch (columns_[i].kind) {
      case Row::Column::Kind::kBytes:
        columns_[i].bytes = array ? BytesColumn(array) : BytesColumn();
        break;
      case Row::Column::Kind::kIntegers:
        columns_[i].integers = array ? Int64Column(array) : Int64Column();
        break;
      case Row::Column::Kind::kDoubles:
        columns_[i].doubles = array ? DoubleColumn(array) : DoubleColumn();
        break;
      case Row::Column::Kind::kLists:
        columns_[i].lists = array ? ListColumn(array) : ListColumn();
        break;
    }
  }
  return true;
}

}  // namespace trommel::io
