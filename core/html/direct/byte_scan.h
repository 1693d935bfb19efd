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

#include "core/html/tag_scanner.h"

namespace trommel::html {

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

// A name of up to sixteen bytes, in lower case and filled up with zeros: equal
// keys, equal names.
struct NameKey {
  uint64_t low = 0;
  uint64_t high = 0;
};

// The keys of names that are known when the program is written.
inline NameKey KeyOf(const char* name, size_t size) {
  NameKey key;
  char bytes[kScanWidth] = {};
  std::memcpy(bytes, name, size);
  std::memcpy(&key.low, bytes, 8);
  std::memcpy(&key.high, bytes + 8, 8);
  return key;
}

// Reads the name that begins at `p`, of which kScanWidth bytes can be read. It
// ends at white space, '/' or '>', with kEqualsEnds also at '='. Returns its
// length, 0 if it is longer than a key (or is none): then `key` is not set.
template <bool kEqualsEnds>
inline size_t ReadName(const char* p, NameKey* key) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  // White space and the other characters below it, which are sorted out at the
  // end.
  __m128i ends = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes);
  ends = _mm_or_si128(ends, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')));
  ends = _mm_or_si128(ends, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('>')));
  if constexpr (kEqualsEnds) {
    ends = _mm_or_si128(ends, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('=')));
  }
  const auto found = static_cast<unsigned>(_mm_movemask_epi8(ends));
  if (found == 0) return 0;
  const auto length = static_cast<size_t>(std::countr_zero(found));
  if (tag_scanner_internal::ClassOf(p[length]) == 0) return 0;
  // 'A' to 'Z' are the lowest signed values after the addition.
  const __m128i upper = _mm_cmplt_epi8(
      _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(0x80 - 'A'))),
      _mm_set1_epi8(static_cast<char>(0x80 + 26)));
  const __m128i lower =
      _mm_or_si128(bytes, _mm_and_si128(upper, _mm_set1_epi8(0x20)));
  alignas(16) static constexpr uint8_t kMask[2 * kScanWidth] = {
      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
      0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const __m128i name =
      _mm_and_si128(lower, _mm_loadu_si128(reinterpret_cast<const __m128i*>(
                               kMask + kScanWidth - length)));
  key->low = static_cast<uint64_t>(_mm_cvtsi128_si64(name));
  key->high =
      static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(name, name)));
  return length;
#else
  using namespace tag_scanner_internal;  // NOLINT: character classes
  constexpr uint8_t kEnds =
      kSpace | kSlash | kTagEnd | (kEqualsEnds ? kEquals : 0);
  char name[kScanWidth] = {};
  for (size_t length = 0; length < kScanWidth; ++length) {
    if ((ClassOf(p[length]) & kEnds) != 0) {
      *key = KeyOf(name, kScanWidth);
      return length;
    }
    name[length] = static_cast<char>(Lower(p[length]));
  }
  return 0;
#endif
}

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_DIRECT_BYTE_SCAN_H_
