#include <algorithm>

#include "core/xpath/evaluator_internal.h"
#include "core/xpath/visit_internal.h"

// Paths that lead down can be tested from below: node, parent, grandparent.
// Between the parts that "//" separates, the lowest place where a part fits is
// as good as any, as in matching file names with "*": it leaves the most
// ancestors to the parts before it. So one look back suffices, and the test
// costs O(depth x steps) at the worst. It needs that a step accepts a node
// whatever node it came from, true of positions among children and of no
// others.

namespace trommel::xpath {
namespace {

using html::Attribute;
using html::kNoNode;

using Op = CompiledExpr::Op;

}  // namespace

bool Evaluator::PassesPosition(const CompiledStep& step, NodeId id) {
  const size_t lone = step.lone_position;
  const size_t num_predicates = step.predicates.size();
  if (lone == SIZE_MAX) {
    bool selected = false;
    VisitStep(step, nodes_[id].parent, [&](NodeId child) {
      selected = child == id;
      return child >= id;
    });
    return selected;
  }
  if (!HoldAll(step, 0, lone, id) ||
      !HoldAll(step, lone + 1, num_predicates, id)) {
    return false;
  }
  const auto counts = [&](NodeId sibling) {
    return PassesTest(step, sibling) && HoldAll(step, 0, lone, sibling);
  };
  if (step.predicates[lone].op == Op::kLast) {
    return !VisitAxis(Axis::kFollowingSibling, id, counts);
  }
  const Position position = step.predicates[lone].position;
  Position count = 1;
  VisitAxis(Axis::kPrecedingSibling, id, [&](NodeId sibling) {
    count += counts(sibling) ? 1 : 0;
    return count > position;
  });
  return count == position;
}

bool Evaluator::PassesStep(const CompiledStep& step, NodeId id) {
  if (!PassesTest(step, id)) return false;
  if (!step.positional) return HoldAll(step, 0, step.predicates.size(), id);
  return nodes_[id].parent != kNoNode && PassesPosition(step, id);
}

// Whether the first `num_steps` steps lead from `context` to `id`, of which it
// is known that it passes the last of them.
bool Evaluator::Reaches(NodeId context, size_t num_steps, NodeId id) {
  const std::vector<CompiledStep>& steps = program_.path.steps;
  constexpr size_t kNone = SIZE_MAX;
  // Where to go on if a part does not fit: one node further up.
  size_t retry_step = kNone;
  NodeId retry_node = kNoNode;
  size_t i = num_steps - 1;
  bool passes = true;
  while (true) {
    if (passes) {
      const Axis axis = steps[i].axis;
      const NodeId parent = nodes_[id].parent;
      if (i == 0) {
        if (axis == Axis::kChild
                ? parent == context
                : document_.IsAncestor(context, id) ||
                      (axis == Axis::kDescendantOrSelf && id == context)) {
          return true;
        }
        passes = false;
      } else {
        --i;
        if (axis != Axis::kDescendantOrSelf) id = parent;
        if (axis != Axis::kChild) {
          retry_step = i;
          retry_node = id;
        }
        passes = id != kNoNode && PassesStep(steps[i], id);
      }
      continue;
    }
    if (retry_step == kNone || retry_node == kNoNode) return false;
    i = retry_step;
    id = retry_node = nodes_[retry_node].parent;
    passes = id != kNoNode && PassesStep(steps[i], id);
  }
}

bool Evaluator::Matches(NodeId context, NodeId node) {
  if (program_.absolute) context = 0;
  if (!program_.downward) {
    std::vector<Match> matches;
    Select(context, &matches);
    return std::any_of(matches.begin(), matches.end(),
                       [&](const Match& match) { return match.node == node; });
  }
  if (!AnyEnd(program_.path, node,
              [](NodeId, const Attribute*) { return true; })) {
    return false;
  }
  const std::vector<CompiledStep>& steps = program_.path.steps;
  if (steps.empty()) return node == context;
  return PassesStep(steps.back(), node) && Reaches(context, steps.size(), node);
}

}  // namespace trommel::xpath
