#ifndef TROMMEL_CORE_URL_PARTS_INTERNAL_H_
#define TROMMEL_CORE_URL_PARTS_INTERNAL_H_

// A URL cut into the parts that a UrlPattern compares. Private to core/url.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trommel::url::internal {

// Stands for a run of digits. No valid UTF-8 has this byte, so a run is never
// taken for something in the URL.
inline constexpr char kDigits = '\xFF';

// Classes of bytes.
enum ByteClass : uint8_t {
  kDigit = 1,
  kLowerHex = 2,  // a-f
  kLower = 4,     // g-z
  kUpperHex = 8,
  kUpper = 16,
  kHyphen = 32,
  kOther = 64,
};

namespace parts_internal {
constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes = {};
  for (size_t c = 0; c < 256; ++c) {
    uint8_t& its = classes[c];
    if (c >= '0' && c <= '9') {
      its = kDigit;
    } else if (c >= 'a' && c <= 'z') {
      its = c <= 'f' ? kLowerHex : kLower;
    } else if (c >= 'A' && c <= 'Z') {
      its = c <= 'F' ? kUpperHex : kUpper;
    } else {
      its = c == '-' ? kHyphen : kOther;
    }
  }
  classes[static_cast<unsigned char>(kDigits)] = kDigit;
  return classes;
}
inline constexpr std::array<uint8_t, 256> kClasses = MakeClasses();
}  // namespace parts_internal

inline uint8_t ClassOf(char c) {
  return parts_internal::kClasses[static_cast<unsigned char>(c)];
}
uint8_t ClassesOf(std::string_view text);
// Of what stands before the last dot; of everything when there is no dot.
uint8_t StemClassesOf(std::string_view text);

// A separator of words: ASCII punctuation other than the sign of an escape.
bool IsSeparator(char c);

// Where the file extension begins, dot included: 1 to 5 letters and digits
// behind the last dot, a letter first. text.size() when there is none.
size_t ExtensionBegin(std::string_view text);

// Text with its digits folded: every run of them is one kDigits. Percent
// escapes stay as they are.
// A UrlParts has many, few of them in use: they come without values.
struct UrlToken {
  std::string_view text() const { return std::string_view(data, size); }

  const char* data;
  size_t size;
  uint8_t classes;
  uint8_t stem_classes;
};
UrlToken TokenOf(std::string_view folded);

struct ParamToken {
  UrlToken key;
  bool valued;  // has an equals sign; only then there is a value
  UrlToken value;
};

// The bytes of the URL are not copied where they can be viewed; they must
// outlive the parts. Nothing is decoded or normalised, any bytes will do:
//
//   scheme://authority/segment/segment?key=value&key#fragment
//
// Without "scheme://" there is no origin, and what would be behind it starts
// at the front. A path is split at its slashes: "/a/" has the segments "", "a"
// and "", the empty path has one.
class UrlParts {
 public:
  static constexpr size_t kMaxScheme = 16;
  // Of longer paths only the front and the last segment are looked at.
  static constexpr size_t kMaxSegments = 10;
  static constexpr size_t kMaxParams = 16;
  static constexpr size_t kMaxExtension = 5;
  static constexpr size_t kMaxSection = 32;

  explicit UrlParts(std::string_view url);
  UrlParts(const UrlParts&) = delete;
  UrlParts& operator=(const UrlParts&) = delete;

  bool is_utf8() const { return is_utf8_; }

  bool has_origin() const { return has_origin_; }
  // These are not folded.
  std::string_view scheme() const { return scheme_; }
  std::string_view authority() const { return authority_; }

  // The rest is there only when the URL is UTF-8.

  // Path and query as they stand.
  std::string_view path_and_query() const { return path_and_query_; }

  // At most kMaxSegments + 1, which means "more than kMaxSegments".
  size_t num_segments() const { return num_segments_; }
  // All segments but the last, or the first kMaxSegments - 1 of them.
  size_t num_heads() const {
    return (num_segments_ < kMaxSegments ? num_segments_ : kMaxSegments) - 1;
  }
  const UrlToken& head(size_t i) const { return segments_[i]; }
  // The one before the last; there when there are two or more.
  const UrlToken& before_last() const { return before_last_; }
  const UrlToken& last() const { return segments_[num_heads()]; }
  // Without the dot; empty when there is none.
  std::string_view extension() const {
    return last().text().substr(extension_begin_);
  }
  // The first directory, when it is not too long and not also the page itself:
  // "shop" in /shop/7, nothing in /shop/.
  std::string_view section() const { return section_; }

  bool has_query() const { return has_query_; }
  bool has_too_many_params() const { return has_too_many_params_; }
  size_t num_params() const { return num_params_; }
  const ParamToken& param(size_t i) const { return params_[i]; }

  bool has_fragment() const { return has_fragment_; }

 private:
  static constexpr size_t kBufferBytes = 512;

  // Cuts off the origin and returns the rest.
  std::string_view TakeOrigin(std::string_view url);
  UrlToken Fold(std::string_view text);
  void SplitPath(std::string_view path);
  void SplitQuery(std::string_view query);

  bool is_utf8_ = false;
  bool has_origin_ = false;
  bool has_query_ = false;
  bool has_too_many_params_ = false;
  bool has_fragment_ = false;
  std::string_view scheme_;
  std::string_view authority_;
  std::string_view path_and_query_;
  size_t num_segments_ = 0;
  size_t extension_begin_ = 0;
  std::string_view section_;
  std::array<UrlToken, kMaxSegments> segments_;
  UrlToken before_last_;
  size_t num_params_ = 0;
  std::array<ParamToken, kMaxParams> params_;
  // Folded text, never longer than what was folded.
  char* folded_ = nullptr;
  std::array<char, kBufferBytes> buffer_;
  std::string long_buffer_;
};

}  // namespace trommel::url::internal

#endif  // TROMMEL_CORE_URL_PARTS_INTERNAL_H_
