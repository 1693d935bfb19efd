#include "mapreduce/io/row_writer.h"

#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/table_builder.h>
#include <arrow/type.h>

#include <utility>

#include "core/base/text.h"
#include "mapreduce/io/arrow_status.h"

namespace trommel::io {
namespace {

// Rows are handed to Parquet when this much has come together.
constexpr int64_t kBatchBytes = int64_t{4} << 20;
constexpr int64_t kBatchRows = 16384;

// Appends text with its bad bytes replaced.
arrow::Status AppendText(std::string_view text, arrow::StringBuilder* builder) {
  if (ValidUtf8Prefix(text) == text.size()) return builder->Append(text);
  std::string clean;
  AppendUtf8Lossy(text, &clean);
  return builder->Append(clean);
}

}  // namespace

RowWriter::RowWriter(std::shared_ptr<arrow::Schema> schema,
                     std::unique_ptr<ShardWriter> shards)
    : schema_(std::move(schema)), shards_(std::move(shards)) {}

RowWriter::~RowWriter() = default;

absl::StatusOr<std::unique_ptr<RowWriter>> RowWriter::Create(
    const Path& directory, std::shared_ptr<arrow::Schema> schema,
    const ShardWriter::Options& options) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ShardWriter> shards,
                           ShardWriter::Create(directory, schema, options));
  std::unique_ptr<RowWriter> writer(
      new RowWriter(std::move(schema), std::move(shards)));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      writer->batch_,
      arrow::RecordBatchBuilder::Make(writer->schema_,
                                      arrow::default_memory_pool()),
      directory.name);
  return writer;
}

void RowWriter::Fail(std::string_view problem) {
  if (!status_.ok()) return;
  const std::string column = column_ < schema_->num_fields()
                                 ? schema_->field(column_)->ToString()
                                 : "the row's end";
  status_ = absl::InternalError(
      StrCat("writing a row: ", problem, " at column ", column));
}

template <typename Builder>
Builder* RowWriter::Take(int arrow_type) {
  if (column_ >= schema_->num_fields()) {
    Fail("a value too many");
    return nullptr;
  }
  if (schema_->field(column_)->type()->id() != arrow_type) {
    Fail("a value of another type");
    return nullptr;
  }
  return static_cast<Builder*>(batch_->GetField(column_++));
}

RowWriter& RowWriter::Text(std::string_view value) {
  auto* const builder = Take<arrow::StringBuilder>(arrow::Type::STRING);
  if (builder == nullptr) return *this;
  batch_bytes_ += static_cast<int64_t>(value.size());
  const arrow::Status status = AppendText(value, builder);
  if (!status.ok()) Fail(status.message());
  return *this;
}

RowWriter& RowWriter::Bytes(std::string_view value) {
  auto* const builder = Take<arrow::BinaryBuilder>(arrow::Type::BINARY);
  if (builder == nullptr) return *this;
  batch_bytes_ += static_cast<int64_t>(value.size());
  const arrow::Status status = builder->Append(value);
  if (!status.ok()) Fail(status.message());
  return *this;
}

RowWriter& RowWriter::Int64(int64_t value) {
  auto* const builder = Take<arrow::Int64Builder>(arrow::Type::INT64);
  if (builder != nullptr && !builder->Append(value).ok()) Fail("out of memory");
  return *this;
}

RowWriter& RowWriter::Double(double value) {
  auto* const builder = Take<arrow::DoubleBuilder>(arrow::Type::DOUBLE);
  if (builder != nullptr && !builder->Append(value).ok()) Fail("out of memory");
  return *this;
}

RowWriter& RowWriter::Bool(bool value) {
  auto* const builder = Take<arrow::BooleanBuilder>(arrow::Type::BOOL);
  if (builder != nullptr && !builder->Append(value).ok()) Fail("out of memory");
  return *this;
}

RowWriter& RowWriter::Time(int64_t microseconds) {
  auto* const builder = Take<arrow::TimestampBuilder>(arrow::Type::TIMESTAMP);
  if (builder != nullptr && !builder->Append(microseconds).ok()) {
    Fail("out of memory");
  }
  return *this;
}

RowWriter& RowWriter::Texts(const std::vector<std::string>& values) {
  auto* const builder = Take<arrow::ListBuilder>(arrow::Type::LIST);
  if (builder == nullptr) return *this;
  if (builder->value_builder()->type()->id() != arrow::Type::STRING) {
    --column_;
    Fail("a list of another type");
    return *this;
  }
  auto* const texts =
      static_cast<arrow::StringBuilder*>(builder->value_builder());
  arrow::Status status = builder->Append();
  for (const std::string& value : values) {
    batch_bytes_ += static_cast<int64_t>(value.size());
    if (status.ok()) status = AppendText(value, texts);
  }
  if (!status.ok()) Fail(status.message());
  return *this;
}

RowWriter& RowWriter::Null() {
  if (column_ >= schema_->num_fields()) {
    Fail("a value too many");
  } else if (!schema_->field(column_)->nullable()) {
    Fail("a null");
  } else if (!batch_->GetField(column_++)->AppendNull().ok()) {
    Fail("out of memory");
  }
  return *this;
}

absl::Status RowWriter::EndRow() {
  if (column_ != schema_->num_fields()) Fail("a value is missing");
  TROMMEL_RETURN_IF_ERROR(status_);
  column_ = 0;
  ++num_rows_;
  ++batch_rows_;
  if (batch_bytes_ >= kBatchBytes || batch_rows_ >= kBatchRows) return Flush();
  return absl::OkStatus();
}

absl::Status RowWriter::Flush() {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      const std::shared_ptr<arrow::RecordBatch> batch, batch_->Flush(),
      "building a batch");
  batch_rows_ = batch_bytes_ = 0;
  return shards_->Write(*batch);
}

absl::StatusOr<std::vector<ShardInfo>> RowWriter::Close() {
  TROMMEL_RETURN_IF_ERROR(status_);
  TROMMEL_RETURN_IF_ERROR(Flush());
  return shards_->Close();
}

}  // namespace trommel::io
