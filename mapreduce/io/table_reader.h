#ifndef TROMMEL_MAPREDUCE_IO_TABLE_READER_H_
#define TROMMEL_MAPREDUCE_IO_TABLE_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/checked_pages.h"
#include "mapreduce/io/columns.h"
#include "mapreduce/io/path.h"

namespace arrow {
class Array;
class RecordBatch;
}  // namespace arrow

namespace trommel::io {

// A column that a reader wants, found by name. Columns that nobody asks for
// are not read.
//
// In a list of structs each field is a column of lists, by the name
// "column.field": of signatures list<struct<signature string, importance
// int64>> one reads "signatures.signature" as kBytesList and
// "signatures.importance" as kInt64List. A struct that is null has null fields.
struct ColumnRequest {
  std::string name;
  ColumnType type = ColumnType::kBytes;
  bool required = true;
  // Whether it is left out, and null, where Options::read_deferred is not set.
  bool deferred = false;
};

// Streams one Parquet file, row group by row group, in batches of bounded
// size. Even a file that is one row group of many gigabytes is read through
// small buffers. Errors name the file, and where it applies the row group and
// the column.
//
// The rows read are the rows that the footer promises, in every column: fewer
// or more are an error, as is a page that differs from its checksum, if it has
// one (checked_pages.h).
class TableReader {
 public:
  struct Options {
    // Aim for batches of about this many uncompressed bytes.
    int64_t batch_bytes = int64_t{8} << 20;
    // And at most this many rows, for tables whose rows differ much in size:
    // the bytes are known only on average.
    int64_t max_batch_rows = 65536;
    // Row groups [first, last) of the file; last < 0 means to the end.
    int first_row_group = 0;
    int last_row_group = -1;
    // Without this, deferred columns are not read.
    bool read_deferred = true;
    // What is too large to be read; by default nothing is.
    PageLimits limits;
  };

  // One batch: `columns[i]` belongs to the i-th request and is null when the
  // file lacks that (optional) column or has only nulls in it.
  struct Batch {
    int64_t num_rows = 0;
    std::vector<std::shared_ptr<arrow::Array>> columns;
    // Values over Options::limits, which are empty here, in no order. There is
    // hardly ever one.
    struct Withheld {
      size_t column = 0;
      int64_t row = 0;
      int64_t num_bytes = 0;  // about, in the file
    };
    std::vector<Withheld> withheld;
  };

  static absl::StatusOr<std::unique_ptr<TableReader>> Open(
      const Path& file, const std::vector<ColumnRequest>& requests,
      const Options& options);
  virtual ~TableReader() = default;

  // Fills `batch` and returns true, or returns false at the end. The arrays
  // stay valid for as long as someone holds them.
  virtual absl::StatusOr<bool> Next(Batch* batch) = 0;

  virtual int64_t num_rows() const = 0;
  // Of the file, so far.
  virtual int64_t bytes_read() const = 0;
  virtual int num_row_groups() const = 0;

  // A column of the file, whether or not it was asked for.
  struct FileColumn {
    std::string name;
    bool is_list = false;
    bool is_text = false;  // string or binary, or a list of these
  };
  virtual std::vector<FileColumn> columns() const = 0;

  // Size of a row group, whether or not it is among those read.
  struct RowGroup {
    int64_t num_rows = 0;
    int64_t num_bytes = 0;  // of the columns asked for, uncompressed
  };
  virtual RowGroup row_group(int index) const = 0;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_TABLE_READER_H_
