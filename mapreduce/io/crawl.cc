#include "mapreduce/io/crawl.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <utility>

#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/shard_writer.h"
#include "mapreduce/io/table_reader.h"

namespace trommel::io {
namespace {

constexpr char kUrl[] = "url";
constexpr char kHost[] = "url_host_name";
constexpr char kFetchTime[] = "fetch_time";
constexpr char kFetchStatus[] = "fetch_status";
constexpr char kCharset[] = "content_charset";
constexpr char kMimeType[] = "content_mime_type";
constexpr char kContent[] = "content";

// Rows are handed to Parquet when this much content has come together.
constexpr int64_t kBatchBytes = int64_t{4} << 20;
constexpr int64_t kBatchRows = 4096;
// Pages differ in size by a factor of a thousand; so few are read at a time
// that a run of large ones does no harm.
constexpr int64_t kReadRows = 32;

class ParquetCrawlReader final : public CrawlReader {
 public:
  explicit ParquetCrawlReader(const CrawlColumns& columns) {
    if (columns.content) options_.max_batch_rows = kReadRows;
    requests_.push_back({kUrl, ColumnType::kBytes, true});
    const auto want = [this](bool wanted, const char* name, ColumnType type,
                             bool required) {
      if (!wanted) return -1;
      requests_.push_back({name, type, required});
      return static_cast<int>(requests_.size()) - 1;
    };
    content_ = want(columns.content, kContent, ColumnType::kBytes, true);
    time_ = want(columns.fetch_time, kFetchTime, ColumnType::kTimestamp, false);
    status_ =
        want(columns.fetch_status, kFetchStatus, ColumnType::kInt64, false);
    charset_ = want(columns.charset, kCharset, ColumnType::kBytes, false);
    mime_ = want(columns.mime_type, kMimeType, ColumnType::kBytes, false);
  }

  absl::Status Init(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
      TROMMEL_ASSIGN_OR_RETURN(const Path resolved, ResolvePath(path));
      TROMMEL_ASSIGN_OR_RETURN(const std::vector<Entry> files,
                               ListTableFiles(resolved));
      files_.insert(files_.end(), files.begin(), files.end());
    }
    // Opening every file first finds a bad one before any work is done.
    for (const Entry& file : files_) {
      TROMMEL_ASSIGN_OR_RETURN(
          const std::unique_ptr<TableReader> reader,
          TableReader::Open(file.path, requests_, options_));
      num_rows_ += reader->num_rows();
    }
    return absl::OkStatus();
  }

  int64_t num_rows() const override { return num_rows_; }

  absl::StatusOr<bool> Next(CrawlPage* page) override {
    while (row_ == batch_.num_rows) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, NextBatch());
      if (!more) return false;
    }
    page->url = url_column_[row_];
    page->content = content_column_[row_];
    page->charset = charset_column_[row_];
    page->mime_type = mime_column_[row_];
    page->fetch_time_us.reset();
    if (!time_column_.IsNull(row_)) page->fetch_time_us = time_column_[row_];
    page->fetch_status.reset();
    if (!status_column_.IsNull(row_)) page->fetch_status = status_column_[row_];
    ++row_;
    return true;
  }

 private:
  absl::StatusOr<bool> NextBatch() {
    row_ = batch_.num_rows = 0;
    while (true) {
      if (reader_ == nullptr) {
        if (next_file_ == files_.size()) return false;
        TROMMEL_ASSIGN_OR_RETURN(
            reader_,
            TableReader::Open(files_[next_file_++].path, requests_, options_));
      }
      TROMMEL_ASSIGN_OR_RETURN(const bool more, reader_->Next(&batch_));
      if (more) break;
      reader_.reset();
    }
    const auto bytes = [this](int i) {
      return i < 0 || batch_.columns[i] == nullptr
                 ? BytesColumn()
                 : BytesColumn(batch_.columns[i]);
    };
    const auto integers = [this](int i) {
      return i < 0 || batch_.columns[i] == nullptr
                 ? Int64Column()
                 : Int64Column(batch_.columns[i]);
    };
    url_column_ = bytes(0);
    content_column_ = bytes(content_);
    charset_column_ = bytes(charset_);
    mime_column_ = bytes(mime_);
    time_column_ = integers(time_);
    status_column_ = integers(status_);
    return true;
  }

  TableReader::Options options_;
  std::vector<ColumnRequest> requests_;
  int content_, time_, status_, charset_, mime_;  // indices of requests, or -1

  std::vector<Entry> files_;
  int64_t num_rows_ = 0;
  size_t next_file_ = 0;
  std::unique_ptr<TableReader> reader_;
  TableReader::Batch batch_;
  int64_t row_ = 0;
  BytesColumn url_column_, content_column_, charset_column_, mime_column_;
  Int64Column time_column_, status_column_;
};

