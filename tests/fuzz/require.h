#ifndef TROMMEL_TESTS_FUZZ_REQUIRE_H_
#define TROMMEL_TESTS_FUZZ_REQUIRE_H_

#include <cstdio>
#include <cstdlib>
#include <string>

namespace trommel::fuzz {

// Ends the program, which libFuzzer records as a finding, unless `problem` is
// empty.
inline void RequireNone(const std::string& problem) {
  if (problem.empty()) return;
  std::fprintf(stderr, "violated: %s\n", problem.c_str());
  std::abort();
}

inline void Require(bool condition, const char* what) {
  if (!condition) RequireNone(what);
}

}  // namespace trommel::fuzz

#endif  // TROMMEL_TESTS_FUZZ_REQUIRE_H_
