#include "core/xpath/lexer_internal.h"

#include <algorithm>

#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::xpath {
namespace {

// Longest first, since "//" begins with "/".
constexpr std::string_view kSymbols[] = {"//", "..", "::", "!=", "(", ")",
                                         "[",  "]",  "/",  ".",  "@", "*",
                                         "=",  ",",  "-",  "+"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool IsNameByte(char c) {
  return IsNameStart(c) || IsDigit(c) || c == '-' || c == '.';
}

template <typename Predicate>
size_t PrefixLength(std::string_view text, Predicate predicate) {
  return static_cast<size_t>(
      std::find_if_not(text.begin(), text.end(), predicate) - text.begin());
}

std::string_view SymbolAt(std::string_view rest) {
  for (const std::string_view symbol : kSymbols) {
    if (rest.substr(0, symbol.size()) == symbol) return symbol;
  }
  return {};
}

// The first byte that XML could not hold, or the size.
size_t XmlPrefix(std::string_view text) {
  const size_t valid = ValidUtf8Prefix(text);
  std::string xml;
  AppendXmlCharacters(text.substr(0, valid), &xml);
  const auto differing =
      std::mismatch(text.begin(), text.begin() + valid, xml.begin(), xml.end());
  return static_cast<size_t>(differing.first - text.begin());
}

}  // namespace

absl::Status SyntaxError(std::string_view expression, size_t offset,
                         std::string_view what) {
  size_t column = 1;
  for (const char c : expression.substr(0, offset)) {
    column += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  }
  return absl::InvalidArgumentError(
      StrCat("XPath, column ", column, ": ", what));
}

std::string Describe(const Token& token) {
  constexpr size_t kShown = 40;
  if (token.kind == TokenKind::kEnd) return "the end of the expression";
  if (token.kind == TokenKind::kLiteral) return "a string";
  return token.text.size() <= kShown ? StrCat("'", token.text, "'")
                                     : std::string("a long name");
}

absl::StatusOr<std::vector<Token>> Tokenize(std::string_view expression) {
  if (const size_t valid = XmlPrefix(expression); valid < expression.size()) {
    return SyntaxError(expression, valid,
                       "bytes that are no UTF-8, or a character that XML does "
                       "not allow");
  }
  std::vector<Token> tokens;
  for (size_t i = 0; i < expression.size();) {
    const std::string_view rest = expression.substr(i);
    const char c = rest[0];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++i;
      continue;
    }
    Token token{TokenKind::kSymbol, {}, i};
    if (c == '"' || c == '\'') {
      const size_t end = rest.find(c, 1);
      if (end == std::string_view::npos) {
        return SyntaxError(expression, i, "a string without its closing quote");
      }
      token.kind = TokenKind::kLiteral;
      token.text = rest.substr(1, end - 1);
      i += end + 1;
    } else {
      if (IsDigit(c)) {
        token.kind = TokenKind::kNumber;
        token.text = rest.substr(0, PrefixLength(rest, IsDigit));
      } else if (IsNameStart(c)) {
        token.kind = TokenKind::kName;
        token.text = rest.substr(0, PrefixLength(rest, IsNameByte));
      } else {
        token.text = SymbolAt(rest);
      }
      if (token.text.empty()) {
        return SyntaxError(expression, i,
                           "a character that has no meaning here");
      }
      i += token.text.size();
    }
    tokens.push_back(token);
  }
  tokens.push_back({TokenKind::kEnd, {}, expression.size()});
  return tokens;
}

}  // namespace trommel::xpath
