#ifndef TROMMEL_MAPREDUCE_IO_COLUMNS_H_
#define TROMMEL_MAPREDUCE_IO_COLUMNS_H_

// Typed views of Arrow arrays. Tables that other programs wrote come in many
// physical types (string, large_string, binary, dictionaries, 32-bit integers,
// timestamps of any unit, lists of several kinds); these views read them all
// the same way.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace arrow {
class Array;
class DataType;
}  // namespace arrow

namespace trommel::io {

enum class ColumnType {
  kBytes,
  kInt64,
  kDouble,
  kTimestamp,
  kBytesList,
  kInt64List,
  kDoubleList,
};

// Whether values of the Arrow type can be read as `type`.
bool IsReadableAs(const arrow::DataType& arrow_type, ColumnType type);
// What may be given instead, for messages: "string or binary".
std::string_view Expected(ColumnType type);

// String or binary values. Views are valid as long as the array is.
class BytesColumn {
 public:
  BytesColumn() = default;  // a column that is absent: all null
  explicit BytesColumn(std::shared_ptr<arrow::Array> array);

  bool IsNull(int64_t row) const;
  // Empty for null.
  std::string_view operator[](int64_t row) const;

 private:
  std::shared_ptr<arrow::Array> array_;
  std::shared_ptr<arrow::Array> dictionary_;  // values, if encoded so
};

// Integers, or timestamps in microseconds since 1970 (UTC; naive ones are read
// as UTC).
class Int64Column {
 public:
  Int64Column() = default;
  explicit Int64Column(std::shared_ptr<arrow::Array> array);

  bool IsNull(int64_t row) const;
  // 0 for null. Unsigned values above the range saturate.
  int64_t operator[](int64_t row) const;

 private:
  std::shared_ptr<arrow::Array> array_;
};

// Floating-point numbers.
class DoubleColumn {
 public:
  DoubleColumn() = default;
  explicit DoubleColumn(std::shared_ptr<arrow::Array> array);

  bool IsNull(int64_t row) const;
  // 0 for null.
  double operator[](int64_t row) const;

 private:
  std::shared_ptr<arrow::Array> array_;
};

// Lists of string or binary values, or of numbers.
class ListColumn {
 public:
  ListColumn() = default;
  explicit ListColumn(std::shared_ptr<arrow::Array> array);

  bool IsNull(int64_t row) const;
  // 0 for null.
  int64_t size(int64_t row) const { return Find(row).size; }
  // Value `i` < size(row) of a list; as in the columns above for null.
  std::string_view bytes(int64_t row, int64_t i) const {
    return bytes_[Find(row).begin + i];
  }
  int64_t int64(int64_t row, int64_t i) const {
    return integers_[Find(row).begin + i];
  }
  double float64(int64_t row, int64_t i) const {
    return doubles_[Find(row).begin + i];
  }

 private:
  // Where the values of a list are among those of all.
  struct Range {
    int64_t begin = 0;
    int64_t size = 0;
  };
  Range Find(int64_t row) const;

  std::shared_ptr<arrow::Array> array_;
  // The same values; one of them has their type.
  BytesColumn bytes_;
  Int64Column integers_;
  DoubleColumn doubles_;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_COLUMNS_H_
