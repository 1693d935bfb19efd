#ifndef TROMMEL_CORE_BASE_TEXT_H_
#define TROMMEL_CORE_BASE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trommel {

// The white space of HTML: tab, line feed, form feed, carriage return, space.
inline bool IsHtmlSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

inline char AsciiLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

// True when the text is empty or all HTML white space.
bool IsBlank(std::string_view text);

// Appends `text` to `out` with every run of white space (HTML's, and the
// no-break space U+00A0) as one space and none at the front of `out`. A
// pending space at the end is reported, not written: the return value says
// whether `text` ended in white space, and `space_before` that the text so far
// did.
bool AppendNormalized(std::string_view text, bool space_before,
                      std::string* out);

// White space collapsed and trimmed: the form in which values are compared and
// recorded.
std::string NormalizeSpace(std::string_view text);

// Text of others as a part of a line for a terminal or a log: a character that
// could move the cursor or break the line becomes an escape, as \n or \u001b.
std::string Printable(std::string_view text);

// The length of the longest prefix that is valid UTF-8 (no surrogates, no
// overlong forms, at most U+10FFFF).
size_t ValidUtf8Prefix(std::string_view bytes);

// Appends `bytes` with every maximal ill-formed part replaced by U+FFFD, as
// the WHATWG decoder does.
void AppendUtf8Lossy(std::string_view bytes, std::string* out);

// Appends a code point, at most U+10FFFF, in UTF-8.
void AppendCodePoint(uint32_t c, std::string* out);

// Escapes for XML and HTML, text and attribute values alike: the five special
// characters, and tab, line feed and carriage return where a parser would
// otherwise change them. Characters that XML 1.0 forbids become U+FFFD. The
// input must be valid UTF-8.
void AppendXmlText(std::string_view text, std::string* out);
void AppendXmlAttribute(std::string_view value, std::string* out);

// Appends what a reader of that XML gets back: `text` with the characters that
// XML 1.0 forbids as U+FFFD. The input must be valid UTF-8.
void AppendXmlCharacters(std::string_view text, std::string* out);

}  // namespace trommel

#endif  // TROMMEL_CORE_BASE_TEXT_H_
