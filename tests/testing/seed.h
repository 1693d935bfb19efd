#ifndef TROMMEL_TESTS_TESTING_SEED_H_
#define TROMMEL_TESTS_TESTING_SEED_H_

#include <cstdint>
#include <cstdlib>
#include <iostream>

namespace trommel::testing_support {

// The seed of a randomised test: `fixed`, or the number in TROMMEL_SEED. It is
// printed, so that any failure can be repeated.
inline uint64_t TestSeed(uint64_t fixed) {
  const char* const text = std::getenv("TROMMEL_SEED");
  const uint64_t seed =
      text == nullptr ? fixed : std::strtoull(text, nullptr, 10);
  std::cout << "seed " << seed << " (TROMMEL_SEED overrides)" << std::endl;
  return seed;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_SEED_H_
