#ifndef TROMMEL_MAPREDUCE_CODEC_BIG_ENDIAN_H_
#define TROMMEL_MAPREDUCE_CODEC_BIG_ENDIAN_H_

// Integers as bytes, most significant first: the order in which memcmp()
// compares them is theirs, and Java's.

#include <cstdint>
#include <cstring>

namespace trommel::mr {

inline void StoreBigEndian32(uint32_t value, char* to) {
  value = __builtin_bswap32(value);
  std::memcpy(to, &value, sizeof(value));
}

inline uint32_t LoadBigEndian32(const char* from) {
  uint32_t value;
  std::memcpy(&value, from, sizeof(value));
  return __builtin_bswap32(value);
}

inline void StoreBigEndian64(uint64_t value, char* to) {
  value = __builtin_bswap64(value);
  std::memcpy(to, &value, sizeof(value));
}

inline uint64_t LoadBigEndian64(const char* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof(value));
  return __builtin_bswap64(value);
}

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_CODEC_BIG_ENDIAN_H_
