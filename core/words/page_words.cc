#include "core/words/page_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/base/characters.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/direct/character_references.h"
#include "core/html/names.h"
#include "core/html/text.h"

// How a page becomes a number, a few hashes and an opening.
//
// The question behind it is whether pages are copies of one page: a wall that
// keeps robots out, an error, a stub that sends the reader elsewhere. Copies
// are never equal to the byte. They name the time, the address and a number of
// the request, and the page that was asked for. So a word counts only where it
// could not be one of these:
//
// - A run of ASCII letters and digits does not count when it has a digit: ids,
//   mostly. The exception are numbers of up to five digits that stand alone or
//   are prices, for there are pages that say little in words (a player's
//   scores, a camera's figures); those beside a colon, dash, slash, underscore
//   or '#' are parts of times, dates, telephone numbers and ids, and those
//   with two dots of addresses. The number of a character, as in &#20013;,
//   counts too: some pages are written in these alone.
// - All bytes from 128 on are letters of other scripts, whatever they mean;
//   these may be written without spaces, and a number only parts their runs.
// - Neither does a run of more than 24 ASCII letters, or one of twelve or more
//   that looks drawn at random: few vowels, many consonants in a row, or
//   capitals in the middle. Runs with other letters are cut every 24 bytes
//   instead, because scripts without spaces have long ones.
// - Words of the page's URL and of its title do not count. They go into the
//   table of words first, with a mark.
//
// Case makes no difference, for a title may be shouted. References are not
// decoded: they are the same on all copies. What is hidden by a style sheet
// counts, and so does <noscript>: walls speak to robots there.
//
// Distinct words are counted by adaptive sampling (Wegman; Flajolet, Computing
// 43, 1990): a table takes the hashes of all words, and when it is full, every
// hash in the upper half of the range is thrown away and no more such are
// taken. The count is that of the table, times two for each halving; it is
// exact up to the table's 1,024 and then has a standard error of 1.2 / sqrt(m)
// with 512 <= m <= 1,024 words kept, some 4%. The smallest hashes are in the
// table in any case, and are a random sample of the page's words that is the
// same on all pages that have the words (bottom-k, Cohen and Kaplan, PODC
// 2007).
//
// Cost: texts are looked at in blocks of 64 bytes, of which sixteen at a time
// become bits that say where words are; so white space between tags, half of
// all text, costs one step, and a word a few operations on the bits, a hash of
// eight bytes at a time and a probe of the table. This adds about
// half to the time of a signature (tests/bench/html_bench.cc).

namespace trommel::words {
namespace {

constexpr size_t kPlaces = 2048;  // of the table; a power of two
constexpr size_t kMaxHashes = kPlaces / 2;
// Of the words of URL and title, so that they leave room for others.
constexpr size_t kMaxMasked = 256;
constexpr size_t kMaxUrlBytes = 2048;
constexpr size_t kMaxTitleBytes = 1024;
constexpr size_t kMaxWordBytes = 24;
constexpr size_t kMaxDigits = 5;
constexpr size_t kMinRandomBytes = 12;
// So many bytes of the page are looked at for the opening, from its first word
// on, and so many of its text: characters have up to four bytes, references
// more.
constexpr size_t kMaxMarkupBytes = 8192;
constexpr size_t kMaxOpeningBytes = 1024;

constexpr size_t kBlock = 64;

// Of a block of bytes, a bit for each: whether it belongs to a word, is an
// ASCII digit, is from 128 on.
struct BlockBits {
  uint64_t word = 0;
  uint64_t digit = 0;
  uint64_t high = 0;
};

// Of at most kBlock bytes, of which those up to the next multiple of sixteen
// can be read.
inline BlockBits FindWords(const char* p, size_t size) {
  BlockBits bits;
#if defined(__SSE2__)
  for (size_t i = 0; i < size; i += 16) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const auto are_between = [](__m128i x, char first, char last) {
      // The bytes are signed: those from 128 on are below all others.
      return _mm_and_si128(
          _mm_cmpgt_epi8(x, _mm_set1_epi8(static_cast<char>(first - 1))),
          _mm_cmplt_epi8(x, _mm_set1_epi8(static_cast<char>(last + 1))));
    };
    const __m128i letters =
        are_between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
    const __m128i digits = are_between(bytes, '0', '9');
    const auto bits_of = [i](__m128i x) {
      return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(x)))
             << i;
    };
    bits.digit |= bits_of(digits);
    bits.high |= bits_of(bytes);
    bits.word |= bits_of(_mm_or_si128(letters, digits));
  }
