#include "mapreduce/io/checked_pages.h"

#include <arrow/buffer.h>
#include <arrow/io/interfaces.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/strings.h"
#include "mapreduce/io/page_header.h"

namespace trommel::io {
namespace {

// Headers are some dozens of bytes, unless they have statistics of long values.
constexpr int64_t kFirstPeek = 1024;
constexpr int64_t kMaxPeek = int64_t{1} << 20;
// Bytes passed over at a time.
constexpr int64_t kSkipStep = int64_t{1} << 20;
// What a value takes in its page beside its bytes: its length and its levels.
constexpr int64_t kValueOverhead = 64;
// Room for what Parquet versions before 1.2.9 left out of a chunk's length
// (PARQUET-816).
constexpr int64_t kMaxDictionaryHeaderBytes = 100;

bool IsDictionaryEncoding(parquet::Encoding::type encoding) {
  return encoding == parquet::Encoding::PLAIN_DICTIONARY ||
         encoding == parquet::Encoding::RLE_DICTIONARY;
}

// A page of one value, which is empty.
std::shared_ptr<parquet::Page> EmptyValue(
    const parquet::ColumnDescriptor& column, bool is_dictionary) {
  std::string bytes;
  if (!is_dictionary && column.max_definition_level() > 0) {
    // Two bytes of levels: a run of one, and the level of a value.
    bytes = std::string("\2\0\0\0\2", 5);
    bytes += static_cast<char>(column.max_definition_level());
  }
  bytes.append(4, '\0');  // the value's length
  const auto size = static_cast<int64_t>(bytes.size());
  std::shared_ptr<arrow::Buffer> buffer =
      arrow::Buffer::FromString(std::move(bytes));
  if (is_dictionary) {
    return std::make_shared<parquet::DictionaryPage>(buffer, 1,
                                                     parquet::Encoding::PLAIN);
  }
  return std::make_shared<parquet::DataPageV1>(
      buffer, 1, parquet::Encoding::PLAIN, parquet::Encoding::RLE,
      parquet::Encoding::RLE, size);
}

class CheckedPageReader final : public parquet::PageReader {
 public:
  CheckedPageReader(std::shared_ptr<parquet::ArrowInputStream> stream,
                    std::unique_ptr<parquet::PageReader> pages,
                    std::unique_ptr<parquet::ColumnChunkMetaData> chunk,
                    const parquet::ColumnDescriptor& column, int leaf,
                    const PageLimits& limits,
                    std::shared_ptr<std::vector<WithheldValues>> withheld)
      : stream_(std::move(stream)),
        pages_(std::move(pages)),
        chunk_(std::move(chunk)),
        column_(column),
        leaf_(leaf),
        limits_(limits),
        withheld_(std::move(withheld)) {}

  void set_max_page_header_size(uint32_t size) override {
    pages_->set_max_page_header_size(size);
  }

  std::shared_ptr<parquet::Page> NextPage() override {
    if (std::shared_ptr<parquet::Page> empty = PassOver()) return empty;
    std::shared_ptr<parquet::Page> page = pages_->NextPage();
    Check(page.get());
    return page;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw parquet::ParquetException(
        StrCat("column ", column_.path()->ToDotString(), ": ", what));
  }

  // The header of the next page; none at the end, and where only Arrow can say
  // what is wrong with it.
  std::optional<PageHeader> PeekHeader() {
    for (int64_t size = kFirstPeek; size <= kMaxPeek; size *= 4) {
      PARQUET_ASSIGN_OR_THROW(const std::string_view bytes,
                              stream_->Peek(size));
      const std::optional<PageHeader> header = ParsePageHeader(bytes);
      if (header.has_value() || static_cast<int64_t>(bytes.size()) < size) {
        return header;
      }
    }
    return std::nullopt;
  }

  void Skip(int64_t num_bytes) {
    while (num_bytes > 0) {
      const int64_t step = std::min(num_bytes, kSkipStep);
      PARQUET_THROW_NOT_OK(stream_->Advance(step));
      num_bytes -= step;
    }
  }

  // Passes over pages that are not for readers, and over one that holds nothing
  // but a value that is to be withheld; what is to be read in place of that is
  // returned.
  std::shared_ptr<parquet::Page> PassOver() {
    while (num_values_ < chunk_->num_values()) {
      const std::optional<PageHeader> header = PeekHeader();
      if (!header.has_value()) return nullptr;
      const bool is_dictionary = header->type == PageHeader::kDictionaryPage;
      const bool is_read = is_dictionary ||
                           header->type == PageHeader::kDataPage ||
                           header->type == PageHeader::kDataPageV2;
      if (is_read && !IsTooLarge(*header)) return nullptr;
      Skip(header->header_size + header->compressed_size);
      if (!is_read) continue;
      const int64_t num_bytes = header->uncompressed_size;
      if (is_dictionary) {
        withheld_dictionary_bytes_ = num_bytes;
      } else {
        withheld_->push_back({leaf_, num_values_, 1, num_bytes});
        ++num_values_;
      }
      return EmptyValue(column_, is_dictionary);
    }
    return nullptr;
  }

