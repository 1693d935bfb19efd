#include "mapreduce/io/table_reader.h"

#include <arrow/array.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <utility>

#include "mapreduce/io/arrow_status.h"

namespace trommel::io {
namespace {

// Bytes read at a time per column. Elsewhere than on the local disk every read
// is a request over the network.
constexpr int64_t kLocalBuffer = int64_t{1} << 18;
constexpr int64_t kRemoteBuffer = int64_t{4} << 20;

// Whether a column of byte strings has a dictionary in any row group.
bool IsDictionaryEncoded(const parquet::FileMetaData& metadata, int leaf) {
  if (metadata.schema()->Column(leaf)->physical_type() !=
      parquet::Type::BYTE_ARRAY) {
    return false;
  }
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    if (metadata.RowGroup(i)->ColumnChunk(leaf)->has_dictionary_page()) {
      return true;
    }
  }
  return false;
}

// A type as its writer knows it: we read strings as dictionaries.
std::string TypeName(const arrow::DataType& type) {
  return type.id() == arrow::Type::DICTIONARY
             ? static_cast<const arrow::DictionaryType&>(type)
                   .value_type()
                   ->ToString()
             : type.ToString();
}

class ParquetTableReader final : public TableReader {
 public:
  ParquetTableReader(Path file, const Options& options)
      : file_(std::move(file)), options_(options) {}

  absl::Status Init(const std::vector<ColumnRequest>& requests);
  absl::StatusOr<bool> Next(Batch* batch) override;
  int64_t num_rows() const override { return num_rows_; }
  int num_row_groups() const override { return num_row_groups_; }
  RowGroup row_group(int index) const override {
    const auto metadata =
        reader_->parquet_reader()->metadata()->RowGroup(index);
    RowGroup result;
    result.num_rows = metadata->num_rows();
    for (const int leaf : leaf_indices_) {
      result.num_bytes +=
          metadata->ColumnChunk(leaf)->total_uncompressed_size();
    }
    return result;
  }

 private:
  absl::Status FindColumns(const std::vector<ColumnRequest>& requests);
  absl::Status OpenRowGroup();
  std::string RowGroupName() const {
    return StrCat(file_.name, ": row group ", row_group_);
  }

  Path file_;
  Options options_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  int num_row_groups_ = 0;
  int64_t num_rows_ = 0;
  int row_group_ = 0;
  int last_row_group_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
  // Per request: its place among the columns that are read, or -1.
  std::vector<int> places_;
  std::vector<int> leaf_indices_;
};

absl::Status ParquetTableReader::Init(
    const std::vector<ColumnRequest>& requests) {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      std::shared_ptr<arrow::io::RandomAccessFile> input,
      file_.file_system->OpenInputFile(file_.path), file_.name);
  parquet::ReaderProperties properties = parquet::default_reader_properties();
  properties.enable_buffered_stream();
  properties.set_buffer_size(
      file_.file_system->type_name() == "local" ? kLocalBuffer : kRemoteBuffer);
  properties.set_page_checksum_verification(true);
  parquet::ArrowReaderProperties arrow_properties;
  arrow_properties.set_use_threads(false);
  arrow_properties.set_pre_buffer(false);
  parquet::arrow::FileReaderBuilder builder;
  TROMMEL_RETURN_IF_ARROW_ERROR(builder.Open(std::move(input), properties),
                                file_.name);
  // Values that the file stores once stay stored once; expanded, a batch of
  // one page repeated would outgrow any estimate.
  const auto file_metadata = builder.raw_reader()->metadata();
  for (int leaf = 0; leaf < file_metadata->num_columns(); ++leaf) {
    if (IsDictionaryEncoded(*file_metadata, leaf)) {
      arrow_properties.set_read_dictionary(leaf, true);
    }
  }
  builder.properties(arrow_properties);
  TROMMEL_ASSIGN_OR_RETURN_ARROW(reader_, builder.Build(), file_.name);
  num_row_groups_ = reader_->num_row_groups();
  last_row_group_ = options_.last_row_group < 0
                        ? num_row_groups_
                        : std::min(options_.last_row_group, num_row_groups_);
  row_group_ = options_.first_row_group;
  const auto metadata = reader_->parquet_reader()->metadata();
  for (int i = row_group_; i < last_row_group_; ++i) {
    num_rows_ += metadata->RowGroup(i)->num_rows();
  }
  return FindColumns(requests);
}

