#include "core/xpath/evaluator_internal.h"

#include <algorithm>

#include "core/xpath/visit_internal.h"

// A path is run step by step on sets of nodes (Gottlob, Koch and Pichler,
// "Efficient Algorithms for Processing XPath Queries", VLDB 2002, is where the
// idea of never following one node along two ways comes from). A set is a
// sorted list of ids without duplicates; since ids are in document order and a
// subtree is a range of ids, most axes need little more than that order:
//
//   descendant   overlapping subtrees are one range
//   following    all that comes after the first end of a subtree
//   preceding    all before the last node that is not its ancestor: what
//                precedes an earlier node of the set precedes the last one too
//   siblings     those of the first (or last) node of the set below a parent
//   ancestor     up, until an ancestor of the node before it in the set
//
// So a step without positions looks at every node at most once, and costs
// O(nodes of the page) and the predicates; a path costs O(steps x nodes), or
// much less where its sets are small. Positions are counted from one node of
// the set at a time, along the axis: children stay linear in all, the far axes
// can become quadratic. [n] stops the axis at the n-th node, so that
// preceding::text()[1] looks at the few nodes in between only.

namespace trommel::xpath {

using html::Attribute;
using html::kNoNode;
using html::NameId;

Evaluator::PooledList::PooledList(Evaluator* evaluator)
    : evaluator_(evaluator) {
  if (evaluator->lists_in_use_ == evaluator->lists_.size()) {
    evaluator->lists_.push_back(std::make_unique<NodeList>());
  }
  list_ = evaluator->lists_[evaluator->lists_in_use_++].get();
  list_->clear();
}

Evaluator::Evaluator(const Program& program, const html::Document& document)
    : program_(program),
      document_(document),
      nodes_(document.nodes().data()),
      num_nodes_(static_cast<NodeId>(document.num_nodes())),
      memos_(program.num_memos) {
  names_.reserve(program.names.size());
  for (const std::string& name : program.names) {
    const NameId id = document.FindName(name);
    names_.push_back(id == html::names::kNone ? kAbsentName : id);
  }
}

void Evaluator::SelectRange(const CompiledStep& step, NodeId begin, NodeId end,
                            NodeList* to) {
  const size_t num_predicates = step.predicates.size();
  for (NodeId id = begin; id < end; ++id) {
    if (PassesTest(step, id) && HoldAll(step, 0, num_predicates, id)) {
      to->push_back(id);
    }
  }
}

void Evaluator::SelectSiblings(const CompiledStep& step, const NodeList& from,
                               NodeList* to) {
  const bool preceding = step.axis == Axis::kPrecedingSibling;
  const PooledList pooled(this);
  NodeList& order = *pooled.get();
  order = from;
  std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
    if (nodes_[a].parent != nodes_[b].parent) {
      return nodes_[a].parent < nodes_[b].parent;
    }
    return preceding ? a > b : a < b;
  });
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && nodes_[order[i]].parent == nodes_[order[i - 1]].parent) {
      continue;
    }
    VisitStep(step, order[i], [&](NodeId id) {
      to->push_back(id);
      return false;
    });
  }
}

void Evaluator::SelectAncestors(const CompiledStep& step, const NodeList& from,
                                NodeList* to) {
  NodeId before = 0;
  for (const NodeId node : from) {
    for (NodeId id = nodes_[node].parent; id != kNoNode && id >= before;
         id = nodes_[id].parent) {
      if (PassesTest(step, id) &&
          HoldAll(step, 0, step.predicates.size(), id)) {
        to->push_back(id);
      }
    }
    before = node;
  }
}

void Evaluator::AdvancePlain(const CompiledStep& step, const NodeList& from,
                             NodeList* to) {
  switch (step.axis) {
    case Axis::kDescendant:
    case Axis::kDescendantOrSelf: {
      NodeId done = 0;
      for (const NodeId node : from) {
        const NodeId begin = step.axis == Axis::kDescendant ? node + 1 : node;
        const NodeId end = nodes_[node].subtree_end;
        SelectRange(step, std::max(begin, done), end, to);
        done = std::max(done, end);
      }
      return;
    }
    case Axis::kFollowing: {
      NodeId begin = num_nodes_;
      for (const NodeId node : from) {
        begin = std::min(begin, nodes_[node].subtree_end);
      }
      SelectRange(step, begin, num_nodes_, to);
      return;
    }
    case Axis::kAncestor:
      SelectAncestors(step, from, to);
      return;
    case Axis::kPrecedingSibling:
    case Axis::kFollowingSibling:
      SelectSiblings(step, from, to);
      return;
    default:
      break;
  }
  const size_t first = step.axis == Axis::kPreceding ? from.size() - 1 : 0;
  for (size_t i = first; i < from.size(); ++i) {
    VisitStep(step, from[i], [&](NodeId id) {
      to->push_back(id);
      return false;
    });
  }
}

