#include "mapreduce/io/parquet_footer.h"

#include <arrow/buffer.h>
#include <arrow/filesystem/filesystem.h>
#include <arrow/io/interfaces.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "mapreduce/io/arrow_status.h"

namespace trommel::io {
namespace {

// Four bytes of length, least significant first, and the magic bytes, which are
// others where the footer is encrypted.
constexpr uint64_t kTailSize = 8;
constexpr std::string_view kMagic = "PAR1";
constexpr std::string_view kEncryptedMagic = "PARE";
// Most footers are smaller: one read gets all.
constexpr int64_t kFirstRead = int64_t{1} << 16;

// The length of the footer with its tail; 0 when this is no end of a file.
uint64_t FooterSize(std::string_view end_of_file) {
  if (end_of_file.size() < kTailSize) return 0;
  const std::string_view tail =
      end_of_file.substr(end_of_file.size() - kTailSize);
  if (tail.substr(4) != kMagic && tail.substr(4) != kEncryptedMagic) return 0;
  uint64_t size = 0;
  for (size_t i = 4; i-- > 0;) size = size << 8 | static_cast<uint8_t>(tail[i]);
  return size + kTailSize;
}

}  // namespace

std::string_view ParquetFooterOf(std::string_view end_of_file) {
  const uint64_t size = FooterSize(end_of_file);
  return size > 0 && size <= end_of_file.size()
             ? end_of_file.substr(end_of_file.size() - size)
             : std::string_view();
}

absl::StatusOr<std::string> ReadParquetFooter(const Path& file) {
  TROMMEL_ASSIGN_OR_RETURN_ARROW(
      const std::shared_ptr<arrow::io::RandomAccessFile> input,
      file.file_system->OpenInputFile(file.path), file.name);
  TROMMEL_ASSIGN_OR_RETURN_ARROW(const int64_t file_size, input->GetSize(),
                                 file.name);
  int64_t size = kFirstRead;
  while (true) {
    size = std::min(size, file_size);
    TROMMEL_ASSIGN_OR_RETURN_ARROW(const std::shared_ptr<arrow::Buffer> end,
                                   input->ReadAt(file_size - size, size),
                                   file.name);
    const std::string_view bytes(end->data_as<char>(),
                                 static_cast<size_t>(end->size()));
    const std::string_view footer = ParquetFooterOf(bytes);
    if (!footer.empty()) return std::string(footer);
    const auto footer_size = static_cast<int64_t>(FooterSize(bytes));
    if (footer_size <= size || footer_size > file_size) break;
    size = footer_size;
  }
  return absl::DataLossError(
      StrCat(file.name, ": the file does not end as Parquet files do"));
}

}  // namespace trommel::io
