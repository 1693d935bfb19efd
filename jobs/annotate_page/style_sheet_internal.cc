#include "jobs/annotate_page/style_sheet_internal.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/text.h"

// Addresses are found among the tokens of CSS (CSS Syntax Level 3, section 4),
// not in its characters: a browser takes u\72l(x) and URL( "x" ) for the same,
// and finds nothing in "url(x)", which is a string, or in /* url(x) */.
//
// Tokens are copied as they are written, so that a browser reads of the result
// what was read here. What takes the place of an address must not make one of
// its neighbours. `none` stands where a name began and no name ended, so that
// at most something like `nonerl(` comes of it. A comment stands for @import:
// a space would belong to an escape in front of it, and u\72, a rule of @import
// and l(x) would become one name.
//
// In doubt a token is dropped. A name counts by what follows its last character
// beyond ASCII, for browsers differ in which of those belong to names. The cost
// is linear in the length of the text.

namespace trommel::jobs::annotate_page {
namespace {

enum class TokenKind {
  kEnd,
  kFunction,   // the name and its '('
  kUrl,        // url(x) without quotes, closed or not, well formed or not
  kAtKeyword,  // '@' and the name
  kOpen,       // '(', '[', '{'
  kClose,      // ')', ']', '}'
  kSemicolon,
  kOther,
};

struct Token {
  TokenKind kind = TokenKind::kOther;
  std::string_view text;  // as it is written
  std::string name;       // of a function or at-keyword: unescaped, lower case
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsHexDigit(char c) {
  const char lower = AsciiLower(c);
  return IsDigit(c) || (lower >= 'a' && lower <= 'f');
}

bool IsCssSpace(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool IsBeyondAscii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

bool IsNameStart(char c) {
  const char lower = AsciiLower(c);
  return (lower >= 'a' && lower <= 'z') || c == '_' || IsBeyondAscii(c);
}

bool IsNameCharacter(char c) {
  return IsNameStart(c) || IsDigit(c) || c == '-';
}

// Section 3.3, "Preprocessing the input stream".
std::string Preprocessed(std::string_view css) {
  std::string text;
  text.reserve(css.size());
  for (size_t i = 0; i < css.size(); ++i) {
    switch (css[i]) {
      case '\r':
        if (i + 1 < css.size() && css[i + 1] == '\n') ++i;
        [[fallthrough]];
      case '\f':
        text += '\n';
        break;
      case '\0':
        AppendCodePoint(0xFFFD, &text);
        break;
      default:
        text += css[i];
    }
  }
  return text;
}

// Takes preprocessed text apart; functions are named after the sections of the
// standard.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Token Next() {
    Token token;
    const size_t begin = at_;
    token.kind = Consume(&token.name);
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

  // Passes over what an opening token has begun, with all that is nested in it.
  void SkipBlock(char open) {
    std::vector<char> closers = {CloserOf(open)};
    while (!closers.empty()) {
      const Token token = Next();
      switch (token.kind) {
        case TokenKind::kEnd:
          return;
        case TokenKind::kOpen:
        case TokenKind::kFunction:
          closers.push_back(CloserOf(token.text.back()));
          break;
        case TokenKind::kClose:
          // One that closes nothing is like any other token.
          if (token.text[0] == closers.back()) closers.pop_back();
          break;
        default:
          break;
      }
    }
  }

  // Passes over the rest of an at-rule: to its semicolon, over its block, or to
  // the end of the block in which it stands.
  void SkipAtRule() {
    while (true) {
      const size_t begin = at_;
      const Token token = Next();
      switch (token.kind) {
        case TokenKind::kEnd:
        case TokenKind::kSemicolon:
          return;
        case TokenKind::kOpen:
        case TokenKind::kFunction:
          SkipBlock(token.text.back());
          if (token.text == "{") return;
          break;
        case TokenKind::kClose:
          if (token.text != "}") break;
          at_ = begin;
          return;
        default:
          break;
      }
    }
  }

 private:
  static char CloserOf(char open) {
    return open == '(' ? ')' : open == '[' ? ']' : '}';
  }

  // The character so far ahead; NUL, which preprocessed text does not have, at
  // the end.
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool IsAtEnd() const { return at_ >= text_.size(); }

  bool StartsEscape(size_t ahead = 0) const {
    return Peek(ahead) == '\\' && Peek(ahead + 1) != '\n';
  }

  bool StartsName() const {
    if (Peek() == '-') {
      return IsNameStart(Peek(1)) || Peek(1) == '-' || StartsEscape(1);
    }
    return IsNameStart(Peek()) || StartsEscape();
  }

  bool StartsNumber() const {
    const size_t sign = Peek() == '+' || Peek() == '-' ? 1 : 0;
    return IsDigit(Peek(sign)) ||
           (Peek(sign) == '.' && IsDigit(Peek(sign + 1)));
  }

  TokenKind Consume(std::string* name) {
    if (IsAtEnd()) return TokenKind::kEnd;
    if (StartsNumber()) return ConsumeNumeric();
    if (StartsName()) return ConsumeIdentLike(name);
    const char c = Peek();
    ++at_;
    switch (c) {
      case '"':
      case '\'':
        ConsumeString(c);
        return TokenKind::kOther;
      case '/':
        if (Peek() == '*') ConsumeComment();
        return TokenKind::kOther;
      case '#':
        if (IsNameCharacter(Peek()) || StartsEscape()) ConsumeName();
        return TokenKind::kOther;
      case '@':
        if (!StartsName()) return TokenKind::kOther;
        *name = ConsumeName();
        return TokenKind::kAtKeyword;
      case '<':
        if (text_.substr(at_).starts_with("!--")) at_ += 3;
        return TokenKind::kOther;
      case ';':
        return TokenKind::kSemicolon;
      case '(':
      case '[':
      case '{':
        return TokenKind::kOpen;
      case ')':
      case ']':
      case '}':
        return TokenKind::kClose;
      default:
        return TokenKind::kOther;
    }
  }

  void ConsumeComment() {
    const size_t end = text_.find("*/", at_ + 1);
    at_ = end == std::string_view::npos ? text_.size() : end + 2;
  }

  void ConsumeString(char quote) {
    while (!IsAtEnd() && Peek() != '\n') {
      const char c = Peek();
      ++at_;
      if (c == quote) return;
      // What is escaped, a line end included, does not end the string.
      if (c == '\\' && !IsAtEnd()) ++at_;
    }
  }

  TokenKind ConsumeNumeric() {
    if (Peek() == '+' || Peek() == '-') ++at_;
    while (IsDigit(Peek())) ++at_;
    if (Peek() == '.' && IsDigit(Peek(1))) {
      ++at_;
      while (IsDigit(Peek())) ++at_;
    }
    const size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
    if (AsciiLower(Peek()) == 'e' && IsDigit(Peek(1 + sign))) {
      at_ += 1 + sign;
      while (IsDigit(Peek())) ++at_;
    }
    if (StartsName()) ConsumeName();
    return TokenKind::kOther;
  }

  TokenKind ConsumeIdentLike(std::string* name) {
    *name = ConsumeName();
    if (Peek() != '(') return TokenKind::kOther;
    ++at_;
    if (*name != "url") return TokenKind::kFunction;
    size_t spaces = 0;
    while (IsCssSpace(Peek(spaces))) ++spaces;
    if (Peek(spaces) == '"' || Peek(spaces) == '\'') {
      return TokenKind::kFunction;
    }
    ConsumeUrl();
    return TokenKind::kUrl;
  }

  // To the closing bracket, which is where a bad URL ends as well.
  void ConsumeUrl() {
    while (!IsAtEnd()) {
      if (StartsEscape()) {
        ConsumeEscape();
        continue;
      }
      const char c = Peek();
      ++at_;
      if (c == ')') return;
    }
  }

  // The name unescaped and in lower case, from behind its last character beyond
  // ASCII.
  std::string ConsumeName() {
    std::string name;
    while (!IsAtEnd()) {
      uint32_t c;
      if (StartsEscape()) {
        c = ConsumeEscape();
      } else if (IsNameCharacter(Peek())) {
        c = static_cast<unsigned char>(Peek());
        ++at_;
      } else {
        break;
      }
      if (c < 0x80) {
        name += AsciiLower(static_cast<char>(c));
      } else {
        name.clear();
      }
    }
    return name;
  }

  // The character, if it is in ASCII; else one that is not.
  uint32_t ConsumeEscape() {
    ++at_;
    if (IsAtEnd()) return 0xFFFD;
    if (!IsHexDigit(Peek())) {
      const uint32_t c = static_cast<unsigned char>(Peek());
      ++at_;
      return c;
    }
    uint32_t c = 0;
    for (int digits = 0; digits < 6 && IsHexDigit(Peek()); ++digits, ++at_) {
      const char digit = AsciiLower(Peek());
      c = c * 16 + static_cast<uint32_t>(IsDigit(digit) ? digit - '0'
                                                        : digit - 'a' + 10);
    }
    if (IsCssSpace(Peek())) ++at_;
    return c == 0 ? 0xFFFD : c;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Whether the function's arguments are addresses, as strings or as what a
// variable holds. Functions that take pictures, such as cross-fade(), do so by
// these.
bool TakesAddress(std::string_view name) {
  // -webkit-image-set and its like.
  if (name.starts_with('-')) {
    const size_t end = name.find('-', 1);
    if (end != std::string_view::npos) name.remove_prefix(end + 1);
  }
  return name == "url" || name == "src" || name == "image" ||
         name == "image-set";
}

}  // namespace

std::string WithoutAddresses(std::string_view css) {
  const std::string text = Preprocessed(css);
  std::string out;
  out.reserve(text.size());
  Tokenizer tokenizer(text);
  for (Token token = tokenizer.Next(); token.kind != TokenKind::kEnd;
       token = tokenizer.Next()) {
    if (token.kind == TokenKind::kUrl) {
      out += "none";
    } else if (token.kind == TokenKind::kFunction && TakesAddress(token.name)) {
      tokenizer.SkipBlock('(');
      out += "none";
    } else if (token.kind == TokenKind::kAtKeyword && token.name == "import") {
      tokenizer.SkipAtRule();
      out += "/**/";
    } else {
      out += token.text;
    }
  }
  return out;
}

}  // namespace trommel::jobs::annotate_page
