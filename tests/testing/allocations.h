#ifndef TROMMEL_TESTS_TESTING_ALLOCATIONS_H_
#define TROMMEL_TESTS_TESTING_ALLOCATIONS_H_

// How much memory a program holds through operator new, for tests of bounds.
// Counts in programs that are linked with allocations.cc.

#include <cstddef>

namespace trommel::testing_support {

// Watches from its construction on.
class AllocationWatch {
 public:
  AllocationWatch();
  // The most bytes held at a time since then, over what was held then.
  size_t Peak() const;
  // The bytes held now, over what was held then; 0 when they are fewer.
  size_t Held() const;

 private:
  size_t before_;
};

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_ALLOCATIONS_H_
