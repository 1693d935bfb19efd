#include "core/rule/fields/tokens.h"

#include <algorithm>
#include <iterator>

#include "core/base/characters.h"
#include "core/base/text.h"

// Marks and digits are listed one by one and letters are all the rest, since
// exported stylesheets have to tell them apart too, and XSLT 1.0 can only look
// for a character in a list. So the lists are short: what pages write between
// values, and not all that Unicode calls punctuation.
//
// Ideographs need no such list. A literal that begins or ends with one may
// stand anywhere, and beside a letter of a literal they are letters.

namespace trommel::rule::fields {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr Range kDigits[] = {
    {'0', '9'},
    {0x0660, 0x0669},  // Arabic
    {0x06F0, 0x06F9},  // Persian and Urdu
    {0xFF10, 0xFF19},  // full width
};

// In the order of code points.
constexpr Range kMarks[] = {
    {0x21, 0x2B},     {0x2D, 0x2D},  // without ',', '.' and digits
    {0x2F, 0x2F},     {0x3A, 0x40},     {0x5B, 0x60},     {0x7B, 0x7E},
    {0xA0, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},                        // times, divided by
    {0x05BE, 0x05BE},                                      // Hebrew hyphen
    {0x060C, 0x060C}, {0x061B, 0x061B}, {0x061F, 0x061F},  // Arabic
    {0x066A, 0x066D}, {0x06D4, 0x06D4}, {0x0964, 0x0965},  // danda
    {0x2000, 0x200B},                                      // spaces by width
    {0x200E, 0x2029},                    // dashes, quotes, bullets
    {0x202F, 0x205F},                    // primes, angle quotes
    {0x20A0, 0x20BF},                    // currencies
    {0x2116, 0x2116}, {0x2122, 0x2122},  // numero, trade mark
    {0x2190, 0x2194}, {0x21D2, 0x21D2},  // arrows
    {0x2212, 0x2212}, {0x2215, 0x2215},  // minus, slash
    {0x2500, 0x2503}, {0x25A0, 0x25CF},  // lines and shapes
    {0x2605, 0x2606}, {0x2713, 0x2714},  // stars, ticks
    {0x3000, 0x3004}, {0x3008, 0x3020},  // brackets of East Asia
    {0x30FB, 0x30FB},                    // middle dot of names
    {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20},  // full width
    {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65},
};

// Scripts without spaces between words.
constexpr Range kIdeographs[] = {
    {0x0E00, 0x0EFF},    // Thai, Lao
    {0x1780, 0x17FF},    // Khmer
    {0x3005, 0x3007},    // marks of repetition, zero
    {0x3040, 0x30FF},    // kana
    {0x3400, 0x9FFF},    // Han
    {0xF900, 0xFAFF},    // Han, compatibility
    {0x20000, 0x3FFFF},  // Han, rare
};

template <size_t n>
bool Has(const Range (&ranges)[n], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](const Range& r) {
    return r.first <= c && c <= r.last;
  });
}

template <size_t n>
std::string AllOf(const Range (&ranges)[n]) {
  std::string all;
  for (const Range& range : ranges) {
    for (char32_t c = range.first; c <= range.last; ++c) {
      AppendCodePoint(c, &all);
    }
  }
  return all;
}

CharacterKind KindOf(char32_t c) {
  if (c == '.' || c == ',') return CharacterKind::kPoint;
  if (c < 0x80 && IsHtmlSpace(static_cast<char>(c))) {
    return CharacterKind::kSpace;
  }
  if (Has(kDigits, c)) return CharacterKind::kDigit;
  if (Has(kMarks, c)) return CharacterKind::kMark;
  return Has(kIdeographs, c) ? CharacterKind::kIdeograph
                             : CharacterKind::kLetter;
}

bool IsContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Where the character at `place` ends and where the one before it begins. Bytes
// that are not UTF-8 make characters of some length too.
size_t NextPlace(std::string_view text, size_t place) {
  ++place;
  while (place < text.size() && IsContinuation(text[place])) ++place;
  return place;
}

size_t PreviousPlace(std::string_view text, size_t place) {
  --place;
  while (place > 0 && IsContinuation(text[place])) --place;
  return place;
}

CharacterKind KindAt(std::string_view text, size_t place) {
  std::string_view character =
      text.substr(place, NextPlace(text, place) - place);
  if (ValidUtf8Prefix(character) != character.size()) {
    return CharacterKind::kLetter;
  }
  return KindOf(TakeCharacter(&character));
}

// Whether there is a character at or before a place, and is of this kind.
bool IsAt(std::string_view text, size_t place, CharacterKind kind) {
  return place < text.size() && KindAt(text, place) == kind;
}

bool IsBefore(std::string_view text, size_t place, CharacterKind kind) {
  return place > 0 && KindAt(text, PreviousPlace(text, place)) == kind;
}

// A number goes on over one place in all of these: 1|2, 1|.2, 1.|2.
bool IsInNumber(std::string_view text, size_t place) {
  constexpr CharacterKind kDigit = CharacterKind::kDigit;
  if (IsBefore(text, place, kDigit)) {
    return IsAt(text, place, kDigit) ||
           (IsAt(text, place, CharacterKind::kPoint) &&
            IsAt(text, NextPlace(text, place), kDigit));
  }
  return IsBefore(text, place, CharacterKind::kPoint) &&
         IsAt(text, place, kDigit) &&
         IsBefore(text, PreviousPlace(text, place), kDigit);
}

bool IsOfWord(CharacterKind kind) {
  return kind == CharacterKind::kLetter || kind == CharacterKind::kIdeograph;
}

// Whether a literal may begin at `begin` and end at `end`.
bool IsAligned(std::string_view text, size_t begin, size_t end) {
  if (IsInNumber(text, begin) || IsInNumber(text, end)) return false;
  if (begin > 0 && IsAt(text, begin, CharacterKind::kLetter) &&
      IsOfWord(KindAt(text, PreviousPlace(text, begin)))) {
    return false;
  }
  return end == text.size() || !IsOfWord(KindAt(text, end)) ||
         !IsBefore(text, end, CharacterKind::kLetter);
}

}  // namespace

CharacterKind FirstKind(std::string_view text) { return KindAt(text, 0); }

CharacterKind LastKind(std::string_view text) {
  return KindAt(text, PreviousPlace(text, text.size()));
}

std::vector<std::string_view> TokensOf(std::string_view text) {
  std::vector<std::string_view> tokens;
  size_t begin = 0;
  for (size_t end = 0; end < text.size();) {
    const CharacterKind kind = KindAt(text, end);
    end = NextPlace(text, end);
    const bool goes_on =
        end < text.size() &&
        (IsInNumber(text, end) ||
         ((kind == CharacterKind::kLetter || kind == CharacterKind::kSpace) &&
          KindAt(text, end) == kind));
    if (goes_on) continue;
    tokens.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return tokens;
}

size_t FindLiteral(std::string_view text, std::string_view literal, size_t from,
                   bool last) {
  if (literal.empty() || from > text.size()) return std::string_view::npos;
  size_t place = last ? text.rfind(literal) : text.find(literal, from);
  while (place != std::string_view::npos && place >= from) {
    if (IsAligned(text, place, place + literal.size())) return place;
    if (last && place == 0) break;
    place =
        last ? text.rfind(literal, place - 1) : text.find(literal, place + 1);
  }
  return std::string_view::npos;
}

std::string AllDigits() { return AllOf(kDigits); }

std::string AllMarks() { return AllOf(kMarks); }

}  // namespace trommel::rule::fields
