#ifndef TROMMEL_CORE_XPATH_EVALUATOR_INTERNAL_H_
#define TROMMEL_CORE_XPATH_EVALUATOR_INTERNAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/html/document.h"
#include "core/xpath/matcher.h"
#include "core/xpath/program_internal.h"

namespace trommel::xpath {

// Nothing on a page has this name.
inline constexpr html::NameId kAbsentName = UINT32_MAX;

// A program on one page, with the buffers that it needs. Not thread-safe.
class Evaluator {
 public:
  Evaluator(const Program& program, const html::Document& document);

  void Select(html::NodeId context, std::vector<Match>* matches);
  bool Matches(html::NodeId context, html::NodeId node);

  // --- Select() in parts ---
  // Whether it begins with a search of the whole page for the nodes of one
  // step.
  bool HasSearch() const { return program_.search != kNoSearch; }
  const CompiledStep& search_step() const {
    return program_.path.steps[program_.search];
  }
  // The name that a step asks for; kAbsentName where the page has none such.
  html::NameId NameOf(const CompiledStep& step) const {
    return names_[step.name];
  }
  // Whether a node that passes the test of the step is one of those searched.
  bool IsFound(html::NodeId id);
  // What the path selects, from the nodes that were found, in order. Takes
  // `found` as a buffer.
  void SelectFromFound(std::vector<html::NodeId>* found,
                       std::vector<Match>* matches);

 private:
  using NodeId = html::NodeId;
  using NodeList = std::vector<NodeId>;

  // Where a node stands among those that a predicate is applied to. The size
  // is 0 where no predicate asks for it.
  struct Place {
    uint32_t position = 0;
    uint32_t size = 0;
  };

  // A list from the pool, given back with the object.
  class PooledList {
   public:
    explicit PooledList(Evaluator* evaluator);
    ~PooledList() { --evaluator_->lists_in_use_; }
    PooledList(const PooledList&) = delete;
    PooledList& operator=(const PooledList&) = delete;
    NodeList* get() const { return list_; }

   private:
    Evaluator* evaluator_;
    NodeList* list_;
  };

  // Nodes and attributes.
  bool PassesTest(const CompiledStep& step, NodeId id) const;
  const html::Attribute* FindAttribute(NodeId id, uint32_t name) const;
  // Calls visit(id) for the nodes of an axis, in its order, until that returns
  // true; returns whether it did.
  template <typename Visit>
  bool VisitAxis(Axis axis, NodeId from, Visit visit) const;

  // Predicates.
  bool Holds(const CompiledExpr& expr, NodeId id, Place place);
  bool HoldsForNearestText(const CompiledStep& step, NodeId id);
  bool HoldsForPath(const CompiledExpr& expr, NodeId id);
  bool ComputeForPath(const CompiledExpr& expr, NodeId id);
  template <typename Accept>
  bool AnyEnd(const CompiledPath& path, NodeId id, Accept accept);
  template <typename Accept>
  bool AnyPath(const CompiledPath& path, NodeId from, Accept accept);
  bool HoldsForFirst(const CompiledExpr& expr, NodeId from);
  bool HoldAll(const CompiledStep& step, size_t begin, size_t end, NodeId id);

  // Steps from one node.
  template <typename Visit>
  bool VisitStep(const CompiledStep& step, NodeId from, Visit visit);
  template <typename Visit>
  bool VisitPositions(const CompiledStep& step, NodeId from, Visit visit);
  void FilterWithSize(const CompiledStep& step, NodeId from, NodeList* list);

  // Steps from a set of nodes. Lists are sorted and without duplicates.
  void Advance(const CompiledStep& step, const NodeList& from, NodeList* to);
  void AdvancePlain(const CompiledStep& step, const NodeList& from,
                    NodeList* to);
  void SelectRange(const CompiledStep& step, NodeId begin, NodeId end,
                   NodeList* to);
  void SelectSiblings(const CompiledStep& step, const NodeList& from,
                      NodeList* to);
  void SelectAncestors(const CompiledStep& step, const NodeList& from,
                       NodeList* to);
  void SortAndDeduplicate(NodeList* list);
  // Applies the steps from number `first` on to `list`.
  void Run(const std::vector<CompiledStep>& steps, size_t first,
           NodeList* list);
  void AddEnds(const NodeList& list, std::vector<Match>* matches);

  // Steps tested from below.
  bool PassesStep(const CompiledStep& step, NodeId id);
  bool PassesPosition(const CompiledStep& step, NodeId id);
  bool Reaches(NodeId context, size_t num_steps, NodeId id);

  const Program& program_;
  const html::Document& document_;
  const html::Node* nodes_;
  NodeId num_nodes_;
  std::vector<html::NameId> names_;  // of Program::names
  StringTest::Scratch scratch_;
  // By CompiledExpr::memo and node; a table is empty until it is needed.
  enum class Answer : uint8_t { kUnknown, kNo, kYes };
  std::vector<std::vector<Answer>> memos_;
  std::vector<std::unique_ptr<NodeList>> lists_;
  size_t lists_in_use_ = 0;
  std::vector<uint64_t> bitmap_;
};

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_EVALUATOR_INTERNAL_H_
