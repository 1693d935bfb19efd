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
// What a value in a list or struct counts besides its text. Others need not
// count, the number of rows bounds theirs.
constexpr int64_t kNestedBytes = 8;

}  // namespace

struct RowWriter::Slot {
  Slot() = default;
  Slot(std::shared_ptr<arrow::Field> its_field,
       arrow::ArrayBuilder* its_builder);

  // Of the row: none.
  std::shared_ptr<arrow::Field> field;
  arrow::ArrayBuilder* builder = nullptr;
  int type = arrow::Type::STRUCT;
  // Of a row or struct one per field, of a list one for all its values.
  std::vector<Slot> inner;
};

RowWriter::Slot::Slot(std::shared_ptr<arrow::Field> its_field,
                      arrow::ArrayBuilder* its_builder)
    : field(std::move(its_field)),
      builder(its_builder),
      type(field->type()->id()) {
  if (type == arrow::Type::LIST) {
    inner.emplace_back(
        field->type()->field(0),
        static_cast<arrow::ListBuilder*>(builder)->value_builder());
  } else if (type == arrow::Type::STRUCT) {
    for (int i = 0; i < field->type()->num_fields(); ++i) {
      inner.emplace_back(field->type()->field(i), builder->child(i));
    }
  }
}

RowWriter::RowWriter(std::unique_ptr<ShardWriter> shards)
    : shards_(std::move(shards)) {}

RowWriter::~RowWriter() = default;

absl::StatusOr<std::unique_ptr<RowWriter>> RowWriter::Create(
    const Path& directory, const std::shared_ptr<arrow::Schema>& schema,
    const ShardWriter::Options& options) {
  TROMMEL_ASSIGN_OR_RETURN(std::unique_ptr<ShardWriter> shards,
                           ShardWriter::Create(directory, schema, options));
  std::unique_ptr<RowWriter> writer(new RowWriter(std::move(shards)));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      writer->batch_,
      arrow::RecordBatchBuilder::Make(schema, arrow::default_memory_pool()),
      directory.name);
  auto row = std::make_unique<Slot>();
  for (int i = 0; i < schema->num_fields(); ++i) {
    row->inner.emplace_back(schema->field(i), writer->batch_->GetField(i));
  }
  writer->row_ = std::move(row);
  writer->open_.push_back({writer->row_.get(), 0});
  return writer;
}

void RowWriter::Fail(std::string_view problem) {
  if (!status_.ok()) return;
  // The way to the next slot: "signatures[].importance: int64".
  std::string place;
  const arrow::Field* field = nullptr;
  for (const Open& open : open_) {
    if (open.next == open.slot->inner.size()) break;
    field = open.slot->inner[open.next].field.get();
    if (open.slot->type == arrow::Type::LIST) {
      place += "[]";
    } else {
      StrAppend(&place, place.empty() ? "" : ".", field->name());
    }
  }
  if (field == nullptr) {
    place = "the row's end";
  } else {
    StrAppend(&place, ": ", field->type()->ToString(),
              field->nullable() ? "" : " not null");
  }
  status_ = absl::InternalError(
      StrCat("writing a row: ", problem, " at column ", place));
}

const RowWriter::Slot* RowWriter::Next() {
  if (!status_.ok()) return nullptr;
  const Open& open = open_.back();
  if (open.next < open.slot->inner.size()) return &open.slot->inner[open.next];
  Fail("a value too many");
  return nullptr;
}

const RowWriter::Slot* RowWriter::Next(int arrow_type) {
  const Slot* const slot = Next();
  if (slot == nullptr || slot->type == arrow_type) return slot;
  Fail("a value of another type");
  return nullptr;
}

void RowWriter::End() {
  open_.pop_back();
  Advance();
}

void RowWriter::Advance() {
  Open& open = open_.back();
  if (open.slot->type != arrow::Type::LIST) ++open.next;
  if (open_.size() > 1) batch_bytes_ += kNestedBytes;
}

