#include "core/signature/page_signature.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/hash.h"
#include "core/html/encoding.h"
#include "core/html/tag_scanner.h"

// How a page becomes eight bytes and a sketch.
//
// The eight bytes are those of Vertex, section III-A. A shingle is a run of l
// tags, start and end tags as they stand in the source. For each of eight hash
// functions the shingle with the smallest hash wins; two pages have the same
// winner with the probability |S n S'| / |S u S'| of their shingle sets. The
// paper takes hash functions onto a byte, whose minimum over the hundreds of
// shingles of a page is nearly always 0, on any page: the bytes of unrelated
// pages agree. So the hashes are 64 bits wide here, and the vector keeps one
// byte of each winner; different winners then share a byte once in 256.
//
// The sketch is for what eight bytes cannot tell: whether two groups of pages
// are one template. It differs from the vector in three ways.
//
// - Its shingles are short, four tags. A shingle of ten tags is lost when one
//   of the ten changes; where optional sections and lists alternate with fixed
//   markup, pages of one template keep few of them.
// - Its start tags carry their class and id, without digits. Much of today's
//   markup is div within div, and only the names tell a price from a footer.
// - It has 128 slots instead of eight, and pays for one hash per shingle, not
//   128: the first seven bits of the hash choose the slot, and the smallest
//   hash of the slot wins (one permutation hashing, Li, Owen and Zhang, NIPS
//   2012). The next sixteen bits of the winner are kept, so that slots can be
//   compared by size and not only for equality (sketch.h says what for).
//
// Figures for shorter shingles, and for tags with class and id, are in
// core/cluster/linkage.cc.
//
// Cost: per tag one rolling hash, eight multiplications for the vector, one mix
// for the sketch, and a pass over the bytes of class and id. Hashes of windows
// are polynomials over the tags' hashes modulo 2^64, so that a tag enters and
// another leaves the window in two multiplications.