#else
  for (size_t i = 0; i < size; ++i) {
    const uint8_t c = static_cast<uint8_t>(p[i]);
    const uint8_t lower = c | 0x20;
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_word = is_digit || (c < 0x80 && lower >= 'a' && lower <= 'z');
    bits.digit |= uint64_t{is_digit} << i;
    bits.high |= uint64_t{c >= 0x80} << i;
    bits.word |= uint64_t{is_word} << i;
  }
#endif
  const uint64_t inside =
      size == kBlock ? ~uint64_t{0} : (uint64_t{1} << size) - 1;
  return {(bits.word | bits.high) & inside, bits.digit & inside,
          bits.high & inside};
}

// The first bytes of a word, at most eight; what follows is 0. ASCII is in
// lower case, if it is letters and digits.
inline uint64_t LoadLower(const char* p, size_t size,
                          const char* readable_end) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t bytes = 0;
  if (p + 8 <= readable_end) [[likely]] {
    std::memcpy(&bytes, p, 8);
    if (size < 8) bytes &= (uint64_t{1} << (8 * size)) - 1;
  } else {
    std::memcpy(&bytes, p, std::min<size_t>(size, 8));
  }
  constexpr uint64_t kHighBits = 0x8080808080808080u;
  return bytes | (~bytes & kHighBits) >> 2;
}

// A hash that does not depend on case, nor on what follows the word. The lowest
// bit is 0, for the mark, and some other bit is not.
inline uint32_t HashWord(std::string_view word, const char* readable_end) {
  const char* p = word.data();
  size_t size = word.size();
  uint64_t hash = size * 0x9E3779B97F4A7C15u;
  for (; size > 8; size -= 8, p += 8) {
    hash = Mix64(hash ^ LoadLower(p, 8, readable_end));
  }
  hash = Mix64(hash ^ LoadLower(p, size, readable_end));
  const uint32_t upper = static_cast<uint32_t>(hash >> 32) & ~1u;
  return upper == 0 ? 2 : upper;
}

bool IsVowel(char c) {
  switch (c | 0x20) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
    case 'y':
      return true;
    default:
      return false;
  }
}

// Of a run of ASCII letters.
bool LooksRandom(std::string_view letters) {
  size_t vowels = 0, consonants_in_a_row = 0, most_in_a_row = 0, humps = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (IsVowel(letters[i])) {
      ++vowels;
      consonants_in_a_row = 0;
    } else {
      most_in_a_row = std::max(most_in_a_row, ++consonants_in_a_row);
    }
    humps += i > 0 && (letters[i] & 0x20) == 0 && (letters[i - 1] & 0x20) != 0;
  }
  return 5 * vowels < letters.size() || most_in_a_row >= 6 || humps >= 3;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether the text begins, read in its direction, with a dot, digits and a dot.
template <typename Iterator>
bool BeginsWithDottedNumber(Iterator p, Iterator end) {
  if (p == end || *p != '.') return false;
  p = std::find_if_not(p + 1, end, IsDigit);
  return p != end && *p == '.';
}

// Whether a run of letters and digits, a part of `text`, is a number that a
// page may say, and no part of an id, a time or an address.
bool IsPlainNumber(std::string_view run, std::string_view text) {
  if (run.size() > kMaxDigits ||
      !std::all_of(run.begin(), run.end(), IsDigit)) {
    return false;
  }
  const auto begin = static_cast<size_t>(run.data() - text.data());
  const std::string_view before = text.substr(0, begin);
  const std::string_view after = text.substr(begin + run.size());
  if (before.ends_with("&#")) return true;
  constexpr std::string_view kOfLarger = ":-/_#";
  const char left = before.empty() ? ' ' : before.back();
  const char right = after.empty() ? ' ' : after.front();
  return kOfLarger.find(left) == std::string_view::npos &&
         kOfLarger.find(right) == std::string_view::npos &&
         !(left == '.' && right == '.') &&
         !BeginsWithDottedNumber(after.begin(), after.end()) &&
         !BeginsWithDottedNumber(before.rbegin(), before.rend());
}

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// "%C3%A9" as its bytes.
void AppendPercentDecoded(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      const int high = HexDigit(text[i + 1]);
      const int low = HexDigit(text[i + 2]);
      if (high >= 0 && low >= 0) {
        *out += static_cast<char>(high << 4 | low);
        i += 2;
        continue;
      }
    }
    *out += text[i];
  }
}

// Appends the text with its character references decoded.
void AppendWithoutReferences(std::string_view text, std::string* out) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const auto* found = static_cast<const char*>(
        std::memchr(p, '&', static_cast<size_t>(end - p)));
    if (found == nullptr) found = end;
    out->append(p, found);
    p = found;
    if (p == end) return;
    // References are short; whatever is longer means nothing.
    std::array<char, 64> bytes;
    char* written = bytes.data();
    const char* const limit = std::min(end, p + 40);
    const char* const next = html::direct::DecodeReference(
        p, limit, html::direct::ReferencePlace::kText, &written);
    if (next == nullptr) {
      *out += *p++;
    } else {
      out->append(bytes.data(), written);
      p = next;
    }
  }
}

