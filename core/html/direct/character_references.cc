// The names are lexbor's: a search tree over their bytes, generated from the
// list of the standard, which its tokenizer walks in the same way.

#include "core/html/direct/character_references.h"

#include <cstdint>
#include <cstring>

#include "core/html/direct/entity_tree.h"

// What the numbers up to 159 mean; lexbor declares it where it is used.
extern "C" const size_t lexbor_str_res_replacement_character[160];

namespace trommel::html::direct {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsAlphanumeric(char c) {
  return IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

int HexDigit(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void Append(const void* bytes, size_t size, char** out) {
  std::memcpy(*out, bytes, size);
  *out += size;
}

void AppendUtf8(uint32_t c, char** out) {
  char* p = *out;
  if (c < 0x80) {
    *p++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *p++ = static_cast<char>(0xC0 | (c >> 6));
    *p++ = static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *p++ = static_cast<char>(0xE0 | (c >> 12));
    *p++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *p++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *p++ = static_cast<char>(0xF0 | (c >> 18));
    *p++ = static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    *p++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *p++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  *out = p;
}

// "Numeric character reference end state": what cannot be a character is
// U+FFFD, and the numbers 128 to 159 mean windows-1252.
void AppendNumbered(uint32_t number, char** out) {
  if (number == 0 || number > 0x10FFFF ||
      (number >= 0xD800 && number <= 0xDFFF)) {
    number = 0xFFFD;
  } else if (number <= 0x9F) {
    number =
        static_cast<uint32_t>(lexbor_str_res_replacement_character[number]);
  }
  AppendUtf8(number, out);
}

// `p` stands behind "&#".
const char* DecodeNumber(const char* start, const char* p, const char* end,
                         char** out) {
  if (p == end) return nullptr;
  const bool hexadecimal = *p == 'x' || *p == 'X';
  if (hexadecimal) ++p;
  const char* const digits = p;
  uint32_t number = 0;
  for (; p != end; ++p) {
    const int digit = hexadecimal ? HexDigit(*p) : IsDigit(*p) ? *p - '0' : -1;
    if (digit < 0) break;
    if (number <= 0x10FFFF) {
      number = number * (hexadecimal ? 16 : 10) + static_cast<uint32_t>(digit);
    }
  }
  if (p == end) return nullptr;
  if (p == digits) {
    Append(start, static_cast<size_t>(p - start), out);
    return p;
  }
  AppendNumbered(number, out);
  return *p == ';' ? p + 1 : p;
}

// `p` stands behind '&'. The longest name that is a prefix of the text counts.
const char* DecodeName(const char* start, const char* p, const char* end,
                       ReferencePlace place, char** out) {
  const lexbor_sbst_entry_static_t* const tree = TrommelEntityTree();
  const lexbor_sbst_entry_static_t* entry = &tree[1];
  const lexbor_sbst_entry_static_t* match = nullptr;
  const char* match_end = p;
  for (; p != end; ++p) {
    entry =
        lexbor_sbst_entry_static_find(tree, entry, static_cast<lxb_char_t>(*p));
    if (entry == nullptr) break;
    if (entry->value != nullptr) {
      match = entry;
      match_end = p + 1;
    }
    entry = &tree[entry->next];
  }
  if (p == end) return nullptr;
  const bool is_text =
      match == nullptr ||
      (place == ReferencePlace::kAttribute && match->key != ';' &&
       (*match_end == '=' || IsAlphanumeric(*match_end)));
  if (is_text) {
    Append(start, static_cast<size_t>(p - start), out);
    return p;
  }
  Append(match->value, match->value_len, out);
  return match_end;
}

}  // namespace

const char* DecodeReference(const char* p, const char* end,
                            ReferencePlace place, char** out) {
  const char* const start = p++;
  if (p == end) return nullptr;
  if (IsAlphanumeric(*p)) return DecodeName(start, p, end, place, out);
  if (*p == '#') return DecodeNumber(start, p + 1, end, out);
  *(*out)++ = '&';
  return p;
}

}  // namespace trommel::html::direct