std::shared_ptr<arrow::Schema> CrawlSchema() {
  return arrow::schema({
      arrow::field(kUrl, arrow::utf8(), /*nullable=*/false),
      arrow::field(kHost, arrow::utf8()),
      arrow::field(kFetchTime, arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
      arrow::field(kFetchStatus, arrow::int32()),
      arrow::field(kMimeType, arrow::utf8()),
      arrow::field(kCharset, arrow::utf8()),
      arrow::field(kContent, arrow::binary(), /*nullable=*/false),
  });
}

class ParquetCrawlWriter final : public CrawlWriter {
 public:
  explicit ParquetCrawlWriter(std::unique_ptr<ShardWriter> shards)
      : schema_(CrawlSchema()),
        shards_(std::move(shards)),
        time_(arrow::timestamp(arrow::TimeUnit::MICRO, "UTC"),
              arrow::default_memory_pool()) {}

  absl::Status Append(const CrawlPage& page) override {
    TROMMEL_RETURN_IF_ARROW_ERROR(AppendRow(page), page.url);
    if (content_.value_data_length() + url_.value_data_length() >=
            kBatchBytes ||
        url_.length() >= kBatchRows) {
      return Flush();
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<ShardInfo>> Close() override {
    TROMMEL_RETURN_IF_ERROR(Flush());
    return shards_->Close();
  }

 private:
  static arrow::Status AppendOptional(std::string_view value,
                                      arrow::StringBuilder* builder) {
    return value.empty() ? builder->AppendNull() : builder->Append(value);
  }

  arrow::Status AppendRow(const CrawlPage& page) {
    ARROW_RETURN_NOT_OK(url_.Append(page.url));
    ARROW_RETURN_NOT_OK(AppendOptional(page.host, &host_));
    ARROW_RETURN_NOT_OK(page.fetch_time_us.has_value()
                            ? time_.Append(*page.fetch_time_us)
                            : time_.AppendNull());
    ARROW_RETURN_NOT_OK(
        page.fetch_status.has_value()
            ? status_.Append(static_cast<int32_t>(*page.fetch_status))
            : status_.AppendNull());
    ARROW_RETURN_NOT_OK(AppendOptional(page.mime_type, &mime_));
    ARROW_RETURN_NOT_OK(AppendOptional(page.charset, &charset_));
    return content_.Append(page.content);
  }

  absl::Status Flush() {
    std::vector<std::shared_ptr<arrow::Array>> arrays;
    const int64_t rows = url_.length();
    for (arrow::ArrayBuilder* builder :
         std::initializer_list<arrow::ArrayBuilder*>{
             &url_, &host_, &time_, &status_, &mime_, &charset_, &content_}) {
      TROMMEL_ASSIGN_OR_RETURN_ARROW(std::shared_ptr<arrow::Array> array,
                                     builder->Finish(), "building a batch");
      arrays.push_back(std::move(array));
    }
    return shards_->Write(
        *arrow::RecordBatch::Make(schema_, rows, std::move(arrays)));
  }

  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<ShardWriter> shards_;
  arrow::StringBuilder url_, host_, mime_, charset_;
  arrow::TimestampBuilder time_;
  arrow::Int32Builder status_;
  arrow::BinaryBuilder content_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CrawlReader>> CrawlReader::Open(
    const std::vector<std::string>& paths, const CrawlColumns& columns) {
  auto reader = std::make_unique<ParquetCrawlReader>(columns);
  TROMMEL_RETURN_IF_ERROR(reader->Init(paths));
  return std::unique_ptr<CrawlReader>(std::move(reader));
}

absl::StatusOr<std::unique_ptr<CrawlWriter>> CrawlWriter::Create(
    const Path& directory) {
  ShardWriter::Options options;
  options.plain_columns = {kContent, kUrl};
  TROMMEL_ASSIGN_OR_RETURN(
      std::unique_ptr<ShardWriter> shards,
      ShardWriter::Create(directory, CrawlSchema(), options));
  return std::unique_ptr<CrawlWriter>(
      std::make_unique<ParquetCrawlWriter>(std::move(shards)));
}

}  // namespace trommel::io
