#ifndef TROMMEL_CORE_BASE_RANDOM_H_
#define TROMMEL_CORE_BASE_RANDOM_H_

#include <cstdint>

#include "core/base/hash.h"

namespace trommel {

// A small seeded generator (SplitMix64, Steele et al., OOPSLA 2014) whose
// sequence is the same on every machine and standard library, unlike the
// distributions of <random>. Not for cryptography.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() { return Mix64(state_ += 0x9E3779B97F4A7C15u); }

  // Uniform in [0, bound); 0 when bound is 0. The bias of the multiplication
  // method is below bound / 2^64.
  uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>(Next()) * bound) >> 64);
  }

  // Uniform in [low, high], both included; low <= high.
  int64_t Between(int64_t low, int64_t high) {
    // Unsigned, because the distance may not fit into int64_t.
    const uint64_t base = static_cast<uint64_t>(low);
    const uint64_t count = static_cast<uint64_t>(high) - base + 1;
    return static_cast<int64_t>(base + (count == 0 ? Next() : Below(count)));
  }

  // Uniform in [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  bool Chance(double probability) { return Unit() < probability; }

 private:
  uint64_t state_;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_RANDOM_H_
