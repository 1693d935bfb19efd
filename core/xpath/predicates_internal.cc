#include "core/xpath/evaluator_internal.h"
#include "core/xpath/visit_internal.h"

// A predicate looks at one node. Paths in predicates of one step are followed
// without building a set, and end with the first node that decides; those of
// several steps are run like those of the whole path (evaluator_internal.cc),
// from a set of one. Recursion follows the nesting of the expression, which is
// bounded, and never the page.
//
// In div[.//p[.//b[@c]]] the innermost question is asked about a node once for
// every way that leads to it, and with each level of nesting the ways multiply.
// The answer is always the same, so paths inside paths keep theirs in a table
// by node; an expression then costs at most its size times the square of the
// page's.

namespace trommel::xpath {
namespace {

using html::Attribute;
using html::kNoNode;

using Op = CompiledExpr::Op;
using Subject = CompiledExpr::Subject;

// The first node along the axis is also the first in document order.
bool IsForward(Axis axis) {
  return axis != Axis::kAncestor && axis != Axis::kPreceding &&
         axis != Axis::kPrecedingSibling;
}

}  // namespace

bool Evaluator::Holds(const CompiledExpr& expr, NodeId id, Place place) {
  switch (expr.op) {
    case Op::kPosition:
      return place.position == expr.position;
    case Op::kLast:
      return place.position == place.size;
    case Op::kAnd:
      for (const CompiledExpr& operand : expr.operands) {
        if (!Holds(operand, id, place)) return false;
      }
      return true;
    case Op::kOr:
      for (const CompiledExpr& operand : expr.operands) {
        if (Holds(operand, id, place)) return true;
      }
      return false;
    case Op::kNot:
      return !Holds(expr.operands[0], id, place);
    case Op::kExists:
    case Op::kTest:
      break;
  }
  switch (expr.subject) {
    case Subject::kSelf:
      return expr.op == Op::kExists ||
             expr.test.HoldsFor(document_, id, &scratch_);
    case Subject::kAttribute: {
      const Attribute* const attribute = FindAttribute(id, expr.path.attribute);
      if (attribute == nullptr) {
        return expr.first_only && expr.test.Holds("", &scratch_);
      }
      return expr.op == Op::kExists ||
             expr.test.Holds(document_.Value(*attribute), &scratch_);
    }
    case Subject::kPath:
      return expr.is_nearest_text ? HoldsForNearestText(expr.path.steps[0], id)
                                  : HoldsForPath(expr, id);
  }
  return false;
}

// The anchors of learnt rules: most text on a page is asked for the text before
// it or after it, which is a step or two away. Text is nobody's ancestor, so
// all text before a node precedes it.
bool Evaluator::HoldsForNearestText(const CompiledStep& step, NodeId id) {
  const auto is_text = [this](NodeId node) {
    return nodes_[node].kind == html::NodeKind::kText;
  };
  NodeId text = kNoNode;
  if (step.axis == Axis::kPreceding) {
    for (text = id; text > 0 && !is_text(--text);) {
    }
    if (text == 0) return false;  // the document
  } else {
    text = nodes_[id].subtree_end;
    while (text < num_nodes_ && !is_text(text)) ++text;
    if (text == num_nodes_) return false;
  }
  return HoldAll(step, 1, step.predicates.size(), text);
}

bool Evaluator::HoldsForPath(const CompiledExpr& expr, NodeId id) {
  if (expr.memo == kNoMemo) return ComputeForPath(expr, id);
  std::vector<Answer>& answers = memos_[expr.memo];
  if (answers.empty()) answers.resize(num_nodes_, Answer::kUnknown);
  if (answers[id] == Answer::kUnknown) {
    answers[id] = ComputeForPath(expr, id) ? Answer::kYes : Answer::kNo;
  }
  return answers[id] == Answer::kYes;
}

bool Evaluator::ComputeForPath(const CompiledExpr& expr, NodeId id) {
  if (expr.op == Op::kExists) {
    return AnyPath(expr.path, id,
                   [](NodeId, const Attribute*) { return true; });
  }
  if (expr.first_only) return HoldsForFirst(expr, id);
  return AnyPath(expr.path, id, [&](NodeId end, const Attribute* attribute) {
    return attribute == nullptr
               ? expr.test.HoldsFor(document_, end, &scratch_)
               : expr.test.Holds(document_.Value(*attribute), &scratch_);
  });
}

bool Evaluator::HoldsForFirst(const CompiledExpr& expr, NodeId from) {
  const bool backward =
      expr.path.steps.size() == 1 && !IsForward(expr.path.steps[0].axis);
  NodeId first = kNoNode;
  const Attribute* first_attribute = nullptr;
  AnyPath(expr.path, from, [&](NodeId end, const Attribute* attribute) {
    // Attributes of one node come in order whatever the axis.
    if (end != first) {
      first = end;
      first_attribute = attribute;
    }
    return !backward;
  });
  if (first == kNoNode) return expr.test.Holds("", &scratch_);
  return first_attribute == nullptr
             ? expr.test.HoldsFor(document_, first, &scratch_)
             : expr.test.Holds(document_.Value(*first_attribute), &scratch_);
}

// With last(): each predicate sees the whole list that the ones before it
// leave.
void Evaluator::FilterWithSize(const CompiledStep& step, NodeId from,
                               NodeList* list) {
  VisitAxis(step.axis, from, [&](NodeId id) {
    if (PassesTest(step, id)) list->push_back(id);
    return false;
  });
  for (const CompiledExpr& predicate : step.predicates) {
    Place place{0, static_cast<uint32_t>(list->size())};
    size_t kept = 0;
    for (size_t i = 0; i < list->size(); ++i) {
      ++place.position;
      const NodeId id = (*list)[i];
      if (Holds(predicate, id, place)) (*list)[kept++] = id;
    }
    list->resize(kept);
  }
}

}  // namespace trommel::xpath
