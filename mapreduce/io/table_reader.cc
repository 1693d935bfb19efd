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
#include "mapreduce/io/page_header.h"

namespace trommel::io {
namespace {

// Bytes read at a time per column. Elsewhere than on the local disk every read
// is a request over the network.
constexpr int64_t kLocalBuffer = int64_t{1} << 18;
constexpr int64_t kRemoteBuffer = int64_t{4} << 20;

// What a value in a list takes at least, decoded: itself and its two levels.
constexpr int64_t kListValueBytes = 12;

// What the values of a batch may take when those that a dictionary has once are
// written out, at worst.
constexpr int64_t kMaxExpandedBytes = int64_t{256} << 20;
// Enough for the header of a dictionary, which has no statistics.
constexpr int64_t kDictionaryHeaderBytes = 128;

// Whether all pages refer to the dictionary. Writers give it up when it grows
// too large, and go on with plain values.
bool IsDictionaryOnly(const parquet::ColumnChunkMetaData& chunk) {
  const std::vector<parquet::PageEncodingStats>& stats = chunk.encoding_stats();
  return std::all_of(
      stats.begin(), stats.end(), [](const parquet::PageEncodingStats& pages) {
        return pages.page_type == parquet::PageType::DICTIONARY_PAGE ||
               pages.encoding == parquet::Encoding::PLAIN_DICTIONARY ||
               pages.encoding == parquet::Encoding::RLE_DICTIONARY;
      });
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

// Whether all values that refer to a dictionary, here and inside lists, refer
// to something in it. Arrow does not look.
bool ReferToDictionaries(const arrow::ArrayData& data) {
  if (data.type->id() == arrow::Type::DICTIONARY) {
    const arrow::DictionaryArray array(
        std::make_shared<arrow::ArrayData>(data));
    const int64_t size = array.dictionary()->length();
    for (int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) continue;
      const int64_t value = array.GetValueIndex(i);
      if (value < 0 || value >= size) return false;
    }
  }
  return std::all_of(
      data.child_data.begin(), data.child_data.end(),
      [](const auto& child) { return ReferToDictionaries(*child); });
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
    const auto metadata = metadata_->RowGroup(index);
    RowGroup result;
    result.num_rows = metadata->num_rows();
    for (const int leaf : leaf_indices_) {
      result.num_bytes +=
          metadata->ColumnChunk(leaf)->total_uncompressed_size();
    }
    return result;
  }

 private:
  absl::Status CheckFooter() const;
  absl::Status FindColumns(const std::vector<ColumnRequest>& requests);
  absl::Status OpenRowGroup();
  absl::Status CloseRowGroup();
  int64_t RowsOfBatch() const;
  std::optional<PageHeader> DictionaryHeader(int leaf) const;
  void ListWithheld(Batch* batch) const;
  std::string RowGroupName() const {
    return StrCat(file_.name, ": row group ", row_group_);
  }

  Path file_;
  Options options_;
  std::shared_ptr<CountingFile> input_;
  parquet::ReaderProperties properties_ = parquet::default_reader_properties();
  std::shared_ptr<parquet::FileMetaData> metadata_;
  int num_row_groups_ = 0;
  int64_t num_rows_ = 0;
  int last_row_group_ = 0;
  // Per request: its place among the columns that are read, or -1; the Parquet
  // column; and the field of the structs there, if it is one.
  struct Source {
    int place = -1;
    int leaf = -1;
    std::optional<std::string> field;
  };
  std::vector<Source> sources_;
  std::vector<int> leaf_indices_;
  std::vector<FileColumn> columns_;

