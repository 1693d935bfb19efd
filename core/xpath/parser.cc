#include "core/xpath/parser.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/html/serialize.h"
#include "core/xpath/lexer_internal.h"
#include "core/xpath/printer.h"

// Recursive descent over a list of tokens. Recursion follows brackets,
// parentheses and not(), and stops at kMaxNesting of them; chains of steps, of
// predicates and of and/or are loops. The functions of XPath 1.0 have no value
// of their own here: where one of them may stand, the parser knows the few
// shapes that have a meaning in the AST, and reads those.

namespace trommel::xpath {
namespace {

constexpr Axis kAxes[] = {
    Axis::kChild,     Axis::kDescendant,       Axis::kDescendantOrSelf,
    Axis::kSelf,      Axis::kParent,           Axis::kAncestor,
    Axis::kPreceding, Axis::kPrecedingSibling, Axis::kFollowingSibling,
    Axis::kFollowing, Axis::kAttribute};

class Parser {
 public:
  Parser(std::string_view expression, std::vector<Token> tokens)
      : expression_(expression), tokens_(std::move(tokens)) {}

  absl::StatusOr<LocationPath> ParseWhole() {
    LocationPath path;
    const bool wrapped = Take("(");
    path.absolute = At("/") || At("//");
    TROMMEL_RETURN_IF_ERROR(ParseSteps(&path.steps));
    if (wrapped) {
      TROMMEL_RETURN_IF_ERROR(Expect(")"));
      TROMMEL_RETURN_IF_ERROR(Expect("["));
      TROMMEL_ASSIGN_OR_RETURN(path.position, ParsePosition());
      TROMMEL_RETURN_IF_ERROR(Expect("]"));
    }
    if (Current().kind != TokenKind::kEnd) {
      return Unexpected(wrapped ? "the end after (...)[...]"
                                : "'/', '[' or the end");
    }
    TROMMEL_RETURN_IF_ERROR(Validate(path));
    return path;
  }

 private:
  // --- Tokens ----------------------------------------------------------------

  const Token& Current() const { return tokens_[next_]; }
  const Token& Following() const {
    return tokens_[std::min(next_ + 1, tokens_.size() - 1)];
  }
  static bool IsSymbol(const Token& token, std::string_view text) {
    return token.kind == TokenKind::kSymbol && token.text == text;
  }
  bool At(std::string_view symbol) const { return IsSymbol(Current(), symbol); }
  bool AtFunction() const {
    return Current().kind == TokenKind::kName && IsSymbol(Following(), "(");
  }
  bool AtFunction(std::string_view name) const {
    return AtFunction() && Current().text == name;
  }
  bool Take(std::string_view symbol) {
    if (!At(symbol)) return false;
    ++next_;
    return true;
  }
  bool TakeWord(std::string_view word) {
    if (Current().kind != TokenKind::kName || Current().text != word) {
      return false;
    }
    ++next_;
    return true;
  }
  // The name and the parenthesis.
  bool TakeFunction(std::string_view name) {
    if (!AtFunction(name)) return false;
    next_ += 2;
    return true;
  }

  absl::Status Unexpected(std::string_view expected) const {
    return SyntaxError(
        expression_, Current().offset,
        StrCat("expected ", expected, ", found ", Describe(Current())));
  }
  absl::Status Expect(std::string_view symbol) {
    if (Take(symbol)) return absl::OkStatus();
    return Unexpected(StrCat("'", symbol, "'"));
  }
  absl::Status ExpectFunction(std::string_view name) {
    if (TakeFunction(name)) return absl::OkStatus();
    return Unexpected(StrCat(name, "("));
  }

  // --- Paths -----------------------------------------------------------------

  absl::Status ParseSteps(std::vector<LocationStep>* steps) {
    if (Take("//")) {
      steps->push_back(Gap());
    } else {
      Take("/");
    }
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(LocationStep step, ParseStep());
      const bool attribute = step.axis == Axis::kAttribute;
      steps->push_back(std::move(step));
      if (attribute && (At("/") || At("//") || At("["))) {
        return Unexpected("nothing after an attribute");
      }
      if (Take("//")) {
        steps->push_back(Gap());
      } else if (!Take("/")) {
        return absl::OkStatus();
      }
    }
  }

