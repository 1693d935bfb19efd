#ifndef TROMMEL_CORE_RULE_FIELDS_TOKENS_H_
#define TROMMEL_CORE_RULE_FIELDS_TOKENS_H_

// Text as a lexer sees it: what begins and ends where for the literals of a
// range. "by Ann, 3.5/5" has the tokens "by", " ", "Ann", ",", " ", "3.5", "/"
// and "5".

#include <string>
#include <string_view>
#include <vector>

namespace trommel::rule::fields {

enum class CharacterKind {
  kLetter,     // of a script that sets words apart, and all that is not below
  kIdeograph,  // of a script that does not: each is a token
  kDigit,
  kPoint,  // '.' and ',', which are a part of a number between two digits
  kMark,   // other punctuation: each is a token
  kSpace,
};

// The kinds of the first and of the last character of a text that is not empty.
CharacterKind FirstKind(std::string_view text);
CharacterKind LastKind(std::string_view text);

// The tokens of a text, one after the other and nothing left out: runs of
// letters, of digits, of white space, and single characters of the other kinds.
std::vector<std::string_view> TokensOf(std::string_view text);

// The place of the first, or last, occurrence of a literal in the text that
// begins at `from` or behind; npos for none. One that begins or ends inside of
// a run of letters or of a number is none: "by" is not in "standby" and "," not
// in "1,299". Next to letters, ideographs count as letters.
size_t FindLiteral(std::string_view text, std::string_view literal, size_t from,
                   bool last);

// All characters of the kinds kDigit and kMark, for those who must tell them
// from letters without this file.
std::string AllDigits();
std::string AllMarks();

}  // namespace trommel::rule::fields

#endif  // TROMMEL_CORE_RULE_FIELDS_TOKENS_H_