  // The row group being read. Each has a reader of its own, because what is
  // best read as a dictionary differs from one to the next.
  int row_group_ = 0;
  int64_t rows_read_ = 0;
  std::shared_ptr<std::vector<WithheldValues>> withheld_ =
      std::make_shared<std::vector<WithheldValues>>();
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::unique_ptr<arrow::RecordBatchReader> batches_;
};

absl::Status ParquetTableReader::Init(
    const std::vector<ColumnRequest>& requests) {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      std::shared_ptr<arrow::io::RandomAccessFile> input,
      file_.file_system->OpenInputFile(file_.path), file_.name);
  input_ = std::make_shared<CountingFile>(std::move(input));
  properties_.enable_buffered_stream();
  properties_.set_buffer_size(
      file_.file_system->type_name() == "local" ? kLocalBuffer : kRemoteBuffer);
  properties_.set_page_checksum_verification(true);
  metadata_ = parquet::ParquetFileReader::Open(input_, properties_)->metadata();
  TROMMEL_RETURN_IF_ERROR(CheckFooter());
  num_row_groups_ = metadata_->num_row_groups();
  last_row_group_ = options_.last_row_group < 0
                        ? num_row_groups_
                        : std::min(options_.last_row_group, num_row_groups_);
  row_group_ = options_.first_row_group;
  for (int i = row_group_; i < last_row_group_; ++i) {
    num_rows_ += metadata_->RowGroup(i)->num_rows();
  }
  return FindColumns(requests);
}

absl::Status ParquetTableReader::CheckFooter() const {
  int64_t sum = 0;
  for (int i = 0; i < metadata_->num_row_groups(); ++i) {
    const int64_t num_rows = metadata_->RowGroup(i)->num_rows();
    if (num_rows < 0 || __builtin_add_overflow(sum, num_rows, &sum)) {
      return absl::DataLossError(
          StrCat(file_.name, ": row group ", i, " has ", num_rows, " rows"));
    }
  }
  if (sum == metadata_->num_rows()) return absl::OkStatus();
  return absl::DataLossError(StrCat(file_.name, ": the footer promises ",
                                    Counted(metadata_->num_rows(), "row"),
                                    ", its row groups have ", sum));
}