  // Whether a page holds a value that is to be withheld. Fails if it holds
  // others, too, and is too large to be read for these.
  bool IsTooLarge(const PageHeader& header) const {
    const int64_t size = header.uncompressed_size;
    const bool over_value = limits_.max_value_bytes > 0 &&
                            size > limits_.max_value_bytes + kValueOverhead &&
                            withheld_ != nullptr;
    const bool over_page =
        limits_.max_page_bytes > 0 && size > limits_.max_page_bytes;
    if (!over_value && !over_page) return false;
    // A header is not believed more than the footer.
    if (size > chunk_->total_uncompressed_size()) {
      Fail(StrCat("a page claims ", size, " bytes, and the footer ",
                  chunk_->total_uncompressed_size(), " for all pages"));
    }
    if (over_value && header.num_values == 1 &&
        column_.physical_type() == parquet::Type::BYTE_ARRAY &&
        column_.max_repetition_level() == 0 &&
        column_.max_definition_level() <= 1) {
      return true;
    }
    if (!over_page) return false;
    constexpr int64_t kMegabyte = int64_t{1} << 20;
    Fail(StrCat("a Parquet page of ", Counted(header.num_values, "value"),
                " inflates to ", size,
                " bytes; to read it, give --task-memory-mb=",
                (size / kMegabyte + 1) * kCopiesOfAPage));
  }

  // Holds a page, or the end, against the footer.
  void Check(const parquet::Page* page) {
    if (page != nullptr && page->type() == parquet::PageType::DICTIONARY_PAGE) {
      return;
    }
    if (page != nullptr) {
      const auto& data = static_cast<const parquet::DataPage&>(*page);
      CheckEncodings(data);
      if (withheld_dictionary_bytes_ > 0 &&
          IsDictionaryEncoding(data.encoding())) {
        withheld_->push_back({leaf_, num_values_, data.num_values(),
                              withheld_dictionary_bytes_});
      }
      num_values_ += data.num_values();
    }
    const int64_t expected = chunk_->num_values();
    if (page == nullptr ? num_values_ != expected : num_values_ > expected) {
      Fail(StrCat("the footer promises ", Counted(expected, "value"),
                  ", its pages have ", page == nullptr ? "" : "at least ",
                  num_values_));
    }
  }

  void CheckEncodings(const parquet::DataPage& page) const {
    const std::vector<parquet::PageEncodingStats>& stats =
        chunk_->encoding_stats();
    const bool is_named = std::any_of(
        stats.begin(), stats.end(),
        [&](const parquet::PageEncodingStats& named) {
          // Writers that count pages of version 2 as data pages
          // are as common as those that do not.
          return named.page_type != parquet::PageType::DICTIONARY_PAGE &&
                 (named.encoding == page.encoding() ||
                  (IsDictionaryEncoding(named.encoding) &&
                   IsDictionaryEncoding(page.encoding())));
        });
    // Older writers give no such list.
    if (!stats.empty() && !is_named) {
      Fail(StrCat("a page has the encoding ",
                  parquet::EncodingToString(page.encoding()),
                  ", which the footer does not name"));
    }
    if (page.type() != parquet::PageType::DATA_PAGE) return;
    const auto& levels = static_cast<const parquet::DataPageV1&>(page);
    if (column_.max_definition_level() > 0) {
      CheckLevels(levels.definition_level_encoding());
    }
    if (column_.max_repetition_level() > 0) {
      CheckLevels(levels.repetition_level_encoding());
    }
  }

  // Levels are run lengths everywhere but in the oldest files.
  void CheckLevels(parquet::Encoding::type encoding) const {
    const std::vector<parquet::Encoding::type>& named = chunk_->encodings();
    if (encoding == parquet::Encoding::RLE ||
        std::find(named.begin(), named.end(), encoding) != named.end()) {
      return;
    }
    Fail(StrCat("the levels of a page have the encoding ",
                parquet::EncodingToString(encoding),
                ", which the footer does not name"));
  }

  std::shared_ptr<parquet::ArrowInputStream> stream_;
  std::unique_ptr<parquet::PageReader> pages_;  // of the same stream
  std::unique_ptr<parquet::ColumnChunkMetaData> chunk_;
  const parquet::ColumnDescriptor& column_;  // of the file's metadata
  int leaf_;
  PageLimits limits_;
  std::shared_ptr<std::vector<WithheldValues>> withheld_;
  int64_t num_values_ = 0;  // of the pages so far
  int64_t withheld_dictionary_bytes_ = 0;
};

// What the readers of a file and of its row groups share.
struct CheckedFile {
  std::shared_ptr<arrow::io::RandomAccessFile> source;
  int64_t source_size = 0;
  parquet::ReaderProperties properties;
  std::shared_ptr<parquet::FileMetaData> metadata;
  PageLimits limits;
  std::shared_ptr<std::vector<WithheldValues>> withheld;
};

class CheckedRowGroup final : public parquet::RowGroupReader::Contents {
 public:
  CheckedRowGroup(const CheckedFile& file, int index)
      : file_(file), metadata_(file.metadata->RowGroup(index)) {}

