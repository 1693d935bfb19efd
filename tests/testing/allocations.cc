#include "tests/testing/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace trommel::testing_support {
namespace {

std::atomic<size_t> held = 0;
std::atomic<size_t> peak = 0;

// Null when there is none.
void* TryAllocate(size_t size) noexcept {
  void* const memory = std::malloc(size);
  const size_t now = held += ::malloc_usable_size(memory);
  size_t most = peak;
  while (most < now && !peak.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void* Allocate(size_t size) {
  void* const memory = TryAllocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void Free(void* memory) {
  if (memory == nullptr) return;
  held -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

AllocationWatch::AllocationWatch() : before_(held) { peak = before_; }

size_t AllocationWatch::Peak() const { return peak - before_; }

size_t AllocationWatch::Held() const {
  const size_t now = held;
  return now > before_ ? now - before_ : 0;
}

}  // namespace trommel::testing_support

void* operator new(size_t size) {
  return trommel::testing_support::Allocate(size);
}
void* operator new[](size_t size) {
  return trommel::testing_support::Allocate(size);
}
void* operator new(size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return trommel::testing_support::TryAllocate(size);
}
void* operator new[](size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return trommel::testing_support::TryAllocate(size);
}
void operator delete(void* memory) noexcept {
  trommel::testing_support::Free(memory);
}
void operator delete[](void* memory) noexcept {
  trommel::testing_support::Free(memory);
}
void operator delete(void* memory, size_t /*size*/) noexcept {
  trommel::testing_support::Free(memory);
}
void operator delete[](void* memory, size_t /*size*/) noexcept {
  trommel::testing_support::Free(memory);
}
