#ifndef TROMMEL_CORE_BASE_HASH_H_
#define TROMMEL_CORE_BASE_HASH_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trommel {

// Hashes whose values are stored or decide results, so they must be the same
// on every machine and in every release (absl::Hash is neither). XXH3.
uint64_t Hash64(std::string_view bytes, uint64_t seed = 0);

// A good 64-bit mix of one word: a bijection without fixed structure.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// 16 lower-case hex digits.
std::string Hex64(uint64_t value);

// 32 lower-case hex digits of the 128-bit hash: the digest of page contents
// and files. It tells changed content from unchanged; it is no defence against
// someone who constructs collisions.
std::string ContentDigest(std::string_view bytes);

// ContentDigest() of bytes that arrive in pieces.
class DigestStream {
 public:
  DigestStream();
  ~DigestStream();
  DigestStream(DigestStream&&) noexcept;
  DigestStream& operator=(DigestStream&&) noexcept;

  void Update(std::string_view bytes);
  std::string Hex() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_HASH_H_
