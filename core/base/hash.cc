#include "core/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_format.h"

namespace trommel {
namespace {

std::string Hex128(XXH128_hash_t hash) {
  return absl::StrFormat("%016x%016x", hash.high64, hash.low64);
}

}  // namespace

uint64_t Hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string Hex64(uint64_t value) { return absl::StrFormat("%016x", value); }

std::string ContentDigest(std::string_view bytes) {
  return Hex128(XXH3_128bits(bytes.data(), bytes.size()));
}

struct DigestStream::State {
  XXH3_state_t hash;
};

DigestStream::DigestStream() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->hash);
}
DigestStream::~DigestStream() = default;
DigestStream::DigestStream(DigestStream&&) noexcept = default;
DigestStream& DigestStream::operator=(DigestStream&&) noexcept = default;

void DigestStream::Update(std::string_view bytes) {
  XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}

std::string DigestStream::Hex() const {
  return Hex128(XXH3_128bits_digest(&state_->hash));
}

}  // namespace trommel
