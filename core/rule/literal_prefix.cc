#include "core/rule/literal_prefix.h"

#include "absl/strings/ascii.h"

namespace trommel::rule {
namespace {

bool IsOneOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

// Behind the class of characters that begins at `at`.
size_t EndOfClass(std::string_view regex, size_t at) {
  ++at;
  if (at < regex.size() && regex[at] == '^') ++at;
  if (at < regex.size() && regex[at] == ']') ++at;
  while (at < regex.size() && regex[at] != ']') {
    at += regex[at] == '\\' ? 2 : 1;
  }
  return at + 1;
}

// Whether the expression is one of alternatives, of which only the first is
// what it begins with.
bool HasAlternatives(std::string_view regex) {
  int depth = 0;
  for (size_t at = 0; at < regex.size();) {
    switch (regex[at]) {
      case '\\':
        at += 2;
        continue;
      case '[':
        at = EndOfClass(regex, at);
        continue;
      case '(':
        ++depth;
        break;
      case ')':
        --depth;
        break;
      case '|':
        if (depth == 0) return true;
        break;
      default:
        break;
    }
    ++at;
  }
  return false;
}

}  // namespace

LiteralPrefix LiteralPrefixOf(std::string_view regex) {
  LiteralPrefix prefix;
  // \Q...\E is text in which nothing else is special.
  if (HasAlternatives(regex) || regex.find("\\Q") != std::string_view::npos) {
    return prefix;
  }
  for (size_t at = 0; at < regex.size();) {
    char c = regex[at];
    size_t end = at + 1;
    if (c == '\\') {
      if (end == regex.size() ||
          absl::ascii_isalnum(static_cast<unsigned char>(regex[end])))
        break;
      c = regex[end++];
    } else if (IsOneOf(c, ".*+?()[]{}^$|")) {
      break;
    }
    // A character of several bytes would be repeated as one.
    if (static_cast<unsigned char>(c) >= 0x80) break;
    if (end < regex.size() && IsOneOf(regex[end], "*+?{")) break;
    prefix.text += c;
    prefix.ends.push_back(end);
    at = end;
  }
  return prefix;
}

}  // namespace trommel::rule
