#include "mapreduce/io/table_reader.h"

#include <arrow/array.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/counting_file.h"

namespace trommel::io {
namespace {

// Bytes read at a time per column. Elsewhere than on the local disk every read
// is a request over the network.
constexpr int64_t kLocalBuffer = int64_t{1} << 18;
constexpr int64_t kRemoteBuffer = int64_t{4} << 20;

// What a value in a list takes at least, decoded: itself and its two levels.
constexpr int64_t kListValueBytes = 12;

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

// What can be asked for by a name: a column of the table, or a field of the
// structs in its lists.
struct NamedColumn {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  int root = -1;  // number of the table's column
  int leaf = -1;  // number of the Parquet column, if it is one
  std::optional<std::string> field;  // of structs
};

std::vector<NamedColumn> NamedColumns(
    const parquet::arrow::SchemaManifest& manifest) {
  std::vector<NamedColumn> columns;
  for (size_t i = 0; i < manifest.schema_fields.size(); ++i) {
    const auto root = static_cast<int>(i);
    const parquet::arrow::SchemaField& column = manifest.schema_fields[i];
    const std::string& name = column.field->name();
    const bool is_list = arrow::is_list_like(column.field->type()->id());
    const parquet::arrow::SchemaField& value =
        is_list ? column.children.at(0) : column;
    columns.push_back(
        {name, column.field->type(), root, value.column_index, std::nullopt});
    if (!is_list || value.field->type()->id() != arrow::Type::STRUCT) continue;
    for (const parquet::arrow::SchemaField& field : value.children) {
      columns.push_back({StrCat(name, ".", field.field->name()),
                         arrow::list(field.field), root, field.column_index,
                         field.field->name()});
    }
  }
  return columns;
}

// The same lists with one field of their structs for values.
arrow::Result<std::shared_ptr<arrow::Array>> ListsOfField(
    const arrow::Array& lists, const std::string& field) {
  const std::shared_ptr<arrow::ArrayData> data = lists.data()->Copy();
  const arrow::StructArray structs(data->child_data[0]);
  ARROW_ASSIGN_OR_RAISE(
      const std::shared_ptr<arrow::Array> values,
      structs.GetFlattenedField(structs.struct_type()->GetFieldIndex(field)));
  switch (lists.type_id()) {
    case arrow::Type::LARGE_LIST:
      data->type = arrow::large_list(values->type());
      break;
    case arrow::Type::FIXED_SIZE_LIST:
      data->type = arrow::fixed_size_list(
          values->type(),
          static_cast<const arrow::FixedSizeListType&>(*lists.type())
              .list_size());
      break;
    default:  // a map is a list of keys and values
      data->type = arrow::list(values->type());
      break;
  }
  data->child_data[0] = values->data();
  return arrow::MakeArray(data);
}

class ParquetTableReader final : public TableReader {
 public:
  ParquetTableReader(Path file, const Options& options)
      : file_(std::move(file)), options_(options) {}

