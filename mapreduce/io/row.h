#ifndef TROMMEL_MAPREDUCE_IO_ROW_H_
#define TROMMEL_MAPREDUCE_IO_ROW_H_

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/columns.h"
#include "mapreduce/io/table_reader.h"

namespace trommel::io {

// One row of a table. Columns are numbered as they were requested; one that
// the file lacks is null. Views are valid until the next row is read.
class Row {
 public:
  // Bytes or text; empty for null.
  std::string_view bytes(size_t column) const {
    return (*columns_)[column].bytes[index_];
  }
  // An integer, or a time in microseconds since 1970; 0 for null.
  int64_t int64(size_t column) const {
    return (*columns_)[column].integers[index_];
  }
  // A floating-point number; 0 for null.
  double float64(size_t column) const {
    return (*columns_)[column].doubles[index_];
  }
  bool is_null(size_t column) const {
    const Column& values = (*columns_)[column];
    switch (values.kind) {
      case Column::Kind::kBytes:
        return values.bytes.IsNull(index_);
      case Column::Kind::kIntegers:
        return values.integers.IsNull(index_);
      case Column::Kind::kDoubles:
        return values.doubles.IsNull(index_);
      case Column::Kind::kLists:
        return values.lists.IsNull(index_);
    }
    return true;
  }

  // The bytes of a value that was too large to be read, and is empty here; 0 of
  // every other.
  int64_t withheld_bytes(size_t column) const {
    for (const TableReader::Batch::Withheld& value : *withheld_) {
      if (value.row == index_ && value.column == column) {
        return is_null(column) ? 0 : value.num_bytes;
      }
    }
    return 0;
  }

  // The number of values in a list; 0 for null.
  int64_t list_size(size_t column) const {
    return (*columns_)[column].lists.size(index_);
  }
  // One of them, i < list_size(column): bytes or text; empty for null.
  std::string_view list_bytes(size_t column, int64_t i) const {
    return (*columns_)[column].lists.bytes(index_, i);
  }
  // An integer; 0 for null.
  int64_t list_int64(size_t column, int64_t i) const {
    return (*columns_)[column].lists.int64(index_, i);
  }
  // A floating-point number; 0 for null.
  double list_float64(size_t column, int64_t i) const {
    return (*columns_)[column].lists.float64(index_, i);
  }

 private:
  friend class RowReader;
  struct Column {
    enum class Kind { kBytes, kIntegers, kDoubles, kLists };
    Kind kind = Kind::kBytes;
    // The one that the request asks for; the others stay without values.
    BytesColumn bytes;
    Int64Column integers;
    DoubleColumn doubles;
    ListColumn lists;
  };

  const std::vector<Column>* columns_ = nullptr;
  const std::vector<TableReader::Batch::Withheld>* withheld_ = nullptr;
  int64_t index_ = 0;
};

// Streams one Parquet file row by row.
class RowReader {
 public:
  static absl::StatusOr<std::unique_ptr<RowReader>> Open(
      const Path& file, const std::vector<ColumnRequest>& requests,
      const TableReader::Options& options);

  // Fills `row` and returns true, or returns false at the end.
  absl::StatusOr<bool> Next(Row* row) {
    if (++index_ >= batch_.num_rows) {
      absl::StatusOr<bool> more = NextBatch();
      if (!more.ok() || !*more) return more;
    }
    row->columns_ = &columns_;
    row->withheld_ = &batch_.withheld;
    row->index_ = index_;
    return true;
  }

  int64_t num_rows() const { return table_->num_rows(); }
  const TableReader& table() const { return *table_; }

 private:
  static Row::Column::Kind KindOf(ColumnType type);
  RowReader(std::unique_ptr<TableReader> table,
            const std::vector<ColumnRequest>& requests);
  absl::StatusOr<bool> NextBatch();

  std::unique_ptr<TableReader> table_;
  TableReader::Batch batch_;
  std::vector<Row::Column> columns_;
  int64_t index_ = -1;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_ROW_H_
