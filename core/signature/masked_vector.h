#ifndef TROMMEL_CORE_SIGNATURE_MASKED_VECTOR_H_
#define TROMMEL_CORE_SIGNATURE_MASKED_VECTOR_H_

// Shingle vectors and masked shingle vectors (Vertex, section III-A).
//
// The shingle vector of a page is eight bytes that say which shingles it has:
// the more two pages have in common, the more of their bytes agree. A masked
// vector leaves some bytes open ("*") and so stands for all vectors that agree
// in the others:
//
//   MaskedVector::Parse("1.2.*.4.5.*.7.8")->Covers(VectorOf({1,2,3,4,5,6,7,8}))

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace trommel::signature {

// Eight bytes, the first in the highest byte of the word, so that words compare
// as the bytes do from the left.
using ShingleVector = uint64_t;

inline constexpr int kVectorBytes = 8;

constexpr ShingleVector VectorOf(
    const std::array<uint8_t, kVectorBytes>& bytes) {
  ShingleVector vector = 0;
  for (const uint8_t byte : bytes) vector = vector << 8 | byte;
  return vector;
}

constexpr uint8_t VectorByte(ShingleVector vector, int i) {
  return static_cast<uint8_t>(vector >> (8 * (kVectorBytes - 1 - i)));
}

// A set of byte positions as bits, the first position in the highest bit.
using WildCards = uint8_t;

constexpr std::array<uint64_t, 256> MakeFixedBits() {
  std::array<uint64_t, 256> all = {};
  for (size_t wild = 0; wild < all.size(); ++wild) {
    for (int bit = 0; bit < kVectorBytes; ++bit) {
      if ((wild >> bit & 1) == 0) all[wild] |= uint64_t{0xFF} << (8 * bit);
    }
  }
  return all;
}
inline constexpr std::array<uint64_t, 256> kFixedBits = MakeFixedBits();

// 0xFF in each byte that is not wild.
constexpr uint64_t FixedBits(WildCards wild) { return kFixedBits[wild]; }

struct MaskedVector {
  // The bytes; zero where wild.
  uint64_t bytes = 0;
  WildCards wild = 0;

  MaskedVector() = default;
  MaskedVector(ShingleVector vector, WildCards wild_cards)
      : bytes(vector & FixedBits(wild_cards)), wild(wild_cards) {}

  // "12.*.7.200.3.*.9.41". Parse() takes nothing else and says what is wrong.
  static absl::StatusOr<MaskedVector> Parse(std::string_view text);
  std::string Text() const;

  int NumWild() const { return std::popcount(wild); }

  bool Covers(ShingleVector vector) const {
    return (vector & FixedBits(wild)) == bytes;
  }
  // Whether every vector that `other` covers is covered by this one.
  bool Covers(const MaskedVector& other) const {
    return (other.wild & ~wild) == 0 && Covers(other.bytes);
  }
  // Whether one covers the other.
  bool Matches(const MaskedVector& other) const {
    return Covers(other) || other.Covers(*this);
  }

  friend bool operator==(const MaskedVector&, const MaskedVector&) = default;
  // The order that breaks ties: fewer wild cards first, then by bytes from the
  // left, a wild card behind all bytes.
  friend bool operator<(const MaskedVector& a, const MaskedVector& b);
};

// "12.3.7.200.3.0.9.41": a vector without wild cards.
std::string VectorText(ShingleVector vector);
absl::StatusOr<ShingleVector> ParseVector(std::string_view text);

// The wild cards of all 6/8, 7/8 and 8/8 vectors, 1 + 8 + 28, in an order in
// which the 37 masked vectors that cover one and the same vector are sorted:
// for those, the bytes that decide a tie are a byte on one side and a wild card
// on the other, so the order does not depend on the vector.
inline constexpr int kNumCandidates = 37;
inline constexpr int kMaxWildCards = 2;

constexpr std::array<WildCards, kNumCandidates> MakeCandidateWildCards() {
  std::array<WildCards, kNumCandidates> all = {};
  size_t n = 0;
  for (int num_wild = 0; num_wild <= kMaxWildCards; ++num_wild) {
    for (int wild = 0; wild < 256; ++wild) {
      if (std::popcount(static_cast<unsigned>(wild)) == num_wild) {
        all[n++] = static_cast<WildCards>(wild);
      }
    }
  }
  return all;
}
inline constexpr std::array<WildCards, kNumCandidates> kCandidateWildCards =
    MakeCandidateWildCards();

}  // namespace trommel::signature

#endif  // TROMMEL_CORE_SIGNATURE_MASKED_VECTOR_H_