absl::Status ParquetTableReader::FindColumns(
    const std::vector<ColumnRequest>& requests) {
  // Types as the file's writer knows them; the reader's has dictionaries.
  parquet::arrow::SchemaManifest manifest;
  TROMMEL_RETURN_IF_ARROW_ERROR(
      parquet::arrow::SchemaManifest::Make(
          metadata_->schema(), metadata_->key_value_metadata(),
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
    sources_[i] = {found->root, found->leaf, found->field};
  }
  leaf_indices_.assign(leaves.begin(), leaves.end());
  for (Source& source : sources_) {
    if (source.place < 0) continue;
    source.place = static_cast<int>(
        std::distance(roots.begin(), roots.find(source.place)));
  }
  return absl::OkStatus();
}

// So many rows that a batch has about the bytes that are asked for.
int64_t ParquetTableReader::RowsOfBatch() const {
  const RowGroup size = row_group(row_group_);
  const int64_t num_rows = std::max<int64_t>(1, size.num_rows);
  int64_t bytes_per_row = std::max<int64_t>(1, size.num_bytes / num_rows);
  // Lists of one value repeated take next to nothing in the file.
  for (const int leaf : leaf_indices_) {
    if (metadata_->schema()->Column(leaf)->max_repetition_level() == 0) {
      continue;
    }
    const int64_t values =
        metadata_->RowGroup(row_group_)->ColumnChunk(leaf)->num_values();
    bytes_per_row +=
        std::clamp<int64_t>(values / num_rows, 0, options_.batch_bytes) *
        kListValueBytes;
  }
  return std::clamp<int64_t>(options_.batch_bytes / bytes_per_row, 1,
                             options_.max_batch_rows);
}

// The header of the dictionary of a column of byte strings; none where there is
// no dictionary.
std::optional<PageHeader> ParquetTableReader::DictionaryHeader(int leaf) const {
  const auto chunk = metadata_->RowGroup(row_group_)->ColumnChunk(leaf);
  if (metadata_->schema()->Column(leaf)->physical_type() !=
          parquet::Type::BYTE_ARRAY ||
      !chunk->has_dictionary_page() || chunk->dictionary_page_offset() <= 0) {
    return std::nullopt;
  }
  const auto bytes =
      input_->ReadAt(chunk->dictionary_page_offset(), kDictionaryHeaderBytes);
  if (!bytes.ok()) return std::nullopt;
  return ParsePageHeader(std::string_view(
      (*bytes)->data_as<char>(), static_cast<size_t>((*bytes)->size())));
}

// Values that the file stores once stay stored once: expanded, a batch of one
// page repeated would outgrow any estimate. But every batch carries the whole
// dictionary, to which Arrow adds the plain values that follow it, and so
// reading one that is larger than a batch would take quadratic time. Such a
// dictionary is expanded, in batches so small that it cannot do harm even if
// all of it is one value.
absl::Status ParquetTableReader::OpenRowGroup() {
  parquet::ArrowReaderProperties properties;
  properties.set_use_threads(false);
  properties.set_pre_buffer(false);
  const int64_t batch_rows = RowsOfBatch();
  int64_t max_rows = batch_rows;
  for (const int leaf : leaf_indices_) {
    const std::optional<PageHeader> dictionary = DictionaryHeader(leaf);
    if (!dictionary.has_value()) continue;
    const auto chunk = metadata_->RowGroup(row_group_)->ColumnChunk(leaf);
    if (dictionary->num_values <= batch_rows && IsDictionaryOnly(*chunk)) {
      properties.set_read_dictionary(leaf, true);
    } else {
      max_rows = std::min(
          max_rows, kMaxExpandedBytes /
                        std::max<int64_t>(1, dictionary->uncompressed_size));
    }
  }
  rows_read_ = 0;
  withheld_->clear();
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      reader_,
      parquet::arrow::FileReader::Make(
          arrow::default_memory_pool(),
          OpenCheckedPages(input_, properties_, metadata_, options_.limits,
                           withheld_),
          properties),
      RowGroupName());
  reader_->set_batch_size(std::max<int64_t>(1, max_rows));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      batches_, reader_->GetRecordBatchReader({row_group_}, leaf_indices_),
      RowGroupName());
  return absl::OkStatus();
}

absl::Status ParquetTableReader::CloseRowGroup() {
  batches_.reset();
  reader_.reset();
  const int64_t expected = metadata_->RowGroup(row_group_)->num_rows();
  if (rows_read_ != expected) {
    return absl::DataLossError(StrCat(RowGroupName(), ": the footer promises ",
                                      Counted(expected, "row"), ", found ",
                                      rows_read_));
  }
  ++row_group_;
  return absl::OkStatus();
}

// The values withheld that are in the batch after `rows_read_` rows.
void ParquetTableReader::ListWithheld(Batch* batch) const {
  batch->withheld.clear();
  for (const WithheldValues& values : *withheld_) {
    const int64_t begin = std::max(values.first_row, rows_read_);
    const int64_t end = std::min(values.first_row + values.num_rows,
                                 rows_read_ + batch->num_rows);
    for (size_t i = 0; i < sources_.size(); ++i) {
      if (sources_[i].leaf != values.leaf) continue;
      for (int64_t row = begin; row < end; ++row) {
        batch->withheld.push_back({i, row - rows_read_, values.num_bytes});
      }
    }
  }
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
      TROMMEL_RETURN_IF_ERROR(CloseRowGroup());
      continue;
    }
    if (records->num_rows() == 0) continue;
    for (int i = 0; i < records->num_columns(); ++i) {
      if (ReferToDictionaries(*records->column_data(i))) continue;
      return absl::DataLossError(
          StrCat(RowGroupName(), ": column ", records->column_name(i),
                 " refers to values that its dictionary does not have"));
    }
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
    ListWithheld(batch);
    rows_read_ += batch->num_rows;
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