absl::Status ParquetTableReader::FindColumns(
    const std::vector<ColumnRequest>& requests) {
  std::shared_ptr<arrow::Schema> schema;
  TROMMEL_RETURN_IF_ARROW_ERROR(reader_->GetSchema(&schema), file_.name);
  // Leaf columns of the file by the name of their top-level column.
  const parquet::SchemaDescriptor& descriptor =
      *reader_->parquet_reader()->metadata()->schema();
  std::vector<std::pair<int, size_t>> wanted;  // leaf, request
  for (size_t i = 0; i < requests.size(); ++i) {
    const ColumnRequest& request = requests[i];
    const std::shared_ptr<arrow::Field> field =
        schema->GetFieldByName(request.name);
    if (field == nullptr) {
      if (schema->GetAllFieldIndices(request.name).size() > 1) {
        return absl::InvalidArgumentError(
            StrCat(file_.name, ": column \"", request.name, "\" exists twice"));
      }
      if (!request.required) continue;
      std::string names;
      for (const std::string& name : schema->field_names()) {
        StrAppend(&names, names.empty() ? "" : ", ", name);
      }
      return absl::InvalidArgumentError(
          StrCat(file_.name, ": the required column \"", request.name,
                 "\" is missing; the file has: ", names));
    }
    if (field->type()->id() == arrow::Type::NA) continue;  // all null
    if (!IsReadableAs(*field->type(), request.type)) {
      return absl::InvalidArgumentError(StrCat(
          file_.name, ": column \"", request.name, "\" has type ",
          TypeName(*field->type()), ", expected ", Expected(request.type)));
    }
    const std::vector<std::string> path = {request.name};
    for (int leaf = 0; leaf < descriptor.num_columns(); ++leaf) {
      if (descriptor.Column(leaf)->path()->ToDotVector() == path) {
        wanted.emplace_back(leaf, i);
      }
    }
  }
  std::sort(wanted.begin(), wanted.end());
  places_.assign(requests.size(), -1);
  for (const auto& [leaf, request] : wanted) {
    places_[request] = static_cast<int>(leaf_indices_.size());
    leaf_indices_.push_back(leaf);
  }
  return absl::OkStatus();
}

absl::Status ParquetTableReader::OpenRowGroup() {
  const RowGroup size = row_group(row_group_);
  const int64_t bytes_per_row = std::max<int64_t>(
      1, size.num_bytes / std::max<int64_t>(1, size.num_rows));
  reader_->set_batch_size(std::clamp<int64_t>(
      options_.batch_bytes / bytes_per_row, 1, options_.max_batch_rows));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      batches_, reader_->GetRecordBatchReader({row_group_}, leaf_indices_),
      RowGroupName());
  return absl::OkStatus();
}

absl::StatusOr<bool> ParquetTableReader::Next(Batch* batch) {
  while (row_group_ < last_row_group_) {
    std::shared_ptr<arrow::RecordBatch> records;
    // Parquet reports some damage by exceptions even here.
    try {
      if (batches_ == nullptr) TROMMEL_RETURN_IF_ERROR(OpenRowGroup());
      TROMMEL_RETURN_IF_ARROW_ERROR(batches_->ReadNext(&records),
                                    RowGroupName());
    } catch (const std::exception& error) {
      return absl::DataLossError(StrCat(RowGroupName(), ": ", error.what()));
    }
    if (records == nullptr) {
      batches_.reset();
      ++row_group_;
      continue;
    }
    if (records->num_rows() == 0) continue;
    batch->num_rows = records->num_rows();
    batch->columns.assign(places_.size(), nullptr);
    for (size_t i = 0; i < places_.size(); ++i) {
      if (places_[i] >= 0) batch->columns[i] = records->column(places_[i]);
    }
    return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<std::unique_ptr<TableReader>> TableReader::Open(
    const Path& file, const std::vector<ColumnRequest>& requests,
    const Options& options) {
  auto reader = std::make_unique<ParquetTableReader>(file, options);
  try {
    TROMMEL_RETURN_IF_ERROR(reader->Init(requests));
  } catch (const std::exception& error) {
    return absl::DataLossError(StrCat(file.name, ": ", error.what()));
  }
  return std::unique_ptr<TableReader>(std::move(reader));
}

}  // namespace trommel::io
