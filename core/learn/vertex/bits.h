#ifndef TROMMEL_CORE_LEARN_VERTEX_BITS_H_
#define TROMMEL_CORE_LEARN_VERTEX_BITS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trommel::learn::vertex {

// A set of candidate nodes, by their numbers.
class Bits {
 public:
  Bits() = default;
  explicit Bits(size_t size) : words_((size + 63) / 64) {}

  void Set(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }
  void Clear(size_t i) { words_[i / 64] &= ~(uint64_t{1} << (i % 64)); }
  bool Get(size_t i) const { return (words_[i / 64] >> (i % 64) & 1) != 0; }

  void And(const Bits& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }
  // Whether all of `other` are in this set.
  bool Contains(const Bits& other) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      if ((other.words_[i] & ~words_[i]) != 0) return false;
    }
    return true;
  }
  size_t Count() const {
    size_t count = 0;
    for (const uint64_t word : words_) count += std::popcount(word);
    return count;
  }
  // Of both sets.
  size_t CountAnd(const Bits& other) const {
    size_t count = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
      count += std::popcount(words_[i] & other.words_[i]);
    }
    return count;
  }
  // Calls use(i) for each i of [begin, end) that is in the set, in order, until
  // it returns false.
  template <typename Use>
  void ForEach(size_t begin, size_t end, Use use) const {
    size_t i = begin;
    while (i < end) {
      const uint64_t word = words_[i / 64] >> (i % 64);
      if (word == 0) {
        i = (i / 64 + 1) * 64;
        continue;
      }
      i += static_cast<size_t>(std::countr_zero(word));
      if (i >= end || !use(i)) return;
      ++i;
    }
  }

  friend bool operator==(const Bits&, const Bits&) = default;
  friend auto operator<=>(const Bits&, const Bits&) = default;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_BITS_H_
