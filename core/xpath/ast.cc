#include "core/xpath/ast.h"

#include <utility>

#include "core/base/status.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::xpath {
namespace {

absl::Status ValidateSteps(const std::vector<LocationStep>& steps, int nesting);

absl::Status Invalid(std::string_view what) {
  return absl::InvalidArgumentError(StrCat("XPath: ", what));
}

absl::Status ValidatePosition(Position position) {
  if (position != kLast && (position == 0 || position > kMaxPosition)) {
    return Invalid(StrCat("positions go from 1 to ", kMaxPosition));
  }
  return absl::OkStatus();
}

// `nesting` counts the expressions around this one, and itself.
absl::Status ValidateExpr(const Expr& expr, int nesting) {
  if (nesting > kMaxNesting) {
    return Invalid(StrCat("nested deeper than ", kMaxNesting));
  }
  switch (expr.kind) {
    case ExprKind::kPosition:
      return ValidatePosition(expr.position);
    case ExprKind::kAnd:
    case ExprKind::kOr:
      if (expr.operands.size() < 2) {
        return Invalid("and, or need two operands");
      }
      break;
    case ExprKind::kNot:
      if (expr.operands.size() != 1) return Invalid("not() needs one operand");
      break;
    default:
      return ValidateSteps(expr.path, nesting);
  }
  for (const Expr& operand : expr.operands) {
    TROMMEL_RETURN_IF_ERROR(ValidateExpr(operand, nesting + 1));
  }
  return absl::OkStatus();
}

absl::Status ValidateName(const LocationStep& step) {
  if (step.test != NodeTest::kName) return absl::OkStatus();
  if (step.name.empty()) return Invalid("an empty name");
  if (ValidUtf8Prefix(step.name) != step.name.size()) {
    return Invalid("a name that is not UTF-8");
  }
  return absl::OkStatus();
}

absl::Status ValidateSteps(const std::vector<LocationStep>& steps,
                           int nesting) {
  if (steps.empty()) return Invalid("a path without steps");
  for (const LocationStep& step : steps) {
    TROMMEL_RETURN_IF_ERROR(ValidateName(step));
    if (step.axis == Axis::kAttribute) {
      if (&step != &steps.back()) {
        return Invalid("an attribute step is the last of its path");
      }
      if (step.test == NodeTest::kAnyNode || step.test == NodeTest::kText) {
        return Invalid("an attribute step has a name or *");
      }
      if (!step.predicates.empty()) {
        return Invalid("an attribute step has no predicates");
      }
    }
    for (const Expr& predicate : step.predicates) {
      TROMMEL_RETURN_IF_ERROR(ValidateExpr(predicate, nesting + 1));
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool operator==(const LocationStep& a, const LocationStep& b) {
  return a.axis == b.axis && a.test == b.test && a.name == b.name &&
         a.predicates == b.predicates;
}

bool operator==(const Expr& a, const Expr& b) {
  return a.kind == b.kind && a.position == b.position && a.path == b.path &&
         a.normalize_space == b.normalize_space && a.literal == b.literal &&
         a.operands == b.operands;
}

bool operator==(const LocationPath& a, const LocationPath& b) {
  return a.absolute == b.absolute && a.position == b.position &&
         a.steps == b.steps;
}

LocationStep MakeStep(Axis axis, NodeTest test, std::vector<Expr> predicates) {
  return LocationStep{axis, test, "", std::move(predicates)};
}

LocationStep MakeStep(Axis axis, std::string_view name,
                      std::vector<Expr> predicates) {
  return LocationStep{axis, NodeTest::kName, std::string(name),
                      std::move(predicates)};
}

LocationStep ChildStep(std::string_view name, std::vector<Expr> predicates) {
  return MakeStep(Axis::kChild, name, std::move(predicates));
}

LocationStep AttributeStep(std::string_view name) {
  return MakeStep(Axis::kAttribute, name);
}

LocationStep Gap() {
  return MakeStep(Axis::kDescendantOrSelf, NodeTest::kAnyNode);
}

LocationPath Anywhere(std::vector<LocationStep> steps) {
  steps.insert(steps.begin(), Gap());
  return LocationPath{true, std::move(steps), kNoPosition};
}

Expr AtPosition(Position position) {
  Expr expr;
  expr.kind = ExprKind::kPosition;
  expr.position = position;
  return expr;
}

Expr Exists(std::vector<LocationStep> path) {
  Expr expr;
  expr.path = std::move(path);
  return expr;
}

Expr HasAttribute(std::string_view name) {
  return Exists({AttributeStep(name)});
}

Expr AttributeIs(std::string_view name, std::string_view value) {
  return Compare(ExprKind::kEquals, {AttributeStep(name)}, value);
}

Expr HasClass(std::string_view token) {
  return Compare(ExprKind::kHasToken, {AttributeStep("class")}, token);
}

Expr Compare(ExprKind kind, std::vector<LocationStep> path,
             std::string_view literal, bool normalize_space) {
  Expr expr;
  expr.kind = kind;
  expr.path = std::move(path);
  expr.literal = literal;
  expr.normalize_space = normalize_space;
  return expr;
}

std::vector<LocationStep> Self() {
  return {MakeStep(Axis::kSelf, NodeTest::kAnyNode)};
}

Expr AllOf(std::vector<Expr> operands) {
  Expr expr;
  expr.kind = ExprKind::kAnd;
  expr.operands = std::move(operands);
  return expr;
}

Expr AnyOf(std::vector<Expr> operands) {
  Expr expr;
  expr.kind = ExprKind::kOr;
  expr.operands = std::move(operands);
  return expr;
}

Expr Not(Expr operand) {
  Expr expr;
  expr.kind = ExprKind::kNot;
  expr.operands.push_back(std::move(operand));
  return expr;
}

absl::Status Validate(const LocationPath& path) {
  if (path.position != kNoPosition) {
    TROMMEL_RETURN_IF_ERROR(ValidatePosition(path.position));
  }
  return ValidateSteps(path.steps, 0);
}

std::string LiteralValue(std::string_view literal) {
  std::string utf8, value;
  AppendUtf8Lossy(literal, &utf8);
  AppendXmlCharacters(utf8, &value);
  return value;
}

}  // namespace trommel::xpath
