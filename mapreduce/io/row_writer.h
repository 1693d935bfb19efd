#ifndef TROMMEL_MAPREDUCE_IO_ROW_WRITER_H_
#define TROMMEL_MAPREDUCE_IO_ROW_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/shard_writer.h"

namespace arrow {
class RecordBatchBuilder;
}  // namespace arrow

namespace trommel::io {

// Writes a table row by row, one value per column in the order of the schema:
//
//   writer->Text(site).Int64(pages).Null();
//   TROMMEL_RETURN_IF_ERROR(writer->EndRow());
//
// Values of the wrong type, or too few or too many of them, make EndRow()
// fail with the name of the column; text that is not UTF-8 has its bad bytes
// replaced, since other readers refuse files that contain it.
class RowWriter {
 public:
  static absl::StatusOr<std::unique_ptr<RowWriter>> Create(
      const Path& directory, std::shared_ptr<arrow::Schema> schema,
      const ShardWriter::Options& options);
  ~RowWriter();

  RowWriter& Text(std::string_view value);
  RowWriter& Bytes(std::string_view value);
  RowWriter& Int64(int64_t value);
  RowWriter& Double(double value);
  RowWriter& Bool(bool value);
  // Microseconds since 1970, UTC.
  RowWriter& Time(int64_t microseconds);
  // A list<string>.
  RowWriter& Texts(const std::vector<std::string>& values);
  RowWriter& Null();

  absl::Status EndRow();
  int64_t num_rows() const { return num_rows_; }
  absl::StatusOr<std::vector<ShardInfo>> Close();

 private:
  RowWriter(std::shared_ptr<arrow::Schema> schema,
            std::unique_ptr<ShardWriter> shards);
  absl::Status Flush();
  // The builder of the next column when it has the type; otherwise null, and
  // the row is bad.
  template <typename Builder>
  Builder* Take(int arrow_type);
  void Fail(std::string_view problem);

  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<ShardWriter> shards_;
  std::unique_ptr<arrow::RecordBatchBuilder> batch_;
  int column_ = 0;          // of the row being written
  int64_t batch_rows_ = 0;  // complete ones
  int64_t batch_bytes_ = 0;
  int64_t num_rows_ = 0;
  absl::Status status_;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_ROW_WRITER_H_