  absl::StatusOr<LocationStep> ParseStep() {
    for (const bool parent : {false, true}) {
      if (!Take(parent ? ".." : ".")) continue;
      if (At("[")) return Unexpected("no predicate after '.' or '..'");
      return MakeStep(parent ? Axis::kParent : Axis::kSelf, NodeTest::kAnyNode);
    }
    LocationStep step;
    if (Take("@")) {
      step.axis = Axis::kAttribute;
    } else if (Current().kind == TokenKind::kName &&
               IsSymbol(Following(), "::")) {
      TROMMEL_ASSIGN_OR_RETURN(step.axis, ParseAxis());
    }
    TROMMEL_RETURN_IF_ERROR(ParseTest(&step));
    if (step.axis == Axis::kAttribute) return step;
    while (Take("[")) {
      TROMMEL_ASSIGN_OR_RETURN(Expr predicate, ParsePredicate());
      step.predicates.push_back(std::move(predicate));
      TROMMEL_RETURN_IF_ERROR(Expect("]"));
    }
    return step;
  }

  absl::StatusOr<Axis> ParseAxis() {
    for (const Axis axis : kAxes) {
      if (Current().text != AxisName(axis)) continue;
      next_ += 2;
      return axis;
    }
    return Unexpected("an axis such as child or preceding-sibling");
  }

  absl::Status ParseTest(LocationStep* step) {
    const bool attribute = step->axis == Axis::kAttribute;
    if (Take("*")) {
      step->test = NodeTest::kAnyElement;
      return absl::OkStatus();
    }
    if (!attribute && (AtFunction("node") || AtFunction("text"))) {
      step->test =
          Current().text == "node" ? NodeTest::kAnyNode : NodeTest::kText;
      next_ += 2;
      return Expect(")");
    }
    if (Current().kind != TokenKind::kName || AtFunction()) {
      return Unexpected(attribute ? "an attribute's name or '*'"
                                  : "a name, '*', node() or text()");
    }
    std::optional<std::string> name = html::FromXmlName(Current().text);
    if (attribute && (name == "xmlns" || !name.has_value())) {
      // The one name that attributes write otherwise.
      const bool escaped = Current().text == html::XmlAttributeName("xmlns");
      name = escaped ? std::optional<std::string>("xmlns") : std::nullopt;
    }
    if (!name.has_value()) {
      return Unexpected(
          "a name as in the XML of a page (a:b is written a_x003A_b)");
    }
    step->name = *std::move(name);
    ++next_;
    return absl::OkStatus();
  }

  // --- Predicates ------------------------------------------------------------

  // A number or last().
  absl::StatusOr<Position> ParsePosition() {
    if (TakeFunction("last")) {
      TROMMEL_RETURN_IF_ERROR(Expect(")"));
      return kLast;
    }
    const std::string_view digits = Current().text;
    if (Current().kind != TokenKind::kNumber) {
      return Unexpected("a position or last()");
    }
    Position position = 0;
    for (const char c : digits) {
      position = position * 10 + static_cast<Position>(c - '0');
      if (position > kMaxPosition) break;
    }
    if (position == 0 || position > kMaxPosition) {
      return Unexpected(StrCat("a position from 1 to ", kMaxPosition));
    }
    ++next_;
    return position;
  }

  absl::StatusOr<Expr> ParsePredicate() {
    if (Current().kind == TokenKind::kNumber || AtFunction("last")) {
      TROMMEL_ASSIGN_OR_RETURN(const Position position, ParsePosition());
      return AtPosition(position);
    }
    return ParseOr();
  }

