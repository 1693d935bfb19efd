#ifndef TROMMEL_CORE_HTML_DIRECT_BYTE_SCAN_H_
#define TROMMEL_CORE_HTML_DIRECT_BYTE_SCAN_H_

// Scans that look at sixteen bytes at a time.
//
// Markup is made of short things: names of five bytes, values of twenty, runs
// of white space. For those, calls of memchr() and memcpy() cost more than the
// bytes, and loops that end after an unknown number of rounds cost a
// mispredicted branch each; sixteen bytes at once end most scans in one round.
// Where there is no SSE2 the compiler gets plain loops.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/base/text.h"
#include "core/html/tag_scanner.h"

namespace trommel::html::direct {

inline constexpr size_t kScanWidth = 16;

// Copies bytes to `*to` up to the first `kStop` or `kOther` of [from, end) and
// returns its position, `end` if there is none. `*to` moves on by what was
// copied; up to kScanWidth bytes behind that are written as well.
template <char kStop, char kOther>
inline const char* CopyUntil(const char* from, const char* end, char** to) {
  char* out = *to;
#if defined(__SSE2__)
  const __m128i stop = _mm_set1_epi8(kStop);
  const __m128i other = _mm_set1_epi8(kOther);
  while (static_cast<size_t>(end - from) >= kScanWidth) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bytes);
    const int found = _mm_movemask_epi8(_mm_or_si128(
        _mm_cmpeq_epi8(bytes, stop), _mm_cmpeq_epi8(bytes, other)));
    if (found != 0) {
      const int count = std::countr_zero(static_cast<unsigned>(found));
      *to = out + count;
      return from + count;
    }
    from += kScanWidth;
    out += kScanWidth;
  }
#endif
  while (from != end && *from != kStop && *from != kOther) *out++ = *from++;
  *to = out;
  return from;
}

// Whether text is all white space, which most text between tags is. At least
// kScanWidth bytes behind it can be read.
inline bool IsBlankText(const char* text, size_t size) {
  if (static_cast<uint8_t>(*text) > ' ') return false;
#if defined(__SSE2__)
  for (size_t at = 0; at < size; at += kScanWidth) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + at));
    const auto is = [&](char c) {
      return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
    };
    const __m128i blank =
        _mm_or_si128(_mm_or_si128(is(' '), is('\n')),
                     _mm_or_si128(is('\t'), _mm_or_si128(is('\r'), is('\f'))));
    const auto others = ~static_cast<unsigned>(_mm_movemask_epi8(blank));
    const auto first = static_cast<size_t>(std::countr_zero(others));
    if (first < kScanWidth) return at + first >= size;
  }
  return true;
#else
  return IsBlank({text, size});
#endif
}

// A name of up to sixteen bytes, in lower case and filled up with zeros: equal
// keys, equal names.
struct NameKey {
  uint64_t low = 0;
  uint64_t high = 0;
};

inline NameKey KeyOf(const char* name, size_t size) {
  NameKey key;
  char bytes[kScanWidth] = {};
  std::memcpy(bytes, name, size);
  std::memcpy(&key.low, bytes, 8);
  std::memcpy(&key.high, bytes + 8, 8);
  return key;
}

#if defined(__SSE2__)
// The first `size` of eight bytes, at most all of them, with 'A' to 'Z' in
// lower case. (Not done with the vector of ReadName(): taking it apart takes
// longer.)
inline uint64_t LowerWord(const char* p, size_t size) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  uint64_t word;
  std::memcpy(&word, p, 8);
  const uint64_t low_bits = word & (0x7F * kOnes);
  const uint64_t at_least_a = low_bits + (0x80 - 'A') * kOnes;
  const uint64_t above_z = low_bits + (0x7F - 'Z') * kOnes;
  const uint64_t upper = (at_least_a ^ above_z) & ~word & (0x80 * kOnes);
  word |= upper >> 2;
  return size >= 8 ? word : word & ((uint64_t{1} << (8 * size)) - 1);
}
#endif

struct ScannedName {
  size_t length;  // 0 if it is longer than a key, or is none
  NameKey key;
};

// Reads the name that begins at `p`, of which kScanWidth bytes can be read and
// contain no carriage return. It ends at white space, '/' or '>', with
// kEqualsEnds also at '='.
template <bool kEqualsEnds>
inline ScannedName ReadName(const char* p) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const auto is = [&](char c) {
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c));
  };
  __m128i ends = _mm_or_si128(_mm_or_si128(is(' '), is('>')),
                              _mm_or_si128(is('\n'), is('\t')));
  ends = _mm_or_si128(ends, _mm_or_si128(is('/'), is('\f')));
  if constexpr (kEqualsEnds) ends = _mm_or_si128(ends, is('='));
  const auto found = static_cast<unsigned>(_mm_movemask_epi8(ends));
  if (found == 0) return {0, {}};
  const auto length = static_cast<size_t>(std::countr_zero(found));
  if (length > 8)
    return {length, {LowerWord(p, 8), LowerWord(p + 8, length - 8)}};
  return {length, {LowerWord(p, length), 0}};
#else
  using namespace tag_scanner_internal;  // NOLINT: character classes
  constexpr uint8_t kEnds =
      kSpace | kSlash | kTagEnd | (kEqualsEnds ? kEquals : 0);
  char name[kScanWidth] = {};
  for (size_t length = 0; length < kScanWidth; ++length) {
    if ((ClassOf(p[length]) & kEnds) != 0) {
      return {length, KeyOf(name, kScanWidth)};
    }
    name[length] = static_cast<char>(Lower(p[length]));
  }
  return {0, {}};
#endif
}

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_BYTE_SCAN_H_