// The longest beginning of whole words with at most so many characters; of a
// text that begins with a longer word, so many characters of it.
std::string_view WholeWords(std::string_view text, size_t max_characters) {
  std::string_view rest = text;
  for (size_t i = 0; i < max_characters; ++i) {
    if (rest.empty()) return text;
    TakeCharacter(&rest);
  }
  if (rest.empty()) return text;
  const std::string_view cut = text.substr(0, text.size() - rest.size());
  if (rest.front() == ' ') return cut;
  const size_t space = cut.rfind(' ');
  return space == std::string_view::npos ? cut : cut.substr(0, space);
}

// Takes the first texts of a page as a reader sees them, with a space where a
// tag parts words, and single ones.
class OpeningSink {
 public:
  void operator()(const html::Tag& tag) {
    std::array<char, 16> name;
    if (tag.name.size() <= name.size()) {
      std::transform(tag.name.begin(), tag.name.end(), name.begin(),
                     AsciiLower);
      if (html::IsInlineElement(
              html::FrequentName({name.data(), tag.name.size()}))) {
        return;
      }
    }
    Text(" ");
  }
  void Title(std::string_view /*text*/) {}
  void Text(std::string_view text) {
    for (const char c : text) {
      if (text_.size() == kMaxOpeningBytes) return;
      if (!IsHtmlSpace(c)) {
        text_ += c;
      } else if (!text_.empty() && text_.back() != ' ') {
        text_ += ' ';
      }
    }
  }

