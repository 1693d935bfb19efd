#ifndef TROMMEL_CORE_XPATH_STRING_TEST_INTERNAL_H_
#define TROMMEL_CORE_XPATH_STRING_TEST_INTERNAL_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/html/document.h"
#include "core/xpath/ast.h"

namespace trommel::xpath {

// As XPath has it.
inline bool IsXmlSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// One comparison of a value of a page with a literal. `kind` is one of
// kEquals to kHasToken.
class StringTest {
 public:
  StringTest() = default;
  StringTest(ExprKind kind, std::string_view literal, bool normalize_space);

  // Buffers that calls may share.
  struct Scratch {
    std::string text;
    std::string comment;
  };

  // Of a value: an attribute's, or "" for one that is not there.
  bool Holds(std::string_view value, Scratch* scratch) const;

  // Of the string value of a node: all text in it.
  bool HoldsFor(const html::Document& document, html::NodeId node,
                Scratch* scratch) const;

  // The byte that a value must have first, white space left out, for the test
  // to hold; nothing where that is not fixed.
  std::optional<char> FirstByte() const;

  // The most frequent test, equality of values as they are, without a call.
  bool is_plain_equality() const {
    return kind_ == ExprKind::kEquals && !changes_value_;
  }
  const std::string& literal() const { return literal_; }

 private:
  bool HoldsForFinished(std::string_view value) const;
  // Appends more of the value, changed as the test needs it. False when what
  // `scratch` has is enough to decide.
  bool Gather(std::string_view piece, bool* space_pending,
              Scratch* scratch) const;

  ExprKind kind_ = ExprKind::kEquals;
  std::string literal_;
  bool normalize_ = false;
  bool replace_forbidden_ = false;
  bool changes_value_ = false;
  bool single_word_ = false;  // kHasToken: no white space inside
  size_t needed_ = 0;         // as many bytes of the value decide
};

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_STRING_TEST_INTERNAL_H_
