#include "core/xpath/program_internal.h"

#include <algorithm>
#include <utility>

// Compilation rewrites paths so that fewer nodes are looked at, where the
// result stays the same:
//
//  - "." is dropped from paths.
//  - //x is descendant-or-self::node()/child::x. Unless a predicate asks for
//    positions, which count children of one parent, that is descendant::x.
//  - Predicates of a step without positions all have to hold, in any order;
//    they are sorted by what they cost.
//
// It also chooses the step to search for. A path such as
// //div/*/*[@id="i1"]/node() selects nothing on the way that is as rare as the
// element with the id. One scan for the rarest step, with the steps before it
// tested on the ancestors of the few nodes found, beats carrying all <div> of
// the page and their grandchildren along. How rare a step is can only be
// guessed from its tests.

namespace trommel::xpath {
namespace {

using Op = CompiledExpr::Op;
using Subject = CompiledExpr::Subject;
using End = CompiledPath::End;

class Compiler {
 public:
  explicit Compiler(Program* program) : program_(program) {}

  CompiledPath CompilePath(const std::vector<LocationStep>& steps);

 private:
  uint32_t NameIndex(const std::string& name);
  CompiledStep CompileStep(const LocationStep& step);
  CompiledExpr CompileExpr(const Expr& expr);

  Program* program_;
  int num_predicate_paths_ = 0;  // that surround what is being compiled
};

bool UsesPosition(const CompiledExpr& expr) {
  if (expr.op == Op::kPosition || expr.op == Op::kLast) return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(), UsesPosition);
}

bool UsesSize(const CompiledExpr& expr) {
  if (expr.op == Op::kLast) return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(), UsesSize);
}

bool IsPlainPosition(const CompiledExpr& expr) {
  return expr.op == Op::kPosition || expr.op == Op::kLast;
}

bool IsNearestText(const CompiledExpr& expr) {
  if (expr.op != Op::kExists || expr.path.end != End::kNode ||
      expr.path.steps.size() != 1) {
    return false;
  }
  const CompiledStep& step = expr.path.steps[0];
  return (step.axis == Axis::kPreceding || step.axis == Axis::kFollowing) &&
         step.test == NodeTest::kText && step.lone_position == 0 &&
         step.predicates[0].op == Op::kPosition &&
         step.predicates[0].position == 1;
}

// Adds the first bytes of which one is that of every text for which the
// expression holds; false where there may be others.
bool AddFirstBytes(const CompiledExpr& expr, std::string* bytes) {
  if (expr.op == Op::kOr) {
    return std::all_of(expr.operands.begin(), expr.operands.end(),
                       [&](const CompiledExpr& operand) {
                         return AddFirstBytes(operand, bytes);
                       });
  }
  if (expr.op != Op::kTest || expr.subject != Subject::kSelf) return false;
  const std::optional<char> first = expr.test.FirstByte();
  if (first.has_value()) bytes->push_back(*first);
  return first.has_value();
}

void FindAnchor(CompiledStep* step) {
  if (step->positional || step->test != NodeTest::kText) return;
  for (const CompiledExpr& predicate : step->predicates) {
    if (!predicate.is_nearest_text) continue;
    const CompiledStep& nearest = predicate.path.steps[0];
    for (size_t i = 1; i < nearest.predicates.size(); ++i) {
      std::string bytes;
      if (!AddFirstBytes(nearest.predicates[i], &bytes)) continue;
      std::sort(bytes.begin(), bytes.end());
      bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
      step->anchor_axis = nearest.axis;
      step->anchor_first_bytes = std::move(bytes);
      return;
    }
  }
}

constexpr int kCheap = 2;

