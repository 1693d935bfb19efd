#ifndef TROMMEL_CORE_WORDS_PAGE_WORDS_H_
#define TROMMEL_CORE_WORDS_PAGE_WORDS_H_

// What a page says, small enough to be kept for every page of a crawl: how many
// words it has, a sample of them as hashes, and how its text begins.
//
//   WordCollector collector;
//   collector.Begin(url, bytes);
//   html::ScanTags(bytes, collector);  // or as a part of another sink
//   const PageWords words = collector.Take(encoding);
//
// Words are those that could tell a page from a copy of it. What differs
// between copies of one page is left out: times, addresses and ids, and what
// stands in the URL or the title. page_words.cc says how.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/encoding.h"
#include "core/html/tag_scanner.h"

namespace trommel::words {

struct PageWords {
  // The size of the sample.
  static constexpr size_t kSampledWords = 32;
  // A page with more words has no opening.
  static constexpr int64_t kMaxWordsWithOpening = 256;
  static constexpr size_t kMaxOpeningCharacters = 120;

  // Distinct words. Above a thousand it is an estimate, by 4% off or so.
  int64_t count = 0;
  // The smallest hashes of them, ascending: all, or kSampledWords.
  std::vector<uint32_t> sample;
  // How the text begins, numbers and all: whole words of valid UTF-8, without
  // references, separated by single spaces.
  std::string opening;

  // The sample as it is stored: hashes of four bytes, low byte first.
  std::string SampleBytes() const;
  // InvalidArgument where the sample is none of so many words.
  static absl::StatusOr<PageWords> FromParts(int64_t count,
                                             std::string_view sample_bytes,
                                             std::string_view opening);

  friend bool operator==(const PageWords&, const PageWords&) = default;
};

// Takes the texts of a page, as a sink of html::ScanTags(). Keeps its buffers
// from page to page; its memory does not grow with the page.
class WordCollector {
 public:
  WordCollector();

  // A new page. Words of its URL will not count; texts will be views of `html`.
  void Begin(std::string_view url, std::string_view html);

  void operator()(const html::Tag& /*tag*/) {}
  void Title(std::string_view text);
  void Text(std::string_view text);

  // The words of the page. `encoding` is that of its bytes.
  PageWords Take(html::Encoding encoding);

 private:
  // Whether words count, or are those that do not count elsewhere.
  enum class Use { kCounted, kMasked };

  // A text whose words are added.
  struct Source {
    std::string_view text;
    const char* readable_end;  // bytes up to here can be read
    Use use;
  };

  void AddText(const Source& source);
  void AddRun(std::string_view run, bool has_digit, bool has_high,
              const Source& source);
  void AddLongRun(std::string_view run, bool has_high, const Source& source);
  void AddAroundDigits(std::string_view run, const Source& source);
  void AddHash(uint32_t hash, Use use);
  void AddToSample(uint32_t hash);
  void KeepSmallerHashes();
  std::string Opening(html::Encoding encoding) const;

  std::string_view html_;
  const char* first_text_ = nullptr;  // where the first text that has words is
  // A hash table without chains: hashes, whose lowest bit says whether the word
  // is masked; 0 for an empty place.
  std::vector<uint32_t> table_;
  size_t num_hashes_ = 0;  // in the table
  size_t num_masked_ = 0;  // of them
  int halvings_ = 0;       // only hashes below 2^(32 - halvings_) are kept
  std::array<uint32_t, PageWords::kSampledWords> sample_;
  size_t sample_size_ = 0;
};

}  // namespace trommel::words

#endif  // TROMMEL_CORE_WORDS_PAGE_WORDS_H_