  absl::StatusOr<Expr> ParseOr() {
    if (++nesting_ > kMaxNesting) {
      return SyntaxError(expression_, Current().offset,
                         StrCat("nested deeper than ", kMaxNesting));
    }
    std::vector<Expr> operands;
    do {
      TROMMEL_ASSIGN_OR_RETURN(Expr operand, ParseAnd());
      operands.push_back(std::move(operand));
    } while (TakeWord("or"));
    --nesting_;
    if (operands.size() == 1) return std::move(operands[0]);
    return AnyOf(std::move(operands));
  }

  absl::StatusOr<Expr> ParseAnd() {
    std::vector<Expr> operands;
    do {
      TROMMEL_ASSIGN_OR_RETURN(Expr operand, ParsePrimary());
      operands.push_back(std::move(operand));
    } while (TakeWord("and"));
    if (operands.size() == 1) return std::move(operands[0]);
    return AllOf(std::move(operands));
  }

  absl::StatusOr<Expr> ParsePrimary() {
    if (Take("(")) {
      TROMMEL_ASSIGN_OR_RETURN(Expr inner, ParseOr());
      TROMMEL_RETURN_IF_ERROR(Expect(")"));
      return inner;
    }
    if (TakeFunction("not")) {
      TROMMEL_ASSIGN_OR_RETURN(Expr inner, ParseOr());
      TROMMEL_RETURN_IF_ERROR(Expect(")"));
      return Not(std::move(inner));
    }
    if (TakeFunction("position")) {
      TROMMEL_RETURN_IF_ERROR(Expect(")"));
      TROMMEL_RETURN_IF_ERROR(Expect("="));
      TROMMEL_ASSIGN_OR_RETURN(const Position position, ParsePosition());
      return AtPosition(position);
    }
    if (TakeFunction("contains")) return ParseContains();
    if (TakeFunction("starts-with")) {
      Expr expr;
      expr.kind = ExprKind::kStartsWith;
      TROMMEL_RETURN_IF_ERROR(ParseValueAndLiteral(&expr));
      return expr;
    }
    if (TakeFunction("substring")) return ParseEndsWith();
    return ParseComparison();
  }

  // VALUE="x", VALUE != "x", or a path alone.
  absl::StatusOr<Expr> ParseComparison() {
    Expr expr;
    TROMMEL_RETURN_IF_ERROR(ParseValue(&expr));
    if (Take("=")) {
      expr.kind = ExprKind::kEquals;
    } else if (Take("!=")) {
      expr.kind = ExprKind::kNotEquals;
    } else if (expr.normalize_space) {
      return Unexpected("'=' or '!=' after normalize-space()");
    } else {
      return expr;
    }
    TROMMEL_ASSIGN_OR_RETURN(expr.literal, ParseLiteral());
    return expr;
  }

  absl::Status ParseValue(Expr* expr) {
    if (!TakeFunction("normalize-space")) return ParseRelativePath(expr);
    expr->normalize_space = true;
    if (Take(")")) {
      expr->path = Self();
      return absl::OkStatus();
    }
    TROMMEL_RETURN_IF_ERROR(ParseRelativePath(expr));
    return Expect(")");
  }

  absl::Status ParseRelativePath(Expr* expr) {
    const bool function =
        AtFunction() && !AtFunction("node") && !AtFunction("text");
    if (function || Current().kind == TokenKind::kNumber ||
        Current().kind == TokenKind::kLiteral || At("/") || At("//")) {
      return Unexpected(
          "a relative path, contains(), starts-with(), substring(), "
          "normalize-space(), position()= or not()");
    }
    return ParseSteps(&expr->path);
  }

  // VALUE, "x") of a function whose name has been read.
  absl::Status ParseValueAndLiteral(Expr* expr) {
    TROMMEL_RETURN_IF_ERROR(ParseValue(expr));
    TROMMEL_RETURN_IF_ERROR(Expect(","));
    TROMMEL_ASSIGN_OR_RETURN(expr->literal, ParseLiteral());
    return Expect(")");
  }

