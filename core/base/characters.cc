#include "core/base/characters.h"

#include <cstddef>

#include "core/base/text.h"

namespace trommel {
namespace {

// White_Space of Unicode 15 (PropList.txt), and the characters without width
// that stand where a page has nothing to say.
bool IsBlankCharacter(char32_t c) {
  switch (c) {
    case 0x20:
    case 0x85:    // next line
    case 0xA0:    // no-break space
    case 0x1680:  // ogham space mark
    case 0x180E:  // Mongolian vowel separator
    case 0x2028:  // line separator
    case 0x2029:  // paragraph separator
    case 0x202F:  // narrow no-break space
    case 0x205F:  // medium mathematical space
    case 0x2060:  // word joiner
    case 0x3000:  // ideographic space
    case 0xFEFF:  // byte order mark
      return true;
    default:
      // Tab to carriage return; spaces by width, and zero width space and
      // joiners.
      return (c >= 0x09 && c <= 0x0D) || (c >= 0x2000 && c <= 0x200D);
  }
}

void AppendEscape(char32_t c, std::string* out) {
  switch (c) {
    case '\n':
      out->append("\\n");
      return;
    case '\r':
      out->append("\\r");
      return;
    case '\t':
      out->append("\\t");
      return;
    default:
      break;
  }
  constexpr char kDigits[] = "0123456789abcdef";
  out->append("\\u");
  for (int shift = 12; shift >= 0; shift -= 4) {
    out->push_back(kDigits[c >> shift & 0xF]);
  }
}

}  // namespace

char32_t TakeCharacter(std::string_view* text) {
  const auto lead = static_cast<unsigned char>(text->front());
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t c = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length; ++i) {
    c = c << 6 | (static_cast<unsigned char>((*text)[i]) & 0x3F);
  }
  text->remove_prefix(length);
  return c;
}

bool IsBlankValue(std::string_view text) {
  // Most values show something at once, so no more than that is looked at.
  constexpr size_t kMaxBytes = 4;
  while (!text.empty()) {
    if (ValidUtf8Prefix(text.substr(0, kMaxBytes)) == 0) return false;
    if (!IsBlankCharacter(TakeCharacter(&text))) return false;
  }
  return true;
}

bool IsTerminalControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) ||
         (c >= 0x2028 && c <= 0x202E) ||  // line ends, embeddings, overrides
         (c >= 0x2066 && c <= 0x2069);    // isolates
}

void AppendEscapingControls(std::string_view text, std::string_view kept,
                            std::string* out) {
  std::string valid;
  AppendUtf8Lossy(text, &valid);
  std::string_view rest = valid;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const char32_t c = TakeCharacter(&rest);
    const std::string_view bytes =
        before.substr(0, before.size() - rest.size());
    if (IsTerminalControl(c) && kept.find(bytes) == std::string_view::npos) {
      AppendEscape(c, out);
    } else {
      out->append(bytes);
    }
  }
}

std::string PrintableLines(std::string_view text) {
  std::string out;
  AppendEscapingControls(text, /*kept=*/"\n\t", &out);
  return out;
}

}  // namespace trommel
