#include "core/base/text.h"

#include <cstring>

#include "core/base/characters.h"

namespace trommel {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsContinuation(unsigned char c) { return (c & 0xC0) == 0x80; }

// The length of the well-formed sequence at the start of `bytes` (which is not
// empty), or 0. `bad_length`, set on 0, is the length of the maximal subpart
// that one U+FFFD replaces (Unicode 15, section 3.9, "U+FFFD Substitution of
// Maximal Subparts").
size_t SequenceLength(std::string_view bytes, size_t* bad_length) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(bytes[i]);
  };
  const unsigned char lead = byte(0);
  *bad_length = 1;
  if (lead < 0x80) return 1;
  size_t length = 0;
  unsigned char low = 0x80, high = 0xBF;  // bounds of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (bytes.size() < 2 || byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    *bad_length = i;
    if (i >= bytes.size() || !IsContinuation(byte(i))) return 0;
  }
  return length;
}

// The number of bytes at the start that are ASCII, eight at a time.
size_t AsciiPrefix(std::string_view bytes) {
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  while (i < bytes.size() && static_cast<unsigned char>(bytes[i]) < 0x80) ++i;
  return i;
}

// True when a character that XML 1.0 forbids starts here; `length` is its
// length in bytes. The input is valid UTF-8.
bool IsForbiddenInXml(std::string_view rest, size_t* length) {
  const auto c = static_cast<unsigned char>(rest[0]);
  *length = 1;
  if (c < 0x20) return c != '\t' && c != '\n' && c != '\r';
  if (c != 0xEF) return false;
  *length = 3;  // U+FFFE and U+FFFF
  return rest.size() >= 3 && rest[1] == '\xBF' &&
         (rest[2] == '\xBE' || rest[2] == '\xBF');
}

void AppendXml(std::string_view text, bool attribute, std::string* out) {
  size_t copied = 0;
  size_t i = 0;
  const auto replace = [&](std::string_view with, size_t length) {
    out->append(text, copied, i - copied);
    out->append(with);
    i += length;
    copied = i;
  };
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    // Letters, digits and most of the rest pass in one comparison each.
    if (c > '>' && c != 0xEF) {
      ++i;
      continue;
    }
    size_t length;
    if (IsForbiddenInXml(text.substr(i), &length)) {
      replace(kReplacement, length);
      continue;
    }
    switch (c) {
      case '&':
        replace("&amp;", 1);
        break;
      case '<':
        replace("&lt;", 1);
        break;
      case '>':
        replace("&gt;", 1);
        break;
      case '"':
        replace("&quot;", 1);
        break;
      case '\'':
        replace("&#39;", 1);
        break;
      case '\r':
        replace("&#13;", 1);
        break;
      case '\n':
        attribute ? replace("&#10;", 1) : void(++i);
        break;
      case '\t':
        attribute ? replace("&#9;", 1) : void(++i);
        break;
      default:
        ++i;
    }
  }
  out->append(text, copied, text.size() - copied);
}

}  // namespace

bool IsBlank(std::string_view text) {
  for (const char c : text) {
    if (!IsHtmlSpace(c)) return false;
  }
  return true;
}

bool AppendNormalized(std::string_view text, bool space_before,
                      std::string* out) {
  bool pending = space_before;
  size_t i = 0;
  while (i < text.size()) {
    if (IsHtmlSpace(text[i])) {
      pending = true;
      ++i;
      continue;
    }
    if (text[i] == '\xC2' && i + 1 < text.size() && text[i + 1] == '\xA0') {
      pending = true;
      i += 2;
      continue;
    }
    const size_t start = i;
    while (
        i < text.size() && !IsHtmlSpace(text[i]) &&
        !(text[i] == '\xC2' && i + 1 < text.size() && text[i + 1] == '\xA0')) {
      ++i;
    }
    if (pending && !out->empty()) out->push_back(' ');
    pending = false;
    out->append(text, start, i - start);
  }
  return pending;
}

std::string NormalizeSpace(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  AppendNormalized(text, /*space_before=*/false, &out);
  return out;
}

std::string Printable(std::string_view text) {
  std::string out;
  AppendEscapingControls(text, /*kept=*/"", &out);
  return out;
}

size_t ValidUtf8Prefix(std::string_view bytes) {
  size_t i = 0;
  while (i < bytes.size()) {
    i += AsciiPrefix(bytes.substr(i));
    if (i == bytes.size()) break;
    size_t bad_length;
    const size_t length = SequenceLength(bytes.substr(i), &bad_length);
    if (length == 0) break;
    i += length;
  }
  return i;
}

void AppendUtf8Lossy(std::string_view bytes, std::string* out) {
  while (!bytes.empty()) {
    const size_t valid = ValidUtf8Prefix(bytes);
    out->append(bytes.substr(0, valid));
    bytes.remove_prefix(valid);
    if (bytes.empty()) return;
    size_t bad_length;
    SequenceLength(bytes, &bad_length);
    out->append(kReplacement);
    bytes.remove_prefix(bad_length);
  }
}

void AppendCodePoint(uint32_t c, std::string* out) {
  const auto continuation = [&](int shift) {
    out->push_back(static_cast<char>(0x80 | (c >> shift & 0x3F)));
  };
  if (c < 0x80) {
    out->push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out->push_back(static_cast<char>(0xC0 | c >> 6));
    continuation(0);
  } else if (c < 0x10000) {
    out->push_back(static_cast<char>(0xE0 | c >> 12));
    continuation(6);
    continuation(0);
  } else {
    out->push_back(static_cast<char>(0xF0 | c >> 18));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

void AppendXmlText(std::string_view text, std::string* out) {
  AppendXml(text, /*attribute=*/false, out);
}

void AppendXmlAttribute(std::string_view value, std::string* out) {
  AppendXml(value, /*attribute=*/true, out);
}

void AppendXmlCharacters(std::string_view text, std::string* out) {
  size_t copied = 0;
  for (size_t i = 0; i < text.size();) {
    size_t length;
    if (!IsForbiddenInXml(text.substr(i), &length)) {
      ++i;
      continue;
    }
    out->append(text, copied, i - copied);
    out->append(kReplacement);
    i += length;
    copied = i;
  }
  out->append(text, copied, text.size() - copied);
}

}  // namespace trommel
