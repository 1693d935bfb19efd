#ifndef TROMMEL_CORE_LEARN_VERTEX_CANDIDATE_NODES_H_
#define TROMMEL_CORE_LEARN_VERTEX_CANDIDATE_NODES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/annotation/placed_values.h"
#include "core/learn/vertex/attribute_task.h"
#include "core/learn/vertex/features.h"
#include "core/learn/vertex/search.h"

namespace trommel::learn::vertex {

// The text that a node gives: its own, or what readers see of an element.
std::string TextOf(const html::Document& document, html::NodeId node);

// All nodes of a sample that could say an attribute's values, and which of them
// do: texts where all annotated values are texts of their own or parts of one,
// elements where one goes over several texts, elements with the attribute where
// they are values of attributes.
class CandidateNodes {
 public:
  // Keeps a reference to the task. Where values are of kinds that have nothing
  // in common there are no examples, and `reason` says so.
  CandidateNodes(const AttributeTask& task, std::string* reason);

  const Target& target() const { return target_; }
  // The annotated nodes; not those in scripts.
  const std::vector<Example>& examples() const { return examples_; }
  const std::vector<PageNode>& nodes() const { return nodes_; }
  const Candidates& candidates() const { return candidates_; }

 private:
  const html::Document& document(size_t page) const {
    return (*task_.pages)[page].document();
  }
  bool ChooseTarget(std::string* reason);
  html::NodeId NodeOf(const annotation::PlacedValue& value) const;
  bool IsWhole(const annotation::PlacedValue& value, html::NodeId node) const;
  bool IsCandidate(const html::Document& page_document, html::NodeId id) const;
  uint64_t SaidBy(const PageNode& where) const;
  void Collect();
  void MarkPositive();
  void MarkNegative();

  const AttributeTask& task_;
  Target target_;
  std::vector<Example> examples_;
  std::vector<PageNode> nodes_;
  std::map<std::pair<size_t, html::NodeId>, size_t> numbers_;
  Candidates candidates_;
};

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_CANDIDATE_NODES_H_
