#include "mapreduce/codec/ordered.h"

#include <cstring>

#include "mapreduce/codec/big_endian.h"

namespace trommel::mr {
namespace {

constexpr char kEscape = '\0';
constexpr char kEscapedNul = '\xFF';
constexpr char kEnd = '\0';
constexpr uint64_t kSignBit = uint64_t{1} << 63;

}  // namespace

void AppendOrderedBytes(std::string_view bytes, std::string* out) {
  while (true) {
    const size_t nul = bytes.find('\0');
    if (nul == std::string_view::npos) break;
    out->append(bytes.substr(0, nul));
    out->push_back(kEscape);
    out->push_back(kEscapedNul);
    bytes.remove_prefix(nul + 1);
  }
  out->append(bytes);
  out->push_back(kEscape);
  out->push_back(kEnd);
}

void AppendOrderedUint64(uint64_t value, std::string* out) {
  char buffer[8];
  StoreBigEndian64(value, buffer);
  out->append(buffer, sizeof(buffer));
}

void AppendOrderedInt64(int64_t value, std::string* out) {
  AppendOrderedUint64(static_cast<uint64_t>(value) ^ kSignBit, out);
}

size_t OrderedBytesLength(std::string_view in) {
  size_t position = 0;
  while (true) {
    position = in.find(kEscape, position);
    if (position == std::string_view::npos || position + 1 >= in.size()) {
      return 0;
    }
    if (in[position + 1] == kEnd) return position + 2;
    if (in[position + 1] != kEscapedNul) return 0;
    position += 2;
  }
}

bool ConsumeOrderedBytes(std::string_view* in, std::string* bytes) {
  const size_t length = OrderedBytesLength(*in);
  if (length == 0) return false;
  bytes->clear();
  std::string_view rest = in->substr(0, length - 2);
  while (true) {
    const size_t escape = rest.find(kEscape);
    if (escape == std::string_view::npos) break;
    bytes->append(rest.substr(0, escape));
    bytes->push_back('\0');
    rest.remove_prefix(escape + 2);
  }
  bytes->append(rest);
  in->remove_prefix(length);
  return true;
}

bool ConsumeOrderedUint64(std::string_view* in, uint64_t* value) {
  if (in->size() < 8) return false;
  *value = LoadBigEndian64(in->data());
  in->remove_prefix(8);
  return true;
}

bool ConsumeOrderedInt64(std::string_view* in, int64_t* value) {
  uint64_t flipped;
  if (!ConsumeOrderedUint64(in, &flipped)) return false;
  *value = static_cast<int64_t>(flipped ^ kSignBit);
  return true;
}

}  // namespace trommel::mr