template <typename Builder, typename Value>
RowWriter& RowWriter::Append(int arrow_type, Value value) {
  const Slot* const slot = Next(arrow_type);
  if (slot == nullptr) return *this;
  const arrow::Status status =
      static_cast<Builder*>(slot->builder)->Append(value);
  if (!status.ok()) Fail(status.message());
  Advance();
  return *this;
}

RowWriter& RowWriter::Text(std::string_view value) {
  batch_bytes_ += static_cast<int64_t>(value.size());
  if (ValidUtf8Prefix(value) == value.size()) {
    return Append<arrow::StringBuilder>(arrow::Type::STRING, value);
  }
  std::string clean;
  AppendUtf8Lossy(value, &clean);
  return Append<arrow::StringBuilder>(arrow::Type::STRING,
                                      std::string_view(clean));
}

RowWriter& RowWriter::Bytes(std::string_view value) {
  batch_bytes_ += static_cast<int64_t>(value.size());
  return Append<arrow::BinaryBuilder>(arrow::Type::BINARY, value);
}

RowWriter& RowWriter::Int64(int64_t value) {
  return Append<arrow::Int64Builder>(arrow::Type::INT64, value);
}

RowWriter& RowWriter::Double(double value) {
  return Append<arrow::DoubleBuilder>(arrow::Type::DOUBLE, value);
}

RowWriter& RowWriter::Bool(bool value) {
  return Append<arrow::BooleanBuilder>(arrow::Type::BOOL, value);
}

RowWriter& RowWriter::Time(int64_t microseconds) {
  return Append<arrow::TimestampBuilder>(arrow::Type::TIMESTAMP, microseconds);
}

RowWriter& RowWriter::TextOrNull(std::string_view value) {
  return value.empty() ? Null() : Text(value);
}

RowWriter& RowWriter::TimeOrNull(std::optional<int64_t> microseconds) {
  return microseconds.has_value() ? Time(*microseconds) : Null();
}

RowWriter& RowWriter::Null() {
  const Slot* const slot = Next();
  if (slot == nullptr) return *this;
  if (!slot->field->nullable()) {
    Fail("a null");
  } else if (!slot->builder->AppendNull().ok()) {
    Fail("out of memory");
  } else {
    Advance();
  }
  return *this;
}

template <typename Builder>
RowWriter& RowWriter::Begin(int arrow_type) {
  const Slot* const slot = Next(arrow_type);
  if (slot == nullptr) return *this;
  const arrow::Status status = static_cast<Builder*>(slot->builder)->Append();
  if (!status.ok()) Fail(status.message());
  open_.push_back({slot, 0});
  return *this;
}

RowWriter& RowWriter::BeginList() {
  return Begin<arrow::ListBuilder>(arrow::Type::LIST);
}

RowWriter& RowWriter::BeginStruct() {
  return Begin<arrow::StructBuilder>(arrow::Type::STRUCT);
}

RowWriter& RowWriter::EndList() {
  if (open_.back().slot->type != arrow::Type::LIST) Fail("a list's end");
  if (status_.ok()) End();
  return *this;
}

RowWriter& RowWriter::EndStruct() {
  const Open& open = open_.back();
  if (open_.size() == 1 || open.slot->type != arrow::Type::STRUCT) {
    Fail("a struct's end");
  } else if (open.next != open.slot->inner.size()) {
    Fail("a value is missing");
  }
  if (status_.ok()) End();
  return *this;
}

RowWriter& RowWriter::Doubles(const std::vector<double>& values) {
  BeginList();
  for (const double value : values) Double(value);
  return EndList();
}

RowWriter& RowWriter::Texts(const std::vector<std::string>& values) {
  BeginList();
  for (const std::string& value : values) Text(value);
  return EndList();
}

absl::Status RowWriter::EndRow() {
  Open& row = open_.front();
  if (open_.size() > 1) Fail("the row's end in a list or struct");
  if (row.next != row.slot->inner.size()) Fail("a value is missing");
  TROMMEL_RETURN_IF_ERROR(status_);
  row.next = 0;
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
