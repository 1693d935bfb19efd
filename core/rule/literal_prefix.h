#ifndef TROMMEL_CORE_RULE_LITERAL_PREFIX_H_
#define TROMMEL_CORE_RULE_LITERAL_PREFIX_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::rule {

// The plain text that a regular expression (RE2 syntax) begins with: of
// "http://a\.example/x+" it is "http://a.example/". A text matches as a whole
// if it begins with the prefix, or any part of it, and what remains matches
// what remains of the expression.
struct LiteralPrefix {
  std::string text;
  // Where the expression goes on behind each byte of `text`.
  std::vector<size_t> ends;
};

// An expression that is not understood has an empty one.
LiteralPrefix LiteralPrefixOf(std::string_view regex);

}  // namespace trommel::rule

#endif  // TROMMEL_CORE_RULE_LITERAL_PREFIX_H_
