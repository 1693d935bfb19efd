#include "core/xpath/string_test_internal.h"

#include "core/base/text.h"
#include "core/html/serialize.h"

// Values are compared where they lie whenever they are one piece: attributes,
// text nodes, elements around a single text. Others are put together in a
// buffer, and no more of them than the test can need: `. = "Price:"` reads
// seven bytes of a page's <body>, not all of it.
//
// Characters that XML forbids are U+FFFD for XPath. A literal never has such a
// character, so unless it has U+FFFD itself, no occurrence of it in a value can
// touch one, and the page's own bytes give the same answer.

namespace trommel::xpath {
namespace {

using html::Document;
using html::Node;
using html::NodeId;
using html::NodeKind;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() &&
         text.substr(text.size() - suffix.size()) == suffix;
}

// Whether `word` stands in `text` with white space or an end on both sides.
bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || IsXmlSpace(text[at - 1])) &&
        (end == text.size() || IsXmlSpace(text[end]))) {
      return true;
    }
  }
  return false;
}

// How two texts of which the first counts as with white space normalised
// compare: whether they are equal, or the second is where the first begins.
enum class Likeness { kDifferent, kBegins, kEqual };

// In place, and no further than to the first difference. `literal` is not
// changed: one with white space that normalising would take away is like no
// text.
Likeness CompareNormalized(std::string_view text, std::string_view literal) {
  const char* c = text.data();
  const char* const end = c + text.size();
  const auto skip_space = [&] {
    while (c < end && IsXmlSpace(*c)) ++c;
  };
  skip_space();
  for (const char wanted : literal) {
    if (c == end) return Likeness::kDifferent;
    if (!IsXmlSpace(*c)) {
      if (*c++ != wanted) return Likeness::kDifferent;
      continue;
    }
    skip_space();
    if (c == end || wanted != ' ') return Likeness::kDifferent;
  }
  skip_space();
  return c == end ? Likeness::kEqual : Likeness::kBegins;
}

// Whether the text, with white space normalised, ends with the literal.
bool EndsWithNormalized(std::string_view text, std::string_view literal) {
  const char* const begin = text.data();
  const char* c = begin + text.size();
  const auto skip_space = [&] {
    while (c > begin && IsXmlSpace(c[-1])) --c;
  };
  skip_space();
  for (size_t i = literal.size(); i-- > 0;) {
    if (c == begin) return false;
    if (!IsXmlSpace(c[-1])) {
      if (*--c != literal[i]) return false;
      continue;
    }
    skip_space();
    if (c == begin || literal[i] != ' ') return false;
  }
  return true;
}

NodeId NextText(const Document& document, NodeId from, NodeId end) {
  while (from < end && document.node(from).kind != NodeKind::kText) ++from;
  return from;
}

}  // namespace

StringTest::StringTest(ExprKind kind, std::string_view literal,
                       bool normalize_space)
    : kind_(kind), literal_(LiteralValue(literal)) {
  normalize_ = normalize_space || kind == ExprKind::kHasToken;
  replace_forbidden_ = literal_.find(kReplacement) != std::string::npos;
  changes_value_ = normalize_ || replace_forbidden_;
  single_word_ = !literal_.empty();
  for (const char c : literal_) single_word_ &= !IsXmlSpace(c);
  switch (kind) {
    case ExprKind::kEquals:
    case ExprKind::kNotEquals:
      needed_ = literal_.size() + 1;
      break;
    case ExprKind::kStartsWith:
      needed_ = literal_.size();
      break;
    default:
      needed_ = std::string_view::npos;
  }
}

std::optional<char> StringTest::FirstByte() const {
  if (replace_forbidden_ ||
      (kind_ != ExprKind::kEquals && kind_ != ExprKind::kStartsWith)) {
    return std::nullopt;
  }
  for (const char c : literal_) {
    if (!IsXmlSpace(c)) return c;
  }
  return std::nullopt;
}

bool StringTest::HoldsForFinished(std::string_view value) const {
  switch (kind_) {
    case ExprKind::kEquals:
      return value == literal_;
    case ExprKind::kNotEquals:
      return value != literal_;
    case ExprKind::kContains:
      return value.find(literal_) != std::string_view::npos;
    case ExprKind::kStartsWith:
      return StartsWith(value, literal_);
    case ExprKind::kEndsWith:
      return EndsWith(value, literal_);
    case ExprKind::kHasToken:
      return HasWord(value, literal_);
    default:
      return false;
  }
}

bool StringTest::Gather(std::string_view piece, bool* space_pending,
                        Scratch* scratch) const {
  std::string& out = scratch->text;
  std::string replaced;
  if (replace_forbidden_) {
    AppendXmlCharacters(piece, &replaced);
    piece = replaced;
  }
  if (!normalize_) {
    out.append(piece.substr(0, needed_ - std::min(needed_, out.size())));
    return out.size() < needed_;
  }
  for (const char c : piece) {
    if (IsXmlSpace(c)) {
      *space_pending = true;
      continue;
    }
    if (*space_pending && !out.empty()) out.push_back(' ');
    *space_pending = false;
    out.push_back(c);
    if (out.size() >= needed_) return false;
  }
  return true;
}

bool StringTest::Holds(std::string_view value, Scratch* scratch) const {
  if (!changes_value_) return HoldsForFinished(value);
  if (kind_ == ExprKind::kHasToken && single_word_ && !replace_forbidden_) {
    return HasWord(value, literal_);
  }
  if (normalize_ && !replace_forbidden_) {
    switch (kind_) {
      case ExprKind::kEquals:
        return CompareNormalized(value, literal_) == Likeness::kEqual;
      case ExprKind::kNotEquals:
        return CompareNormalized(value, literal_) != Likeness::kEqual;
      case ExprKind::kStartsWith:
        return CompareNormalized(value, literal_) != Likeness::kDifferent;
      case ExprKind::kEndsWith:
        return EndsWithNormalized(value, literal_);
      default:
        break;
    }
  }
  scratch->text.clear();
  bool space_pending = false;
  Gather(value, &space_pending, scratch);
  return HoldsForFinished(scratch->text);
}

bool StringTest::HoldsFor(const Document& document, NodeId node,
                          Scratch* scratch) const {
  const Node& data = document.node(node);
  if (data.kind == NodeKind::kText) return Holds(document.Text(node), scratch);
  if (data.kind == NodeKind::kComment) {
    scratch->comment.clear();
    html::AppendXmlComment(document.Text(node), &scratch->comment);
    return Holds(scratch->comment, scratch);
  }
  const NodeId end = data.subtree_end;
  NodeId text = NextText(document, node + 1, end);
  if (text == end) return Holds("", scratch);
  if (data.subtree_end == text + 1 ||
      NextText(document, text + 1, end) == end) {
    return Holds(document.Text(text), scratch);
  }
  scratch->text.clear();
  bool space_pending = false;
  while (text < end && Gather(document.Text(text), &space_pending, scratch)) {
    text = NextText(document, text + 1, end);
  }
  return HoldsForFinished(scratch->text);
}

}  // namespace trommel::xpath
