#include "mapreduce/io/crawl.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <utility>

#include "mapreduce/io/arrow_status.h"
#include "mapreduce/io/shard_writer.h"
#include "mapreduce/io/table_files.h"
#include "mapreduce/io/table_reader.h"

namespace trommel::io {
namespace {

constexpr char kUrl[] = "url";
constexpr char kHost[] = "url_host_name";
constexpr char kFetchTime[] = "fetch_time";
constexpr char kFetchStatus[] = "fetch_status";
constexpr char kCharset[] = "content_charset";
constexpr char kMimeType[] = "content_mime_type";
constexpr char kTruncated[] = "content_truncated";
constexpr char kContent[] = "content";

// Rows are handed to Parquet when this much content has come together.
constexpr int64_t kBatchBytes = int64_t{4} << 20;
constexpr int64_t kBatchRows = 4096;
constexpr int64_t kReadRows = 32;
constexpr int64_t kReadRowsWithoutContent = 65536;

class ParquetCrawlReader final : public CrawlReader {
 public:
  explicit ParquetCrawlReader(const CrawlColumns& columns) : layout_(columns) {
    options_.max_batch_rows = layout_.max_batch_rows();
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
          TableReader::Open(file.path, layout_.requests(), options_));
      num_rows_ += reader->num_rows();
    }
    return absl::OkStatus();
  }

  int64_t num_rows() const override { return num_rows_; }

  absl::StatusOr<bool> Next(CrawlPage* page) override {
    Row row;
    while (true) {
      if (reader_ == nullptr) {
        if (next_file_ == files_.size()) return false;
        TROMMEL_ASSIGN_OR_RETURN(reader_,
                                 RowReader::Open(files_[next_file_++].path,
                                                 layout_.requests(), options_));
      }
      TROMMEL_ASSIGN_OR_RETURN(const bool more, reader_->Next(&row));
      if (more) break;
      reader_.reset();
    }
    *page = layout_.Page(row);
    return true;
  }

 private:
  CrawlLayout layout_;
  TableReader::Options options_;
  std::vector<Entry> files_;
  int64_t num_rows_ = 0;
  size_t next_file_ = 0;
  std::unique_ptr<RowReader> reader_;
};

std::shared_ptr<arrow::Schema> CrawlSchema() {
  return arrow::schema({
      arrow::field(kUrl, arrow::utf8(), /*nullable=*/false),
      arrow::field(kHost, arrow::utf8()),
      arrow::field(kFetchTime, arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
      arrow::field(kFetchStatus, arrow::int32()),
      arrow::field(kMimeType, arrow::utf8()),
      arrow::field(kCharset, arrow::utf8()),
      arrow::field(kTruncated, arrow::utf8()),
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
    ARROW_RETURN_NOT_OK(AppendOptional(page.truncated, &truncated_));
    return content_.Append(page.content);
  }

  absl::Status Flush() {
    std::vector<std::shared_ptr<arrow::Array>> arrays;
    const int64_t rows = url_.length();
    for (arrow::ArrayBuilder* builder :
         std::initializer_list<arrow::ArrayBuilder*>{
             &url_, &host_, &time_, &status_, &mime_, &charset_, &truncated_,
             &content_}) {
      TROMMEL_ASSIGN_OR_RETURN_ARROW(std::shared_ptr<arrow::Array> array,
                                     builder->Finish(), "building a batch");
      arrays.push_back(std::move(array));
    }
    return shards_->Write(
        *arrow::RecordBatch::Make(schema_, rows, std::move(arrays)));
  }

  std::shared_ptr<arrow::Schema> schema_;
  std::unique_ptr<ShardWriter> shards_;
  arrow::StringBuilder url_, host_, mime_, charset_, truncated_;
  arrow::TimestampBuilder time_;
  arrow::Int32Builder status_;
  arrow::BinaryBuilder content_;
};

}  // namespace

CrawlLayout::CrawlLayout(const CrawlColumns& columns) {
  Request(true, kUrl, ColumnType::kBytes, true);
  content_ = Request(columns.content, kContent, ColumnType::kBytes, true);
  fetch_time_ =
      Request(columns.fetch_time, kFetchTime, ColumnType::kTimestamp, false);
  fetch_status_ =
      Request(columns.fetch_status, kFetchStatus, ColumnType::kInt64, false);
  charset_ = Request(columns.charset, kCharset, ColumnType::kBytes, false);
  mime_type_ = Request(columns.mime_type, kMimeType, ColumnType::kBytes, false);
  truncated_ =
      Request(columns.truncated, kTruncated, ColumnType::kBytes, false);
}

int CrawlLayout::Request(bool wanted, const char* name, ColumnType type,
                         bool required) {
  if (!wanted) return -1;
  requests_.push_back({name, type, required});
  return static_cast<int>(requests_.size()) - 1;
}

std::vector<ColumnRequest> CrawlLayout::RequestsWithDeferredContent() const {
  std::vector<ColumnRequest> requests = requests_;
  if (content_ >= 0) requests[static_cast<size_t>(content_)].deferred = true;
  return requests;
}

int64_t CrawlLayout::max_batch_rows() const {
  return content_ >= 0 ? kReadRows : kReadRowsWithoutContent;
}

CrawlPage CrawlLayout::Page(const Row& row) const {
  const auto bytes = [&row](int column) {
    return column < 0 ? std::string_view()
                      : row.bytes(static_cast<size_t>(column));
  };
  const auto integer = [&row](int column) -> std::optional<int64_t> {
    if (column < 0 || row.is_null(static_cast<size_t>(column))) return {};
    return row.int64(static_cast<size_t>(column));
  };
  CrawlPage page;
  page.url = bytes(0);
  page.content = bytes(content_);
  if (content_ >= 0) {
    page.withheld_bytes = row.withheld_bytes(static_cast<size_t>(content_));
  }
  page.fetch_time_us = integer(fetch_time_);
  page.fetch_status = integer(fetch_status_);
  page.charset = bytes(charset_);
  page.mime_type = bytes(mime_type_);
  page.truncated = bytes(truncated_);
  return page;
}

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
