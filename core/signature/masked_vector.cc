#include "core/signature/masked_vector.h"

#include <charconv>

#include "core/base/strings.h"

namespace trommel::signature {
namespace {

absl::Status BadVector(std::string_view text, std::string_view problem) {
  return absl::InvalidArgumentError(
      StrCat("\"", text.substr(0, 80), "\" is not a shingle vector: ", problem,
             "; it should look like 12.*.7.200.3.*.9.41"));
}

}  // namespace

absl::StatusOr<MaskedVector> MaskedVector::Parse(std::string_view text) {
  ShingleVector vector = 0;
  WildCards wild = 0;
  std::string_view rest = text;
  for (int i = 0; i < kVectorBytes; ++i) {
    const size_t dot = rest.find('.');
    const bool last = i == kVectorBytes - 1;
    if (last != (dot == std::string_view::npos)) {
      return BadVector(text, "it needs eight parts");
    }
    const std::string_view part = rest.substr(0, dot);
    if (!last) rest.remove_prefix(dot + 1);
    vector <<= 8;
    wild = static_cast<WildCards>(wild << 1);
    if (part == "*") {
      wild |= 1;
      continue;
    }
    uint8_t byte = 0;
    const auto [end, error] =
        std::from_chars(part.data(), part.data() + part.size(), byte);
    if (error != std::errc() || end != part.data() + part.size()) {
      return BadVector(text, "a part is neither * nor a number up to 255");
    }
    vector |= byte;
  }
  return MaskedVector(vector, wild);
}

std::string MaskedVector::Text() const {
  std::string text;
  for (int i = 0; i < kVectorBytes; ++i) {
    if (i > 0) text += '.';
    if ((wild >> (kVectorBytes - 1 - i) & 1) != 0) {
      text += '*';
    } else {
      StrAppend(&text, static_cast<int>(VectorByte(bytes, i)));
    }
  }
  return text;
}

bool operator<(const MaskedVector& a, const MaskedVector& b) {
  if (a.NumWild() != b.NumWild()) return a.NumWild() < b.NumWild();
  for (int i = 0; i < kVectorBytes; ++i) {
    const WildCards bit = static_cast<WildCards>(1 << (kVectorBytes - 1 - i));
    const int left = (a.wild & bit) != 0 ? 256 : VectorByte(a.bytes, i);
    const int right = (b.wild & bit) != 0 ? 256 : VectorByte(b.bytes, i);
    if (left != right) return left < right;
  }
  return false;
}

std::string VectorText(ShingleVector vector) {
  return MaskedVector(vector, 0).Text();
}

absl::StatusOr<ShingleVector> ParseVector(std::string_view text) {
  absl::StatusOr<MaskedVector> parsed = MaskedVector::Parse(text);
  if (!parsed.ok()) return parsed.status();
  if (parsed->wild != 0) return BadVector(text, "a page has no wild cards");
  return parsed->bytes;
}

}  // namespace trommel::signature
