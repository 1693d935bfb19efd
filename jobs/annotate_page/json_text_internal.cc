#include "jobs/annotate_page/json_text_internal.h"

#include <cstddef>
#include <cstdint>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace trommel::jobs::annotate_page {
namespace {

void AppendUnit(uint32_t unit, std::string* out) {
  constexpr char kDigits[] = "0123456789abcdef";
  *out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    *out += kDigits[(unit >> shift) & 0xF];
  }
}

bool IsPlain(char c) {
  return c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '<' &&
         c != '>' && c != '&';
}

void AppendValid(std::string_view text, std::string* out) {
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && IsPlain(text[plain])) ++plain;
    *out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte < 0x80) {
      text.remove_prefix(1);
      switch (byte) {
        case '"':
          *out += "\\\"";
          break;
        case '\\':
          *out += "\\\\";
          break;
        case '\n':
          *out += "\\n";
          break;
        default:
          AppendUnit(byte, out);
      }
      continue;
    }
    const char32_t c = TakeCharacter(&text);
    if (c < 0x10000) {
      AppendUnit(c, out);
    } else {
      AppendUnit(0xD800 + ((c - 0x10000) >> 10), out);
      AppendUnit(0xDC00 + ((c - 0x10000) & 0x3FF), out);
    }
  }
}

}  // namespace

void AppendJsonString(std::string_view bytes, std::string* out) {
  *out += '"';
  if (ValidUtf8Prefix(bytes) == bytes.size()) {
    AppendValid(bytes, out);
  } else {
    std::string valid;
    AppendUtf8Lossy(bytes, &valid);
    AppendValid(valid, out);
  }
  *out += '"';
}

}  // namespace trommel::jobs::annotate_page
