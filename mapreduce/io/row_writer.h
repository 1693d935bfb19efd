#ifndef TROMMEL_MAPREDUCE_IO_ROW_WRITER_H_
#define TROMMEL_MAPREDUCE_IO_ROW_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
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
// A list holds any number of values, a struct one per field:
//
//   writer->BeginList();
//   for (const Signature& s : signatures) {
//     writer->BeginStruct().Text(s.signature).Int64(s.importance).EndStruct();
//   }
//   writer->EndList();
//
// Values of the wrong type, too few or too many of them, or ends that do not
// match make EndRow() fail with the name of the column. The error stays: the
// table cannot be finished. Text that is not UTF-8 has its bad bytes replaced,
// since other readers refuse files that contain it.
class RowWriter {
 public:
  static absl::StatusOr<std::unique_ptr<RowWriter>> Create(
      const Path& directory, const std::shared_ptr<arrow::Schema>& schema,
      const ShardWriter::Options& options);
  ~RowWriter();

  RowWriter& Text(std::string_view value);
  RowWriter& Bytes(std::string_view value);
  RowWriter& Int64(int64_t value);
  RowWriter& Double(double value);
  RowWriter& Bool(bool value);
  // Microseconds since 1970, UTC.
  RowWriter& Time(int64_t microseconds);
  RowWriter& Null();
  // Null where there is none.
  RowWriter& TextOrNull(std::string_view value);
  RowWriter& TimeOrNull(std::optional<int64_t> microseconds);
  RowWriter& BeginList();
  RowWriter& EndList();
  RowWriter& BeginStruct();
  RowWriter& EndStruct();
  // A whole list<string>.
  RowWriter& Texts(const std::vector<std::string>& values);
  // A whole list<double>.
  RowWriter& Doubles(const std::vector<double>& values);

  absl::Status EndRow();
  int64_t num_rows() const { return num_rows_; }
  absl::StatusOr<std::vector<ShardInfo>> Close();

 private:
  // A place for values: a column, the values of a list, a field of a struct,
  // or the row as a whole.
  struct Slot;
  // A row, list or struct that has begun.
  struct Open {
    const Slot* slot;
    size_t next;  // of the slots inside it, where the next value goes
  };

  explicit RowWriter(std::unique_ptr<ShardWriter> shards);
  absl::Status Flush();
  // The slot where the next value goes; null if there is none, or it takes
  // values of another type, and the row is bad.
  const Slot* Next();
  const Slot* Next(int arrow_type);
  template <typename Builder, typename Value>
  RowWriter& Append(int arrow_type, Value value);
  template <typename Builder>
  RowWriter& Begin(int arrow_type);
  void End();
  // The value in the next slot is complete.
  void Advance();
  void Fail(std::string_view problem);

  std::unique_ptr<ShardWriter> shards_;
  std::unique_ptr<arrow::RecordBatchBuilder> batch_;
  std::unique_ptr<const Slot> row_;
  std::vector<Open> open_;  // the row, and what has begun inside it
  int64_t batch_rows_ = 0;  // complete ones
  int64_t batch_bytes_ = 0;
  int64_t num_rows_ = 0;
  absl::Status status_;
};

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_ROW_WRITER_H_