namespace trommel::signature {
namespace {

constexpr int kSketchShingle = 4;
constexpr int kSketchBits = 7;
static_assert(Sketch::kSlots == size_t{1} << kSketchBits);

constexpr uint64_t kBase = 0x9E3779B97F4A7C15u;  // of the polynomials; odd

constexpr uint64_t Power(uint64_t base, int exponent) {
  uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= base;
  return power;
}

// Multiplication by an odd number permutes the 64-bit words, so each of these
// orders the (already mixed) shingle hashes in another way, and the smallest
// product names its shingle.
constexpr std::array<uint64_t, kVectorBytes> MakeOrders() {
  std::array<uint64_t, kVectorBytes> orders = {};
  uint64_t state = 0x74726F6D6D656C31u;
  for (uint64_t& order : orders) order = Mix64(state += kBase) | 1;
  return orders;
}
constexpr std::array<uint64_t, kVectorBytes> kOrders = MakeOrders();

constexpr uint64_t kNoMinimum = std::numeric_limits<uint64_t>::max();

bool EqualsLower(std::string_view name, std::string_view lower) {
  if (name.size() != lower.size()) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    if ((name[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

// A hash of a class or id without its digits: they number items, articles,
// users ("post-48213"), and say nothing of the template.
uint64_t HashName(std::string_view value, uint64_t seed) {
  uint64_t hash = seed;
  for (const char c : value) {
    if (c >= '0' && c <= '9') continue;
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3u;
  }
  return Mix64(hash);
}

// Takes the tags of a page. Inlined by force, for there are two loops over
// tags, and a call for each tag costs a twentieth.
class TagSink {
 public:
  TagSink(int shingle_length, uint64_t leaving_factor, uint64_t* window)
      : shingle_length_(shingle_length),
        leaving_factor_(leaving_factor),
        window_(window) {
    minima_.fill(kNoMinimum);
    bins_.fill(kNoMinimum);
  }

  [[gnu::always_inline]] void Attribute(std::string_view name,
                                        std::string_view value) {
    if (EqualsLower(name, "class")) {
      names_ += HashName(value, 0x636C617373u);
    } else if (EqualsLower(name, "id")) {
      names_ += HashName(value, 0x6964u);
    }
  }

  [[gnu::always_inline]] void operator()(const html::Tag& tag) {
    // The bit of end tags first, so that no key becomes another.
    const uint64_t hash = Mix64(tag.key ^ (tag.end ? kBase : 0));
    AddToVector(hash);
    AddToSketch(names_ == 0 || tag.end ? hash : Mix64(hash + names_));
    names_ = 0;
    ++num_tags_;
  }

  int64_t num_tags() const { return num_tags_; }

  PageSignature Take() const {
    PageSignature signature;
    for (const uint64_t minimum : minima_) {
      signature.vector = signature.vector << 8 | (Mix64(minimum) & 0xFF);
    }
    for (size_t i = 0; i < Sketch::kSlots; ++i) {
      // Shifted, so that the words' order is that of signed numbers. The
      // largest is for empty slots.
      const int order = static_cast<int>(
          std::min<uint64_t>(bins_[i] << kSketchBits >> 48, 0xFFFE));
      signature.sketch.slots[i] = bins_[i] == kNoMinimum
                                      ? Sketch::kEmpty
                                      : static_cast<int16_t>(order - 0x8000);
    }
    return signature;
  }

 private:
  void AddToVector(uint64_t tag) {
    uint64_t& place = window_[window_position_];
    rolling_ = rolling_ * kBase + tag - place * leaving_factor_;
    place = tag;
    if (++window_position_ == shingle_length_) window_position_ = 0;
    if (num_tags_ + 1 < shingle_length_) return;
    const uint64_t shingle = Mix64(rolling_);
    // Unrolled, and with a branch because it is hardly ever taken: among n
    // shingles a minimum changes some ln n times. This takes a twelfth off the
    // time of a page.
#pragma GCC unroll 8
    for (int i = 0; i < kVectorBytes; ++i) {
      const uint64_t product = shingle * kOrders[i];
      if (product < minima_[i]) [[unlikely]] {
        minima_[i] = product;
      }
    }
  }

  void AddToSketch(uint64_t tag) {
    constexpr uint64_t kLeaving = Power(kBase, kSketchShingle);
    uint64_t& place =
        last_tags_[static_cast<uint64_t>(num_tags_) % kSketchShingle];
    sketch_rolling_ = sketch_rolling_ * kBase + tag - place * kLeaving;
    place = tag;
    if (num_tags_ + 1 < kSketchShingle) return;
    const uint64_t shingle = Mix64(sketch_rolling_);
    uint64_t& bin = bins_[shingle >> (64 - kSketchBits)];
    bin = std::min(bin, shingle);
  }

  const int shingle_length_;
  const uint64_t leaving_factor_;
  uint64_t* const window_;
  int window_position_ = 0;
  int64_t num_tags_ = 0;
  uint64_t names_ = 0;  // class and id of the tag to come
  uint64_t rolling_ = 0;
  uint64_t sketch_rolling_ = 0;
  std::array<uint64_t, kSketchShingle> last_tags_ = {};
  std::array<uint64_t, kVectorBytes> minima_;
  std::array<uint64_t, Sketch::kSlots> bins_;
};

// Takes the tags and texts of a page.
class TagAndWordSink {
 public:
  TagAndWordSink(TagSink* tags, words::WordCollector* words)
      : tags_(tags), words_(words) {}

  void Attribute(std::string_view name, std::string_view value) {
    tags_->Attribute(name, value);
  }
  void operator()(const html::Tag& tag) { (*tags_)(tag); }
  void Title(std::string_view text) { words_->Title(text); }
  void Text(std::string_view text) { words_->Text(text); }

 private:
  TagSink* const tags_;
  words::WordCollector* const words_;
};

}  // namespace

PageSigner::PageSigner(int shingle_length)
    : shingle_length_(shingle_length),
      leaving_factor_(Power(kBase, shingle_length)),
      window_(static_cast<size_t>(shingle_length)) {}

std::optional<PageSignature> PageSigner::Sign(
    std::string_view bytes, std::string_view declared_charset) {
  html::Encoding encoding = html::DetectEncoding(bytes, declared_charset);
  const std::string_view markup = Markup(bytes, &encoding);
  std::fill(window_.begin(), window_.end(), 0);
  TagSink sink(shingle_length_, leaving_factor_, window_.data());
  html::ScanTags(markup, sink);
  if (sink.num_tags() < shingle_length_) return std::nullopt;
  return sink.Take();
}

std::optional<PageSignature> PageSigner::SignWithWords(
    std::string_view bytes, std::string_view declared_charset,
    std::string_view url, words::PageWords* words) {
  html::Encoding encoding = html::DetectEncoding(bytes, declared_charset);
  const std::string_view markup = Markup(bytes, &encoding);
  std::fill(window_.begin(), window_.end(), 0);
  TagSink sink(shingle_length_, leaving_factor_, window_.data());
  words_.Begin(url, markup);
  html::ScanTags(markup, TagAndWordSink(&sink, &words_));
  *words = words_.Take(encoding);
  if (sink.num_tags() < shingle_length_) return std::nullopt;
  return sink.Take();
}

// Bytes that can be scanned for tags, and their encoding.
std::string_view PageSigner::Markup(std::string_view bytes,
                                    html::Encoding* encoding) {
  if (encoding->IsAsciiCompatible()) return bytes;
  const std::string_view utf8 = html::DecodeToUtf8(bytes, *encoding, &utf8_);
  *encoding = html::Encoding::FromLabel("utf-8");
  return utf8;
}

}  // namespace trommel::signature