  absl::StatusOr<Expr> ParseContains() {
    Expr expr;
    if (!TakeFunction("concat")) {
      expr.kind = ExprKind::kContains;
      TROMMEL_RETURN_IF_ERROR(ParseValueAndLiteral(&expr));
      return expr;
    }
    expr.kind = ExprKind::kHasToken;
    TROMMEL_RETURN_IF_ERROR(ExpectLiteral(" "));
    TROMMEL_RETURN_IF_ERROR(Expect(","));
    TROMMEL_RETURN_IF_ERROR(ExpectFunction("normalize-space"));
    TROMMEL_RETURN_IF_ERROR(ParseRelativePath(&expr));
    TROMMEL_RETURN_IF_ERROR(Expect(")"));
    TROMMEL_RETURN_IF_ERROR(Expect(","));
    TROMMEL_RETURN_IF_ERROR(ExpectLiteral(" "));
    TROMMEL_RETURN_IF_ERROR(Expect(")"));
    TROMMEL_RETURN_IF_ERROR(Expect(","));
    const size_t offset = Current().offset;
    TROMMEL_ASSIGN_OR_RETURN(std::string padded, ParseLiteral());
    if (padded.size() < 2 || padded.front() != ' ' || padded.back() != ' ') {
      return SyntaxError(expression_, offset,
                         "expected a word between two spaces");
    }
    expr.literal = padded.substr(1, padded.size() - 2);
    TROMMEL_RETURN_IF_ERROR(Expect(")"));
    return expr;
  }

  // VALUE, string-length(VALUE) - string-length("x") + 1) = "x"
  absl::StatusOr<Expr> ParseEndsWith() {
    Expr expr;
    expr.kind = ExprKind::kEndsWith;
    TROMMEL_RETURN_IF_ERROR(ParseValue(&expr));
    TROMMEL_RETURN_IF_ERROR(Expect(","));
    const size_t offset = Current().offset;
    TROMMEL_RETURN_IF_ERROR(ExpectFunction("string-length"));
    Expr again;
    again.kind = ExprKind::kEndsWith;
    TROMMEL_RETURN_IF_ERROR(ParseValue(&again));
    TROMMEL_RETURN_IF_ERROR(Expect(")"));
    TROMMEL_RETURN_IF_ERROR(Expect("-"));
    TROMMEL_RETURN_IF_ERROR(ExpectFunction("string-length"));
    TROMMEL_ASSIGN_OR_RETURN(again.literal, ParseLiteral());
    TROMMEL_RETURN_IF_ERROR(Expect(")"));
    TROMMEL_RETURN_IF_ERROR(Expect("+"));
    if (Current().kind != TokenKind::kNumber || Current().text != "1") {
      return Unexpected("1");
    }
    ++next_;
    TROMMEL_RETURN_IF_ERROR(Expect(")"));
    TROMMEL_RETURN_IF_ERROR(Expect("="));
    TROMMEL_ASSIGN_OR_RETURN(expr.literal, ParseLiteral());
    if (!(expr == again)) {
      return SyntaxError(expression_, offset,
                         "expected the value and the string of substring() "
                         "again: only ends-with is supported");
    }
    return expr;
  }

  // --- Strings ---------------------------------------------------------------

  absl::Status ExpectLiteral(std::string_view text) {
    if (Current().kind != TokenKind::kLiteral || Current().text != text) {
      return Unexpected(StrCat("\"", text, "\""));
    }
    ++next_;
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> ParseLiteral() {
    const bool concat = TakeFunction("concat");
    std::string text;
    size_t pieces = 0;
    do {
      if (Current().kind != TokenKind::kLiteral) return Unexpected("a string");
      text.append(Current().text);
      ++next_;
      ++pieces;
    } while (concat && Take(","));
    if (concat) {
      if (pieces < 2) return Unexpected("','");
      TROMMEL_RETURN_IF_ERROR(Expect(")"));
    }
    return text;
  }

  std::string_view expression_;
  std::vector<Token> tokens_;
  size_t next_ = 0;
  int nesting_ = 0;
};

}  // namespace

absl::StatusOr<LocationPath> Parse(std::string_view expression) {
  TROMMEL_ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(expression));
  return Parser(expression, std::move(tokens)).ParseWhole();
}

}  // namespace trommel::xpath
