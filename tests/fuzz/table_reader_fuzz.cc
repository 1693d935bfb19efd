// Parquet files: any bytes are an error or the rows that their footer promises,
// in every column, through the reader's own checks of page headers, values and
// limits. Arrow's decoders do the rest and are not instrumented.

#include <arrow/array.h>
#include <arrow/filesystem/mockfs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "mapreduce/io/page_header.h"
#include "mapreduce/io/parquet_footer.h"
#include "mapreduce/io/table_reader.h"
#include "tests/fuzz/require.h"

namespace trommel::fuzz {
namespace {

// So small that the files of a corpus go over them.
constexpr io::PageLimits kLimits = {int64_t{1} << 20, 100};

void ParseParts(std::string_view bytes) {
  if (const auto header = io::ParsePageHeader(bytes)) {
    Require(header->header_size <= static_cast<int64_t>(bytes.size()),
            "a header is longer than the bytes");
    Require(header->uncompressed_size >= 0 && header->compressed_size >= 0 &&
                header->num_values >= 0,
            "a header has a negative size");
  }
  Require(io::ParquetFooterOf(bytes).size() <= bytes.size(),
          "a footer is longer than the file");
}

void CheckBatch(const io::TableReader::Batch& batch) {
  for (const std::shared_ptr<arrow::Array>& column : batch.columns) {
    Require(column == nullptr || column->length() == batch.num_rows,
            "a column has another number of rows");
  }
  for (const io::TableReader::Batch::Withheld& value : batch.withheld) {
    Require(value.row >= 0 && value.row < batch.num_rows &&
                value.column < batch.columns.size(),
            "a value outside the batch is withheld");
    Require(value.num_bytes > kLimits.max_value_bytes,
            "a small value is withheld");
  }
}

void ReadFile(std::string_view bytes) {
  const auto file_system =
      std::make_shared<arrow::fs::internal::MockFileSystem>(
          arrow::fs::TimePoint());
  if (!file_system->CreateFile("t.parquet", bytes).ok()) return;
  const io::Path path = {file_system, "t.parquet", "t.parquet"};
  io::TableReader::Options options;
  options.limits = kLimits;
  options.max_batch_rows = 16;
  const auto reader =
      io::TableReader::Open(path,
                            {{"url", io::ColumnType::kBytes, false},
                             {"content", io::ColumnType::kBytes, false},
                             {"number", io::ColumnType::kInt64, false},
                             {"tags", io::ColumnType::kBytesList, false}},
                            options);
  if (!reader.ok()) return;
  int64_t num_rows = 0;
  io::TableReader::Batch batch;
  while (true) {
    const auto more = (*reader)->Next(&batch);
    if (!more.ok()) return;
    if (!*more) break;
    CheckBatch(batch);
    num_rows += batch.num_rows;
    // Columns that are absent may be promised in any number.
    if (num_rows > 100000) return;
  }
  Require(num_rows == (*reader)->num_rows(),
          "rows read are not the rows promised");
}

}  // namespace
}  // namespace trommel::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  trommel::fuzz::ParseParts(bytes);
  trommel::fuzz::ReadFile(bytes);
  return 0;
}