  absl::Status Init(const std::vector<ColumnRequest>& requests);
  absl::StatusOr<bool> Next(Batch* batch) override;
  int64_t num_rows() const override { return num_rows_; }
  int64_t bytes_read() const override { return input_->bytes_read(); }
  int num_row_groups() const override { return num_row_groups_; }
  std::vector<FileColumn> columns() const override { return columns_; }
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
  std::shared_ptr<CountingFile> input_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  int num_row_groups_ = 0;
  int64_t num_rows_ = 0;
  int row_group_ = 0;
  int last_row_group_ = 0;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
  // Per request: its place among the columns that are read, or -1; and the
  // field of the structs there, if it is one.
  struct Source {
    int place = -1;
    std::optional<std::string> field;
  };
  std::vector<Source> sources_;
  std::vector<int> leaf_indices_;
  std::vector<FileColumn> columns_;
};

absl::Status ParquetTableReader::Init(
    const std::vector<ColumnRequest>& requests) {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      std::shared_ptr<arrow::io::RandomAccessFile> input,
      file_.file_system->OpenInputFile(file_.path), file_.name);
  input_ = std::make_shared<CountingFile>(std::move(input));
  parquet::ReaderProperties properties = parquet::default_reader_properties();
  properties.enable_buffered_stream();
  properties.set_buffer_size(
      file_.file_system->type_name() == "local" ? kLocalBuffer : kRemoteBuffer);
  properties.set_page_checksum_verification(true);
  parquet::ArrowReaderProperties arrow_properties;
  arrow_properties.set_use_threads(false);
  arrow_properties.set_pre_buffer(false);
  parquet::arrow::FileReaderBuilder builder;
  TROMMEL_RETURN_IF_ARROW_ERROR(builder.Open(input_, properties), file_.name);
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
  // Types as the file's writer knows them; the reader's has dictionaries.
  const auto metadata = reader_->parquet_reader()->metadata();
  parquet::arrow::SchemaManifest manifest;
  TROMMEL_RETURN_IF_ARROW_ERROR(
      parquet::arrow::SchemaManifest::Make(
          metadata->schema(), metadata->key_value_metadata(),
          parquet::ArrowReaderProperties(), &manifest),
      file_.name);
  const std::vector<NamedColumn> columns = NamedColumns(manifest);
  for (const NamedColumn& column : columns) {
    if (column.field.has_value()) continue;
    const bool is_list = arrow::is_list_like(column.type->id());
    const ColumnType text =
        is_list ? ColumnType::kBytesList : ColumnType::kBytes;
    const bool is_null = column.type->id() == arrow::Type::NA;  // all of it
    columns_.push_back(
        {column.name, is_list, is_null || IsReadableAs(*column.type, text)});
  }
  std::set<int> roots;
  std::set<int> leaves;
  sources_.resize(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) {
    const ColumnRequest& request = requests[i];
    const NamedColumn* found = nullptr;
    for (const NamedColumn& column : columns) {
      if (column.name != request.name) continue;
      if (found != nullptr) {
        return absl::InvalidArgumentError(
            StrCat(file_.name, ": column \"", request.name, "\" exists twice"));
      }
      found = &column;
    }
    if (found == nullptr) {
      if (!request.required) continue;
      std::string names;
      for (const NamedColumn& column : columns) {
        StrAppend(&names, names.empty() ? "" : ", ", column.name);
      }
      return absl::InvalidArgumentError(
          StrCat(file_.name, ": the required column \"", request.name,
                 "\" is missing; the file has: ", names));
    }
    if (found->type->id() == arrow::Type::NA) continue;  // all null
    if (!IsReadableAs(*found->type, request.type)) {
      return absl::InvalidArgumentError(StrCat(
          file_.name, ": column \"", request.name, "\" has type ",
          found->type->ToString(), ", expected ", Expected(request.type)));
    }
    if (request.deferred && !options_.read_deferred) continue;
    roots.insert(found->root);
    leaves.insert(found->leaf);
    sources_[i] = {found->root, found->field};
  }
  leaf_indices_.assign(leaves.begin(), leaves.end());
  for (Source& source : sources_) {
    if (source.place < 0) continue;
    source.place = static_cast<int>(
        std::distance(roots.begin(), roots.find(source.place)));
  }
  return absl::OkStatus();
}

absl::Status ParquetTableReader::OpenRowGroup() {
  const RowGroup size = row_group(row_group_);
  const int64_t num_rows = std::max<int64_t>(1, size.num_rows);
  int64_t bytes_per_row = std::max<int64_t>(1, size.num_bytes / num_rows);
  // Lists of one value repeated take next to nothing in the file.
  const auto metadata = reader_->parquet_reader()->metadata();
  for (const int leaf : leaf_indices_) {
    if (metadata->schema()->Column(leaf)->max_repetition_level() == 0) continue;
    const int64_t values =
        metadata->RowGroup(row_group_)->ColumnChunk(leaf)->num_values();
    bytes_per_row +=
        std::clamp<int64_t>(values / num_rows, 0, options_.batch_bytes) *
        kListValueBytes;
  }
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
    batch->columns.assign(sources_.size(), nullptr);
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].place < 0) continue;
      batch->columns[i] = records->column(sources_[i].place);
      if (!sources_[i].field.has_value()) continue;
      TROMMEL_ASSIGN_OR_RETURN_ARROW(
          batch->columns[i],
          ListsOfField(*batch->columns[i], *sources_[i].field), RowGroupName());
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
