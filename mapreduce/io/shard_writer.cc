#include "mapreduce/io/shard_writer.h"

#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/byte_size.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <exception>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/hash.h"
#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/parquet_footer.h"

namespace trommel::io {
namespace {

// Passes bytes on and keeps their digest, so that a manifest can name what was
// written without reading it again.
class DigestingStream final : public arrow::io::OutputStream {
 public:
  explicit DigestingStream(std::shared_ptr<arrow::io::OutputStream> next)
      : next_(std::move(next)) {}

  arrow::Status Write(const void* data, int64_t size) override {
    digest_.Update(std::string_view(static_cast<const char*>(data),
                                    static_cast<size_t>(size)));
    num_bytes_ += size;
    Keep(std::string_view(static_cast<const char*>(data),
                          static_cast<size_t>(size)));
    return next_->Write(data, size);
  }
  arrow::Status Flush() override { return next_->Flush(); }
  arrow::Status Close() override { return next_->Close(); }
  arrow::Status Abort() override { return next_->Abort(); }
  arrow::Result<int64_t> Tell() const override { return num_bytes_; }
  bool closed() const override { return next_->closed(); }

  int64_t num_bytes() const { return num_bytes_; }
  std::string digest() const { return digest_.Hex(); }
  // That of the footer, when the file is complete.
  std::string footer_digest() const {
    const std::string_view footer = ParquetFooterOf(end_);
    return footer.empty() ? std::string() : ContentDigest(footer);
  }

 private:
  // Keeps the end of the file. The footer is written at once, and its length
  // and the magic bytes, four bytes each, after it.
  void Keep(std::string_view bytes) {
    constexpr size_t kSmall = 4;
    if (bytes.size() > kSmall) end_.clear();
    end_ += bytes;
  }

  std::shared_ptr<arrow::io::OutputStream> next_;
  DigestStream digest_;
  std::string end_;
  int64_t num_bytes_ = 0;
};

class ParquetShardWriter final : public ShardWriter {
 public:
  ParquetShardWriter(Path directory, std::shared_ptr<arrow::Schema> schema,
                     const Options& options)
      : directory_(std::move(directory)),
        schema_(std::move(schema)),
        options_(options) {
    parquet::WriterProperties::Builder builder;
    builder.compression(parquet::Compression::ZSTD)
        ->compression_level(options_.zstd_level)
        ->enable_page_checksum()
        ->max_row_group_length(int64_t{1} << 30)
        ->created_by("trommel");
    for (const std::string& column : options_.plain_columns) {
      builder.disable_dictionary(column)->disable_statistics(column);
    }
    properties_ = builder.build();
    arrow_properties_ =
        parquet::ArrowWriterProperties::Builder().store_schema()->build();
  }

  ~ParquetShardWriter() override { Abandon(); }

  // Parquet reports some errors by exceptions; none leaves this class.
  absl::Status Write(const arrow::RecordBatch& batch) override {
    try {
      return WriteBatch(batch);
    } catch (const std::exception& error) {
      return absl::InternalError(StrCat(final_.name, ": ", error.what()));
    }
  }
  absl::StatusOr<std::vector<ShardInfo>> Close() override {
    try {
      return CloseAll();
    } catch (const std::exception& error) {
      return absl::InternalError(StrCat(final_.name, ": ", error.what()));
    }
  }

 private:
  absl::Status WriteBatch(const arrow::RecordBatch& batch);
  absl::StatusOr<std::vector<ShardInfo>> CloseAll();
  absl::Status OpenFile();
  absl::Status CloseFile();
  void Abandon();

  Path directory_;
  std::shared_ptr<arrow::Schema> schema_;
  Options options_;
  std::shared_ptr<parquet::WriterProperties> properties_;
  std::shared_ptr<parquet::ArrowWriterProperties> arrow_properties_;

  std::vector<ShardInfo> shards_;
  // The file being written.
  Path temporary_;
  Path final_;
  std::shared_ptr<DigestingStream> stream_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  int64_t row_group_bytes_ = 0;
  int64_t num_rows_ = 0;
};

absl::Status ParquetShardWriter::OpenFile() {
  const std::string name =
      absl::StrFormat("%s-%05d.parquet", options_.prefix, shards_.size());
  final_ = directory_.Child(name);
  temporary_ = directory_.Child(StrCat(".", name, ".tmp"));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      std::shared_ptr<arrow::io::OutputStream> file,
      directory_.file_system->OpenOutputStream(temporary_.path), final_.name);
  stream_ = std::make_shared<DigestingStream>(std::move(file));
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      writer_,
      parquet::arrow::FileWriter::Open(*schema_, arrow::default_memory_pool(),
                                       stream_, properties_, arrow_properties_),
      final_.name);
  row_group_bytes_ = 0;
  num_rows_ = 0;
  return absl::OkStatus();
}

absl::Status ParquetShardWriter::WriteBatch(const arrow::RecordBatch& batch) {
  if (batch.num_rows() == 0) return absl::OkStatus();
  if (writer_ != nullptr && stream_->num_bytes() >= options_.max_file_bytes) {
    TROMMEL_RETURN_IF_ERROR(CloseFile());
  }
  if (writer_ == nullptr) TROMMEL_RETURN_IF_ERROR(OpenFile());
  if (row_group_bytes_ >= options_.row_group_bytes) {
    TROMMEL_RETURN_IF_ARROW_ERROR(writer_->NewBufferedRowGroup(), final_.name);
    row_group_bytes_ = 0;
  }
  TROMMEL_RETURN_IF_ARROW_ERROR(writer_->WriteRecordBatch(batch), final_.name);
  row_group_bytes_ += arrow::util::TotalBufferSize(batch);
  num_rows_ += batch.num_rows();
  return absl::OkStatus();
}

absl::Status ParquetShardWriter::CloseFile() {
  TROMMEL_RETURN_IF_ARROW_ERROR(writer_->Close(), final_.name);
  TROMMEL_RETURN_IF_ARROW_ERROR(stream_->Close(), final_.name);
  TROMMEL_RETURN_IF_ERROR(Rename(temporary_, final_));
  shards_.push_back({final_.BaseName(), num_rows_, stream_->num_bytes(),
                     stream_->digest(), stream_->footer_digest()});
  writer_.reset();
  stream_.reset();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ShardInfo>> ParquetShardWriter::CloseAll() {
  if (writer_ == nullptr && shards_.empty()) {
    TROMMEL_RETURN_IF_ERROR(OpenFile());
  }
  if (writer_ != nullptr) TROMMEL_RETURN_IF_ERROR(CloseFile());
  return shards_;
}

void ParquetShardWriter::Abandon() {
  if (stream_ == nullptr) return;
  (void)stream_->Abort();
  writer_.reset();
  stream_.reset();
  (void)RemoveAll(temporary_);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ShardWriter>> ShardWriter::Create(
    const Path& directory, std::shared_ptr<arrow::Schema> schema,
    const Options& options) {
  TROMMEL_RETURN_IF_ERROR(MakeDirectories(directory));
  return std::unique_ptr<ShardWriter>(std::make_unique<ParquetShardWriter>(
      directory, std::move(schema), options));
}

}  // namespace trommel::io