  std::string_view text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string PageWords::SampleBytes() const {
  static_assert(std::endian::native == std::endian::little);
  return std::string(reinterpret_cast<const char*>(sample.data()),
                     sample.size() * sizeof(uint32_t));
}

absl::StatusOr<PageWords> PageWords::FromParts(int64_t count,
                                               std::string_view sample_bytes,
                                               std::string_view opening) {
  PageWords words;
  words.count = count;
  words.opening = opening;
  words.sample.resize(sample_bytes.size() / sizeof(uint32_t));
  if (count < 0 || words.sample.size() > kSampledWords ||
      sample_bytes.size() % sizeof(uint32_t) != 0 ||
      words.sample.size() > static_cast<size_t>(count)) {
    return absl::InvalidArgumentError(StrCat(
        "a sample of ", sample_bytes.size(), " bytes of ", count, " words"));
  }
  if (!sample_bytes.empty()) {
    std::memcpy(words.sample.data(), sample_bytes.data(), sample_bytes.size());
  }
  return words;
}

// The inner functions come first and are inline, for the loop over words.

inline void WordCollector::AddToSample(uint32_t hash) {
  if (sample_size_ == sample_.size()) {
    if (hash > sample_.back()) return;
    --sample_size_;
  }
  size_t place = sample_size_++;
  for (; place > 0 && sample_[place - 1] > hash; --place) {
    sample_[place] = sample_[place - 1];
  }
  sample_[place] = hash;
}

void WordCollector::KeepSmallerHashes() {
  ++halvings_;
  const std::vector<uint32_t> all =
      std::exchange(table_, std::vector<uint32_t>(kPlaces));
  num_hashes_ = num_masked_ = 0;
  for (const uint32_t hash : all) {
    if (hash == 0 || static_cast<uint64_t>(hash) >> (32 - halvings_) != 0) {
      continue;
    }
    size_t place = (hash >> 1) % kPlaces;
    while (table_[place] != 0) place = (place + 1) % kPlaces;
    table_[place] = hash;
    ++num_hashes_;
    num_masked_ += hash & 1;
  }
}

inline void WordCollector::AddHash(uint32_t hash, Use use) {
  if (static_cast<uint64_t>(hash) >> (32 - halvings_) != 0) return;
  if (use == Use::kMasked && num_masked_ == kMaxMasked) return;
  size_t place = (hash >> 1) % kPlaces;
  while (table_[place] != 0) {
    if ((table_[place] & ~1u) == hash) return;
    place = (place + 1) % kPlaces;
  }
  ++num_hashes_;
  if (use == Use::kMasked) {
    table_[place] = hash | 1;
    ++num_masked_;
  } else {
    table_[place] = hash;
    AddToSample(hash);
  }
  while (num_hashes_ > kMaxHashes) KeepSmallerHashes();
}

void WordCollector::AddLongRun(std::string_view run, bool has_high,
                               const Source& source) {
  if (!has_high && (run.size() > kMaxWordBytes || LooksRandom(run))) return;
  while (!run.empty()) {
    const std::string_view word = run.substr(0, kMaxWordBytes);
    AddHash(HashWord(word, source.readable_end), source.use);
    run.remove_prefix(word.size());
  }
}

void WordCollector::AddAroundDigits(std::string_view run,
                                    const Source& source) {
  const char* p = run.data();
  const char* const end = p + run.size();
  while (true) {
    p = std::find_if_not(p, end, IsDigit);
    if (p == end) return;
    const char* const begin = p;
    p = std::find_if(p, end, IsDigit);
    AddLongRun({begin, static_cast<size_t>(p - begin)}, /*has_high=*/true,
               source);
  }
}

inline void WordCollector::AddRun(std::string_view run, bool has_digit,
                                  bool has_high, const Source& source) {
  if (has_digit) {
    if (has_high) return AddAroundDigits(run, source);
    if (!IsPlainNumber(run, source.text)) return;
  }
  if (run.size() >= kMinRandomBytes) [[unlikely]] {
    return AddLongRun(run, has_high, source);
  }
  AddHash(HashWord(run, source.readable_end), source.use);
}

void WordCollector::AddText(const Source& source) {
  const char* p = source.text.data();
  const char* const end = p + source.text.size();
  std::array<char, kBlock> copy;
  while (p < end) {
    const size_t size = std::min(kBlock, static_cast<size_t>(end - p));
    const char* block = p;
    if (static_cast<size_t>(source.readable_end - p) < kBlock) [[unlikely]] {
      std::memcpy(copy.data(), p, size);
      block = copy.data();
    }
    const BlockBits bits = FindWords(block, size);
    uint64_t rest = bits.word;
    if (rest != 0 && first_text_ == nullptr && source.use == Use::kCounted) {
      first_text_ = p;
    }
    size_t done = size;
    while (rest != 0) {
      const auto begin = static_cast<size_t>(std::countr_zero(rest));
      const auto length = static_cast<size_t>(std::countr_one(rest >> begin));
      // A run that goes on behind the block is for the next, which begins
      // with it; one that fills the block is cut.
      if (begin + length == kBlock && begin > 0 && p + kBlock < end) {
        done = begin;
        break;
      }
      const uint64_t run =
          (length == kBlock ? ~uint64_t{0} : (uint64_t{1} << length) - 1)
          << begin;
      rest &= ~run;
      AddRun(std::string_view(p + begin, length), (bits.digit & run) != 0,
             (bits.high & run) != 0, source);
    }
    p += done;
  }
}

WordCollector::WordCollector() : table_(kPlaces) {}

void WordCollector::Begin(std::string_view url, std::string_view html) {
  std::fill(table_.begin(), table_.end(), 0);
  num_hashes_ = num_masked_ = sample_size_ = 0;
  halvings_ = 0;
  html_ = html;
  first_text_ = nullptr;
  std::string decoded;
  AppendPercentDecoded(url.substr(0, kMaxUrlBytes), &decoded);
  AddText({decoded, decoded.data() + decoded.size(), Use::kMasked});
}

void WordCollector::Title(std::string_view text) {
  AddText({text.substr(0, kMaxTitleBytes), html_.data() + html_.size(),
           Use::kMasked});
}

void WordCollector::Text(std::string_view text) {
  // Most texts are white space between tags.
  const char* const readable_end = html_.data() + html_.size();
  if (text.size() <= 16 && readable_end - text.data() >= 16 &&
      FindWords(text.data(), text.size()).word == 0) {
    return;
  }
  AddText({text, html_.data() + html_.size(), Use::kCounted});
}

std::string WordCollector::Opening(html::Encoding encoding) const {
  if (first_text_ == nullptr) return "";
  OpeningSink sink;
  html::ScanTags(html_.substr(static_cast<size_t>(first_text_ - html_.data()),
                              kMaxMarkupBytes),
                 sink);
  std::string buffer;
  const std::string_view text =
      html::DecodeToUtf8(sink.text(), encoding, &buffer);
  std::string plain;
  AppendWithoutReferences(text, &plain);
  const std::string normal = NormalizeSpace(plain);
  return std::string(WholeWords(normal, PageWords::kMaxOpeningCharacters));
}

PageWords WordCollector::Take(html::Encoding encoding) {
  PageWords words;
  words.count = static_cast<int64_t>(num_hashes_ - num_masked_) << halvings_;
  words.sample.assign(
      sample_.begin(),
      sample_.begin() + std::min(sample_size_, num_hashes_ - num_masked_));
  if (words.count <= PageWords::kMaxWordsWithOpening) {
    words.opening = Opening(encoding);
  }
  return words;
}

}  // namespace trommel::words
