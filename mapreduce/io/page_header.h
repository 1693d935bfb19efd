#ifndef TROMMEL_MAPREDUCE_IO_PAGE_HEADER_H_
#define TROMMEL_MAPREDUCE_IO_PAGE_HEADER_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace trommel::io {

// What stands in front of a page of a Parquet column: what kind it is, and how
// large. Arrow reads this, too, but shows it only with the page, when a page
// that inflates to gigabytes has already been inflated. No checksum covers it.
struct PageHeader {
  // As the format numbers them.
  enum Type { kDataPage = 0, kDictionaryPage = 2, kDataPageV2 = 3 };

  int64_t type = -1;
  int64_t uncompressed_size = -1;
  int64_t compressed_size = -1;
  int64_t num_values = 0;  // of a data or dictionary page
  int64_t encoding = -1;   // of its values
  // Of the levels of a data page; -1 where it does not say.
  int64_t definition_level_encoding = -1;
  int64_t repetition_level_encoding = -1;

  int64_t header_size = 0;  // its own
};

// The header at the beginning of `bytes`; none when they are no header or end
// within it. Follows the compact protocol of Thrift and passes over fields that
// it does not know.
std::optional<PageHeader> ParsePageHeader(std::string_view bytes);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_PAGE_HEADER_H_
