#ifndef TROMMEL_TESTS_TESTING_DAMAGED_WARC_H_
#define TROMMEL_TESTS_TESTING_DAMAGED_WARC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::testing_support {

// The ways in which records become a file.
enum class WarcFraming {
  kPlain,
  kGzipRecords,
  kGzipWhole,
  kZstdRecords,
  kZstdDictionary,
};
std::string_view ToString(WarcFraming framing);

// Whether the file has a compressed frame for each record.
bool HasFramePerRecord(WarcFraming framing);

// A resource record. Its header is as long for every URL of the same length and
// block of as many digits.
std::string MakeWarcRecord(std::string_view url, std::string_view block);

// URLs of records that are inside pages, and must never be read as records.
inline constexpr std::string_view kForgedUrlPrefix = "https://forged.example/";

// An archive that was damaged, and the truth about it.
struct DamagedWarc {
  struct Record {
    std::string url;
    std::string block;
    size_t file_bytes = 0;  // of its frame, or of its text
    // None of its bytes were touched; a reader can return it as it was. In a
    // file compressed as a whole: all of its text can still be decoded.
    bool is_good = true;
    int num_copies = 1;  // duplicated ranges can contain whole frames
  };

  WarcFraming framing = WarcFraming::kPlain;
  std::string damage;  // for messages
  std::string file;
  std::vector<Record> records;

  size_t num_good() const;
};

// A few dozen records of 0 to 100 KB, pages of words, of noise, pages that
// contain WARC text and pages that are compressed archives, in any framing and
// with one to six damages: bits flipped, ranges deleted, inserted, zeroed or
// duplicated, frames cut, the end of the file cut off. Pages with well-formed
// records as plain text occur only where records have frames of their own,
// since elsewhere no reader can tell them from the file's.
DamagedWarc MakeDamagedWarc(uint64_t seed);

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_DAMAGED_WARC_H_
