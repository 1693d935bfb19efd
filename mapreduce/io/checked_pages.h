#ifndef TROMMEL_MAPREDUCE_IO_CHECKED_PAGES_H_
#define TROMMEL_MAPREDUCE_IO_CHECKED_PAGES_H_

// The pages of a Parquet file, held against what its footer says.
//
// Arrow checks the bytes of a page (their checksum, that they inflate to what
// they should), but believes the header before it: a page of a type that it
// does not know is passed over, one that claims fewer values than it has is
// read so far, and one that claims to inflate to two gigabytes gets the memory.
// A reader of CheckedPages gets the same pages from the same code, and
//
//  - an exception unless the pages of a column chunk have as many values as the
//    footer promises, in encodings that it names;
//  - where there are limits, an exception, before any memory is taken, for a
//    page that inflates to more than `max_page_bytes`;
//  - an empty value in place of one over `max_value_bytes` that is alone in its
//    page. The page is passed over unread, and the value is on the list of
//    those withheld.

#include <cstdint>
#include <memory>
#include <vector>

namespace arrow::io {
class RandomAccessFile;
}  // namespace arrow::io

namespace parquet {
class FileMetaData;
class ParquetFileReader;
class ReaderProperties;
}  // namespace parquet

namespace trommel::io {

// A page is in memory as it is stored, inflated, and as the values of a batch.
inline constexpr int64_t kCopiesOfAPage = 3;

// Limits on what a page may hold; none where they are 0.
struct PageLimits {
  int64_t max_page_bytes = 0;
  int64_t max_value_bytes = 0;
};

// Rows of a row group of which a value was too large to be read.
struct WithheldValues {
  int leaf = 0;  // number of the Parquet column
  int64_t first_row = 0;
  int64_t num_rows = 0;
  int64_t num_bytes = 0;  // of each value
};

// A reader of `source`, whose footer is `metadata`. What is withheld is added
// to `withheld`, if anything can be. Throws what Parquet throws; so does the
// reader.
std::unique_ptr<parquet::ParquetFileReader> OpenCheckedPages(
    std::shared_ptr<arrow::io::RandomAccessFile> source,
    const parquet::ReaderProperties& properties,
    std::shared_ptr<parquet::FileMetaData> metadata, const PageLimits& limits,
    std::shared_ptr<std::vector<WithheldValues>> withheld);

}  // namespace trommel::io

#endif  // TROMMEL_MAPREDUCE_IO_CHECKED_PAGES_H_