void Evaluator::Advance(const CompiledStep& step, const NodeList& from,
                        NodeList* to) {
  if (from.empty()) return;
  if (!step.positional) {
    AdvancePlain(step, from, to);
  } else {
    for (const NodeId node : from) {
      VisitStep(step, node, [&](NodeId id) {
        to->push_back(id);
        return false;
      });
    }
  }
  SortAndDeduplicate(to);
}

void Evaluator::SortAndDeduplicate(NodeList* list) {
  const auto out_of_order = std::adjacent_find(
      list->begin(), list->end(), [](NodeId a, NodeId b) { return a >= b; });
  if (out_of_order == list->end()) return;
  if (list->size() < num_nodes_ / 16) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
    return;
  }
  // Of many nodes, sorting in linear time is to tick them off.
  bitmap_.assign(num_nodes_ / 64 + 1, 0);
  for (const NodeId id : *list) bitmap_[id / 64] |= uint64_t{1} << (id % 64);
  list->clear();
  for (size_t word = 0; word < bitmap_.size(); ++word) {
    for (uint64_t bits = bitmap_[word]; bits != 0; bits &= bits - 1) {
      list->push_back(static_cast<NodeId>(
          word * 64 + static_cast<size_t>(__builtin_ctzll(bits))));
    }
  }
}

void Evaluator::Run(const std::vector<CompiledStep>& steps, size_t first,
                    NodeList* list) {
  const PooledList next(this);
  for (size_t i = first; i < steps.size(); ++i) {
    next.get()->clear();
    Advance(steps[i], *list, next.get());
    list->swap(*next.get());
  }
}

bool Evaluator::IsFound(NodeId id) {
  const CompiledStep& step = search_step();
  const size_t num_cheap = step.num_cheap;
  if (!HoldAll(step, 0, num_cheap, id)) return false;
  // The steps before lead to its parent, or to any ancestor.
  return (program_.search == 0 || Reaches(0, program_.search + 1, id)) &&
         HoldAll(step, num_cheap, step.predicates.size(), id);
}

void Evaluator::SelectFromFound(std::vector<NodeId>* found,
                                std::vector<Match>* matches) {
  Run(program_.path.steps, program_.search + 1, found);
  AddEnds(*found, matches);
}

void Evaluator::Select(NodeId context, std::vector<Match>* matches) {
  const PooledList list(this);
  if (HasSearch()) {
    const CompiledStep& step = search_step();
    for (NodeId id = 1; id < num_nodes_; ++id) {
      if (PassesTest(step, id) && IsFound(id)) list.get()->push_back(id);
    }
    SelectFromFound(list.get(), matches);
    return;
  }
  list.get()->push_back(program_.absolute ? 0 : context);
  Run(program_.path.steps, 0, list.get());
  AddEnds(*list.get(), matches);
}

void Evaluator::AddEnds(const NodeList& list, std::vector<Match>* matches) {
  matches->clear();
  for (const NodeId id : list) {
    AnyEnd(program_.path, id, [&](NodeId node, const Attribute* attribute) {
      Match& match = matches->emplace_back();
      match.node = node;
      if (attribute != nullptr) {
        match.attribute = static_cast<uint32_t>(
            attribute - document_.Attributes(node).data());
        match.value = document_.Value(*attribute);
      }
      return false;
    });
  }
  if (program_.position == kNoPosition) return;
  const size_t index =
      program_.position == kLast ? matches->size() - 1 : program_.position - 1;
  if (index < matches->size()) {
    matches->front() = (*matches)[index];
    matches->resize(1);
  } else {
    matches->clear();
  }
}

}  // namespace trommel::xpath