// 0 to kCheap: looks at attributes only. Then the text of the node, nodes
// nearby, and the rest of the page.
int CostOf(const CompiledExpr& expr) {
  int cost = 0;
  switch (expr.op) {
    case Op::kPosition:
    case Op::kLast:
      return 0;
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
      for (const CompiledExpr& operand : expr.operands) {
        cost = std::max(cost, CostOf(operand));
      }
      return cost;
    case Op::kExists:
    case Op::kTest:
      break;
  }
  if (expr.subject == Subject::kAttribute) {
    return expr.op == Op::kExists || expr.is_attribute_equality ? 1 : 2;
  }
  cost = kCheap + 1;
  for (const CompiledStep& step : expr.path.steps) {
    switch (step.axis) {
      case Axis::kPreceding:
      case Axis::kFollowing:
        return kCheap + 3;
      case Axis::kDescendant:
      case Axis::kDescendantOrSelf:
        cost = kCheap + 2;
        break;
      default:
        break;
    }
  }
  return cost;
}

bool IsGap(const CompiledStep& step) {
  return step.axis == Axis::kDescendantOrSelf &&
         step.test == NodeTest::kAnyNode && step.predicates.empty();
}

// What share of a page's nodes may pass; the higher, the fewer.
int RarityOf(const CompiledExpr& expr, const Program& program) {
  switch (expr.op) {
    case Op::kAnd: {
      int rarity = 0;
      for (const CompiledExpr& operand : expr.operands) {
        rarity = std::max(rarity, RarityOf(operand, program));
      }
      return rarity;
    }
    case Op::kOr: {
      int rarity = INT32_MAX;
      for (const CompiledExpr& operand : expr.operands) {
        rarity = std::min(rarity, RarityOf(operand, program));
      }
      return rarity;
    }
    case Op::kTest:
      if (expr.subject != Subject::kAttribute) return 15;
      if (!expr.is_attribute_equality) return 25;
      return program.names[expr.path.attribute] == "id" ? 40 : 30;
    case Op::kExists:
      return 12;
    default:
      return 0;
  }
}

int RarityOf(const CompiledStep& step, const Program& program) {
  int rarity = step.test == NodeTest::kName ? 10 : 0;
  for (const CompiledExpr& predicate : step.predicates) {
    rarity = std::max(rarity, RarityOf(predicate, program));
  }
  return rarity;
}

// Whether a node that a step has selected can be recognised from the node, its
// siblings and its ancestors.
bool IsDownward(const CompiledStep& step) {
  switch (step.axis) {
    case Axis::kChild:
      return true;
    case Axis::kDescendant:
      return !step.positional;
    case Axis::kDescendantOrSelf:
      return IsGap(step);
    default:
      return false;
  }
}

size_t ChooseSearch(const Program& program) {
  const std::vector<CompiledStep>& steps = program.path.steps;
  if (!program.absolute || steps.empty() ||
      steps[0].axis != Axis::kDescendant) {
    return kNoSearch;
  }
  size_t search = kNoSearch;
  int best = -1;
  for (size_t i = 0; i < steps.size() && IsDownward(steps[i]); ++i) {
    if (steps[i].positional || IsGap(steps[i])) continue;
    const int rarity = RarityOf(steps[i], program);
    if (rarity <= best) continue;
    best = rarity;
    search = i;
  }
  return search;
}

uint32_t Compiler::NameIndex(const std::string& name) {
  std::vector<std::string>& names = program_->names;
  const auto index = static_cast<size_t>(
      std::find(names.begin(), names.end(), name) - names.begin());
  if (index == names.size()) names.push_back(name);
  return static_cast<uint32_t>(index);
}

CompiledStep Compiler::CompileStep(const LocationStep& step) {
  CompiledStep compiled;
  compiled.axis = step.axis;
  compiled.test = step.test;
  if (step.test == NodeTest::kName) compiled.name = NameIndex(step.name);
  size_t num_positional = 0;
  for (const Expr& predicate : step.predicates) {
    CompiledExpr expr = CompileExpr(predicate);
    if (UsesPosition(expr)) {
      ++num_positional;
      if (IsPlainPosition(expr)) {
        compiled.lone_position = compiled.predicates.size();
      }
    }
    compiled.needs_size |= UsesSize(expr);
    compiled.predicates.push_back(std::move(expr));
  }
  compiled.positional = num_positional > 0;
  if (num_positional > 1) compiled.lone_position = SIZE_MAX;
  if (!compiled.positional) {
    std::stable_sort(compiled.predicates.begin(), compiled.predicates.end(),
                     [](const CompiledExpr& a, const CompiledExpr& b) {
                       return CostOf(a) < CostOf(b);
                     });
    compiled.num_cheap = static_cast<size_t>(std::count_if(
        compiled.predicates.begin(), compiled.predicates.end(),
        [](const CompiledExpr& expr) { return CostOf(expr) <= kCheap; }));
  }
  FindAnchor(&compiled);
  return compiled;
}

