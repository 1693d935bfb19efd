#include "core/xpath/printer.h"

#include "core/base/strings.h"
#include "core/html/serialize.h"

namespace trommel::xpath {
namespace {

void AppendSteps(const std::vector<LocationStep>& steps, bool absolute,
                 std::string* out);

bool IsBare(const LocationStep& step, Axis axis) {
  return step.axis == axis && step.test == NodeTest::kAnyNode &&
         step.predicates.empty();
}

std::string PathText(const std::vector<LocationStep>& steps) {
  std::string out;
  AppendSteps(steps, /*absolute=*/false, &out);
  return out;
}

// Where an operator binds tighter than the expression, or where the same
// operator follows (a or b) or c, parentheses keep the operands together.
bool NeedsParentheses(ExprKind outer, ExprKind inner) {
  return inner == ExprKind::kOr ||
         (inner == ExprKind::kAnd && outer == ExprKind::kAnd);
}

// `whole` is true for an expression that is all of a predicate, where a number
// stands for a position.
void AppendExpr(const Expr& expr, bool whole, std::string* out) {
  const std::string position =
      expr.position == kLast ? "last()" : StrCat(expr.position);
  std::string value = PathText(expr.path);
  if (expr.normalize_space) value = StrCat("normalize-space(", value, ")");
  const std::string literal = QuoteLiteral(LiteralValue(expr.literal));
  switch (expr.kind) {
    case ExprKind::kPosition:
      StrAppend(out, whole ? "" : "position()=", position);
      return;
    case ExprKind::kExists:
      out->append(value);
      return;
    case ExprKind::kEquals:
      StrAppend(out, value, "=", literal);
      return;
    case ExprKind::kNotEquals:
      StrAppend(out, value, " != ", literal);
      return;
    case ExprKind::kContains:
      StrAppend(out, "contains(", value, ", ", literal, ")");
      return;
    case ExprKind::kStartsWith:
      StrAppend(out, "starts-with(", value, ", ", literal, ")");
      return;
    case ExprKind::kEndsWith:
      StrAppend(out, "substring(", value, ", string-length(", value,
                ") - string-length(", literal, ") + 1) = ", literal);
      return;
    case ExprKind::kHasToken:
      StrAppend(
          out, "contains(concat(\" \", normalize-space(", value, "), \" \"), ",
          QuoteLiteral(StrCat(" ", LiteralValue(expr.literal), " ")), ")");
      return;
    case ExprKind::kNot:
      out->append("not(");
      AppendExpr(expr.operands[0], /*whole=*/false, out);
      out->append(")");
      return;
    case ExprKind::kAnd:
    case ExprKind::kOr:
      break;
  }
  std::string_view separator;
  for (const Expr& operand : expr.operands) {
    out->append(separator);
    const bool parentheses = NeedsParentheses(expr.kind, operand.kind);
    if (parentheses) out->push_back('(');
    AppendExpr(operand, /*whole=*/false, out);
    if (parentheses) out->push_back(')');
    separator = expr.kind == ExprKind::kAnd ? " and " : " or ";
  }
}

void AppendTest(const LocationStep& step, std::string* out) {
  switch (step.test) {
    case NodeTest::kName:
      out->append(step.axis == Axis::kAttribute
                      ? html::XmlAttributeName(step.name)
                      : html::XmlName(step.name));
      return;
    case NodeTest::kAnyElement:
      out->append("*");
      return;
    case NodeTest::kAnyNode:
      out->append("node()");
      return;
    case NodeTest::kText:
      out->append("text()");
      return;
  }
}

void AppendStep(const LocationStep& step, std::string* out) {
  if (IsBare(step, Axis::kSelf)) {
    out->append(".");
    return;
  }
  if (IsBare(step, Axis::kParent)) {
    out->append("..");
    return;
  }
  if (step.axis == Axis::kAttribute) {
    out->push_back('@');
  } else if (step.axis != Axis::kChild) {
    StrAppend(out, AxisName(step.axis), "::");
  }
  AppendTest(step, out);
  for (const Expr& predicate : step.predicates) {
    out->push_back('[');
    AppendExpr(predicate, /*whole=*/true, out);
    out->push_back(']');
  }
}

void AppendSteps(const std::vector<LocationStep>& steps, bool absolute,
                 std::string* out) {
  bool after_gap = false;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool separated = absolute || i > 0;
    if (separated && !after_gap && i + 1 < steps.size() &&
        IsBare(steps[i], Axis::kDescendantOrSelf)) {
      out->append("//");
      after_gap = true;
      continue;
    }
    if (separated && !after_gap) out->push_back('/');
    AppendStep(steps[i], out);
    after_gap = false;
  }
}

}  // namespace

std::string_view AxisName(Axis axis) {
  switch (axis) {
    case Axis::kChild:
      return "child";
    case Axis::kDescendant:
      return "descendant";
    case Axis::kDescendantOrSelf:
      return "descendant-or-self";
    case Axis::kSelf:
      return "self";
    case Axis::kParent:
      return "parent";
    case Axis::kAncestor:
      return "ancestor";
    case Axis::kPrecedingSibling:
      return "preceding-sibling";
    case Axis::kFollowingSibling:
      return "following-sibling";
    case Axis::kPreceding:
      return "preceding";
    case Axis::kFollowing:
      return "following";
    case Axis::kAttribute:
      return "attribute";
  }
  return "";
}

std::string QuoteLiteral(std::string_view text) {
  if (text.find('"') == std::string_view::npos) {
    return StrCat("\"", text, "\"");
  }
  if (text.find('\'') == std::string_view::npos) return StrCat("'", text, "'");
  // Both: the longest pieces that have one kind only.
  std::string out = "concat(";
  std::string_view separator;
  while (!text.empty()) {
    const size_t double_quote = std::min(text.find('"'), text.size());
    const size_t single_quote = std::min(text.find('\''), text.size());
    const char quote = double_quote > single_quote ? '"' : '\'';
    const std::string_view piece =
        text.substr(0, std::max(double_quote, single_quote));
    StrAppend(&out, separator, std::string_view(&quote, 1), piece,
              std::string_view(&quote, 1));
    separator = ", ";
    text.remove_prefix(piece.size());
  }
  out.push_back(')');
  return out;
}

std::string ToString(const LocationPath& path) {
  std::string out;
  AppendSteps(path.steps, path.absolute, &out);
  if (path.position == kNoPosition) return out;
  return StrCat("(", out, ")[",
                path.position == kLast ? "last()" : StrCat(path.position), "]");
}

}  // namespace trommel::xpath