  const parquet::RowGroupMetaData* metadata() const override {
    return metadata_.get();
  }
  const parquet::ReaderProperties* properties() const override {
    return &file_.properties;
  }

  std::unique_ptr<parquet::PageReader> GetColumnPageReader(int leaf) override {
    std::unique_ptr<parquet::ColumnChunkMetaData> chunk =
        metadata_->ColumnChunk(leaf);
    if (chunk->crypto_metadata() != nullptr) {
      throw parquet::ParquetException("the column is encrypted");
    }
    const parquet::ColumnDescriptor& column =
        *file_.metadata->schema()->Column(leaf);
    const std::shared_ptr<parquet::ArrowInputStream> stream = OpenChunk(*chunk);
    // Before this version pages of the second kind did not say whether they are
    // compressed.
    const bool always_compressed = file_.metadata->writer_version().VersionLt(
        parquet::ApplicationVersion::PARQUET_CPP_10353_FIXED_VERSION());
    std::unique_ptr<parquet::PageReader> pages = parquet::PageReader::Open(
        stream, chunk->num_values(), chunk->compression(), file_.properties,
        column, always_compressed);
    return std::make_unique<CheckedPageReader>(stream, std::move(pages),
                                               std::move(chunk), column, leaf,
                                               file_.limits, file_.withheld);
  }

 private:
  std::shared_ptr<parquet::ArrowInputStream> OpenChunk(
      const parquet::ColumnChunkMetaData& chunk) {
    int64_t begin = chunk.data_page_offset();
    if (chunk.has_dictionary_page() && chunk.dictionary_page_offset() > 0) {
      begin = std::min(begin, chunk.dictionary_page_offset());
    }
    int64_t size = chunk.total_compressed_size();
    if (begin < 0 || size < 0 || begin > file_.source_size ||
        size > file_.source_size - begin) {
      throw parquet::ParquetException(StrCat(
          "the footer says that a column begins at byte ", begin, " and has ",
          size, " bytes; the file has ", file_.source_size));
    }
    if (file_.metadata->writer_version().VersionLt(
            parquet::ApplicationVersion::PARQUET_816_FIXED_VERSION())) {
      size +=
          std::min(kMaxDictionaryHeaderBytes, file_.source_size - begin - size);
    }
    return file_.properties.GetStream(file_.source, begin, size);
  }

  CheckedFile file_;
  std::unique_ptr<parquet::RowGroupMetaData> metadata_;
};

// Only its row groups differ from what Arrow opens.
class CheckedContents final : public parquet::ParquetFileReader::Contents {
 public:
  CheckedContents(CheckedFile file, std::unique_ptr<Contents> contents)
      : file_(std::move(file)), contents_(std::move(contents)) {}

  void Close() override { contents_->Close(); }
  std::shared_ptr<parquet::RowGroupReader> GetRowGroup(int index) override {
    return std::make_shared<parquet::RowGroupReader>(
        std::make_unique<CheckedRowGroup>(file_, index));
  }
  std::shared_ptr<parquet::FileMetaData> metadata() const override {
    return file_.metadata;
  }
  std::shared_ptr<parquet::PageIndexReader> GetPageIndexReader() override {
    return contents_->GetPageIndexReader();
  }
  parquet::BloomFilterReader& GetBloomFilterReader() override {
    return contents_->GetBloomFilterReader();
  }

 private:
  CheckedFile file_;
  std::unique_ptr<Contents> contents_;
};

}  // namespace

std::unique_ptr<parquet::ParquetFileReader> OpenCheckedPages(
    std::shared_ptr<arrow::io::RandomAccessFile> source,
    const parquet::ReaderProperties& properties,
    std::shared_ptr<parquet::FileMetaData> metadata, const PageLimits& limits,
    std::shared_ptr<std::vector<WithheldValues>> withheld) {
  std::unique_ptr<parquet::ParquetFileReader::Contents> contents =
      parquet::ParquetFileReader::Contents::Open(source, properties, metadata);
  CheckedFile file;
  PARQUET_ASSIGN_OR_THROW(file.source_size, source->GetSize());
  file.source = std::move(source);
  file.properties = properties;
  file.metadata = std::move(metadata);
  file.limits = limits;
  file.withheld = std::move(withheld);
  auto reader = std::make_unique<parquet::ParquetFileReader>();
  reader->Open(
      std::make_unique<CheckedContents>(std::move(file), std::move(contents)));
  return reader;
}

}  // namespace trommel::io
