#ifndef TROMMEL_CORE_XPATH_VISIT_INTERNAL_H_
#define TROMMEL_CORE_XPATH_VISIT_INTERNAL_H_

// The Evaluator's walks from one node, as templates: along an axis, by a step
// with its predicates, along a path.

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "core/xpath/evaluator_internal.h"

namespace trommel::xpath {

inline bool Evaluator::PassesTest(const CompiledStep& step, NodeId id) const {
  switch (step.test) {
    case NodeTest::kName:
      return nodes_[id].name == names_[step.name];  // only elements have one
    case NodeTest::kAnyElement:
      return nodes_[id].kind == html::NodeKind::kElement;
    case NodeTest::kAnyNode:
      return true;
    case NodeTest::kText:
      return nodes_[id].kind == html::NodeKind::kText;
  }
  return false;
}

inline const html::Attribute* Evaluator::FindAttribute(NodeId id,
                                                       uint32_t name) const {
  for (const html::Attribute& attribute : document_.Attributes(id)) {
    if (attribute.name == names_[name]) return &attribute;
  }
  return nullptr;
}

template <typename Visit>
bool Evaluator::VisitAxis(Axis axis, NodeId from, Visit visit) const {
  const html::Node& node = nodes_[from];
  switch (axis) {
    case Axis::kChild:
      for (NodeId id = from + 1; id < node.subtree_end;
           id = nodes_[id].subtree_end) {
        if (visit(id)) return true;
      }
      return false;
    case Axis::kDescendantOrSelf:
      if (visit(from)) return true;
      [[fallthrough]];
    case Axis::kDescendant:
      for (NodeId id = from + 1; id < node.subtree_end; ++id) {
        if (visit(id)) return true;
      }
      return false;
    case Axis::kSelf:
      return visit(from);
    case Axis::kParent:
      return node.parent != html::kNoNode && visit(node.parent);
    case Axis::kAncestor:
      for (NodeId id = node.parent; id != html::kNoNode;
           id = nodes_[id].parent) {
        if (visit(id)) return true;
      }
      return false;
    case Axis::kPrecedingSibling:
      for (NodeId id = node.previous_sibling; id != html::kNoNode;
           id = nodes_[id].previous_sibling) {
        if (visit(id)) return true;
      }
      return false;
    case Axis::kFollowingSibling: {
      if (node.parent == html::kNoNode) return false;
      const NodeId end = nodes_[node.parent].subtree_end;
      for (NodeId id = node.subtree_end; id < end;
           id = nodes_[id].subtree_end) {
        if (visit(id)) return true;
      }
      return false;
    }
    case Axis::kPreceding: {
      NodeId ancestor = node.parent;
      for (NodeId id = from; id-- > 0;) {
        if (id == ancestor) {
          ancestor = nodes_[id].parent;
        } else if (visit(id)) {
          return true;
        }
      }
      return false;
    }
    case Axis::kFollowing:
      for (NodeId id = node.subtree_end; id < num_nodes_; ++id) {
        if (visit(id)) return true;
      }
      return false;
    case Axis::kAttribute:
      return false;  // not a step of compiled paths
  }
  return false;
}

inline bool Evaluator::HoldAll(const CompiledStep& step, size_t begin,
                               size_t end, NodeId id) {
  for (size_t i = begin; i < end; ++i) {
    const CompiledExpr& predicate = step.predicates[i];
    // What scans of whole pages ask most.
    if (predicate.is_attribute_equality) {
      const html::Attribute* const attribute =
          FindAttribute(id, predicate.path.attribute);
      if (attribute == nullptr ||
          document_.Value(*attribute) != predicate.test.literal()) {
        return false;
      }
      continue;
    }
    if (!Holds(predicate, id, Place{})) return false;
  }
  return true;
}

template <typename Visit>
bool Evaluator::VisitStep(const CompiledStep& step, NodeId from, Visit visit) {
  if (step.needs_size) {
    const PooledList list(this);
    FilterWithSize(step, from, list.get());
    return std::any_of(list.get()->begin(), list.get()->end(), visit);
  }
  if (step.positional) return VisitPositions(step, from, visit);
  return VisitAxis(step.axis, from, [&](NodeId id) {
    return PassesTest(step, id) &&
           HoldAll(step, 0, step.predicates.size(), id) && visit(id);
  });
}

// Positions without last(): one count per predicate, of the nodes that have
// come to it.
template <typename Visit>
bool Evaluator::VisitPositions(const CompiledStep& step, NodeId from,
                               Visit visit) {
  absl::InlinedVector<uint32_t, 8> counts(step.predicates.size(), 0);
  bool stopped = false;
  VisitAxis(step.axis, from, [&](NodeId id) {
    if (!PassesTest(step, id)) return false;
    bool is_final = false;
    for (size_t i = 0; i < counts.size(); ++i) {
      const CompiledExpr& predicate = step.predicates[i];
      if (!Holds(predicate, id, Place{++counts[i], 0})) return is_final;
      // No other node has this position.
      is_final |= predicate.op == CompiledExpr::Op::kPosition;
    }
    stopped = visit(id);
    return stopped || is_final;
  });
  return stopped;
}

// Calls accept(id, attribute) for the node, or for those of its attributes
// that the path ends in, until that returns true.
template <typename Accept>
bool Evaluator::AnyEnd(const CompiledPath& path, NodeId id, Accept accept) {
  switch (path.end) {
    case CompiledPath::End::kNode:
      return accept(id, static_cast<const html::Attribute*>(nullptr));
    case CompiledPath::End::kNamedAttribute: {
      const html::Attribute* const attribute =
          FindAttribute(id, path.attribute);
      return attribute != nullptr && accept(id, attribute);
    }
    case CompiledPath::End::kAnyAttribute:
      for (const html::Attribute& attribute : document_.Attributes(id)) {
        if (accept(id, &attribute)) return true;
      }
      return false;
  }
  return false;
}

// The same for all that the path leads to. Paths of one step come in the order
// of its axis, others in document order.
template <typename Accept>
bool Evaluator::AnyPath(const CompiledPath& path, NodeId from, Accept accept) {
  if (path.steps.empty()) return AnyEnd(path, from, accept);
  if (path.steps.size() == 1) {
    return VisitStep(path.steps[0], from,
                     [&](NodeId id) { return AnyEnd(path, id, accept); });
  }
  const PooledList list(this);
  list.get()->push_back(from);
  Run(path.steps, 0, list.get());
  return std::any_of(list.get()->begin(), list.get()->end(),
                     [&](NodeId id) { return AnyEnd(path, id, accept); });
}

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_VISIT_INTERNAL_H_