CompiledPath Compiler::CompilePath(const std::vector<LocationStep>& steps) {
  CompiledPath path;
  for (const LocationStep& step : steps) {
    if (step.axis == Axis::kAttribute) {
      path.end = step.test == NodeTest::kName ? End::kNamedAttribute
                                              : End::kAnyAttribute;
      if (step.test == NodeTest::kName) path.attribute = NameIndex(step.name);
      continue;
    }
    if (step.axis == Axis::kSelf && step.test == NodeTest::kAnyNode &&
        step.predicates.empty()) {
      continue;
    }
    CompiledStep compiled = CompileStep(step);
    if (!path.steps.empty() && IsGap(path.steps.back()) &&
        !compiled.positional &&
        (compiled.axis == Axis::kChild || compiled.axis == Axis::kDescendant ||
         compiled.axis == Axis::kDescendantOrSelf)) {
      if (compiled.axis == Axis::kChild) compiled.axis = Axis::kDescendant;
      path.steps.pop_back();
    }
    path.steps.push_back(std::move(compiled));
  }
  return path;
}

CompiledExpr Compiler::CompileExpr(const Expr& expr) {
  CompiledExpr compiled;
  compiled.position = expr.position;
  for (const Expr& operand : expr.operands) {
    compiled.operands.push_back(CompileExpr(operand));
  }
  switch (expr.kind) {
    case ExprKind::kPosition:
      compiled.op = expr.position == kLast ? Op::kLast : Op::kPosition;
      return compiled;
    case ExprKind::kAnd:
      compiled.op = Op::kAnd;
      return compiled;
    case ExprKind::kOr:
      compiled.op = Op::kOr;
      return compiled;
    case ExprKind::kNot:
      compiled.op = Op::kNot;
      return compiled;
    case ExprKind::kExists:
      compiled.op = Op::kExists;
      break;
    default:
      compiled.op = Op::kTest;
      compiled.test = StringTest(expr.kind, expr.literal, expr.normalize_space);
      compiled.first_only =
          expr.normalize_space ||
          (expr.kind != ExprKind::kEquals && expr.kind != ExprKind::kNotEquals);
  }
  ++num_predicate_paths_;
  compiled.path = CompilePath(expr.path);
  --num_predicate_paths_;
  if (compiled.path.steps.empty()) {
    if (compiled.path.end == End::kNode) compiled.subject = Subject::kSelf;
    if (compiled.path.end == End::kNamedAttribute) {
      compiled.subject = Subject::kAttribute;
    }
  }
  compiled.is_attribute_equality = compiled.op == Op::kTest &&
                                   compiled.subject == Subject::kAttribute &&
                                   compiled.test.is_plain_equality();
  compiled.is_nearest_text = IsNearestText(compiled);
  if (compiled.subject == Subject::kPath && num_predicate_paths_ > 0 &&
      program_->num_memos < kMaxMemos) {
    compiled.memo = program_->num_memos++;
  }
  return compiled;
}

}  // namespace

Program CompileProgram(const LocationPath& path) {
  Program program;
  program.absolute = path.absolute;
  program.position = path.position;
  program.path = Compiler(&program).CompilePath(path.steps);
  const std::vector<CompiledStep>& steps = program.path.steps;
  program.downward = path.position == kNoPosition &&
                     std::all_of(steps.begin(), steps.end(), IsDownward);
  program.search = ChooseSearch(program);
  return program;
}

}  // namespace trommel::xpath
