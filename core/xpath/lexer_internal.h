#ifndef TROMMEL_CORE_XPATH_LEXER_INTERNAL_H_
#define TROMMEL_CORE_XPATH_LEXER_INTERNAL_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace trommel::xpath {

enum class TokenKind { kName, kLiteral, kNumber, kSymbol, kEnd };

struct Token {
  TokenKind kind;
  // Of literals, what stands between the quotes. Symbols are one of
  // ( ) [ ] / // . .. @ * :: = != , - +
  std::string_view text;
  size_t offset;  // in the expression
};

// The tokens of an expression, kEnd last; they refer to its text. Fails on
// characters that start no token, and on bytes that cannot be XML.
absl::StatusOr<std::vector<Token>> Tokenize(std::string_view expression);

// "column 5: expected a name, found ']'", columns counted in characters from 1.
absl::Status SyntaxError(std::string_view expression, size_t offset,
                         std::string_view what);

// A token as error messages show it: 'x', or the end of the expression.
std::string Describe(const Token& token);

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_LEXER_INTERNAL_H_
