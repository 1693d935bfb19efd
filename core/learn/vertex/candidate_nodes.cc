#include "core/learn/vertex/candidate_nodes.h"

#include <algorithm>
#include <set>

#include "core/annotation/page_text.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/html/text.h"

// Which nodes are examples, which are counterexamples, and which are neither.
//
// On annotated pages the annotated nodes are positive and all others negative,
// except those that say the same as a positive one: whoever finds these does no
// harm. So what stands beside the values of a repeated attribute and was not
// annotated is negative too, since an editor gives all of its values.
//
// Cost: a bit and a hash for each node of the sample.

namespace trommel::learn::vertex {

using html::Document;
using html::kNoNode;
using html::NodeId;
using html::NodeKind;
using Fit = annotation::ValuePlace::Fit;
namespace names = html::names;

namespace {

// Text that readers see, and the title.
bool IsInHidden(const Document& document, NodeId id) {
  for (NodeId a = document.node(id).parent; a != kNoNode && a != 0;
       a = document.node(a).parent) {
    const html::NameId name = document.node(a).name;
    if (name != names::k_head && html::IsHiddenElement(name)) return true;
  }
  return false;
}

}  // namespace

std::string TextOf(const Document& document, NodeId node) {
  return document.IsText(node) ? html::NormalizedText(document, node)
                               : html::VisibleText(document, node);
}

CandidateNodes::CandidateNodes(const AttributeTask& task, std::string* reason)
    : task_(task) {
  if (!ChooseTarget(reason)) {
    examples_.clear();
    return;
  }
  Collect();
  MarkPositive();
  MarkNegative();
}

// One kind of node for all values.
bool CandidateNodes::ChooseTarget(std::string* reason) {
  bool has_element = false;
  std::set<std::string> attribute_names;
  size_t num_attributes = 0;
  for (const annotation::PlacedValue& value : task_.values) {
    if (value.place.fit == Fit::kAttribute) {
      ++num_attributes;
      attribute_names.insert(
          std::string(document(value.page).NameOf(value.place.attribute)));
    } else if (!document(value.page).IsText(value.place.node)) {
      has_element = true;
    }
  }
  if (num_attributes > 0 &&
      (num_attributes < task_.values.size() || attribute_names.size() > 1)) {
    *reason =
        "some values are texts and others attributes of elements, or of "
        "different ones; give XPaths in the annotations";
    return false;
  }
  if (num_attributes > 0) {
    target_.kind = Target::Kind::kAttribute;
    target_.attribute = *attribute_names.begin();
  } else {
    target_.kind = has_element ? Target::Kind::kElement : Target::Kind::kText;
  }
  for (const annotation::PlacedValue& value : task_.values) {
    Example& example = examples_.emplace_back();
    example.where = {value.page, NodeOf(value)};
    if (target_.kind != Target::Kind::kAttribute &&
        !IsWhole(value, example.where.node)) {
      example.value = NormalizeSpace(value.value);
    }
  }
  return true;
}

// The value's node, of the target's kind.
NodeId CandidateNodes::NodeOf(const annotation::PlacedValue& value) const {
  const NodeId node = value.place.node;
  return target_.kind == Target::Kind::kElement &&
                 document(value.page).IsText(node)
             ? document(value.page).node(node).parent
             : node;
}

bool CandidateNodes::IsWhole(const annotation::PlacedValue& value,
                             NodeId node) const {
  return annotation::WithoutSpace(TextOf(document(value.page), node)) ==
         annotation::WithoutSpace(value.value);
}

bool CandidateNodes::IsCandidate(const Document& page_document,
                                 NodeId id) const {
  const NodeKind kind = page_document.node(id).kind;
  switch (target_.kind) {
    case Target::Kind::kText:
      return kind == NodeKind::kText && !IsInHidden(page_document, id);
    case Target::Kind::kElement:
      return kind == NodeKind::kElement && !IsInHidden(page_document, id);
    case Target::Kind::kAttribute:
      return kind == NodeKind::kElement &&
             page_document.Value(id, page_document.FindName(target_.attribute))
                     .data() != nullptr;
  }
  return false;
}

// A number for what a candidate says.
uint64_t CandidateNodes::SaidBy(const PageNode& where) const {
  const Document& page_document = document(where.page);
  if (target_.kind == Target::Kind::kAttribute) {
    return Hash64(page_document.Value(
        where.node, page_document.FindName(target_.attribute)));
  }
  if (target_.kind == Target::Kind::kText) {
    return Hash64(NormalizeSpace(page_document.Text(where.node)));
  }
  // Elements are many and nested; telling them apart costs more than it is
  // worth.
  return Mix64((uint64_t{where.page} << 32) + where.node);
}

void CandidateNodes::Collect() {
  const std::vector<PageFacts>& pages = *task_.pages;
  std::vector<bool> is_annotated(pages.size());
  for (const annotation::PlacedValue& value : task_.values) {
    is_annotated[value.page] = true;
  }
  for (const size_t page : task_.absent_pages) is_annotated[page] = true;
  for (size_t page = 0; page < pages.size(); ++page) {
    const size_t begin = nodes_.size();
    const Document& page_document = document(page);
    for (NodeId id = 1; id < page_document.num_nodes(); ++id) {
      if (!IsCandidate(page_document, id)) continue;
      numbers_[{page, id}] = nodes_.size();
      nodes_.push_back({page, id});
    }
    candidates_.pages.push_back({begin, nodes_.size(), is_annotated[page]});
  }
  candidates_.is_repeated = task_.attribute->repeated();
  candidates_.text.resize(nodes_.size());
  candidates_.positive = Bits(nodes_.size());
  candidates_.negative = Bits(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    candidates_.text[i] = SaidBy(nodes_[i]);
  }
}

void CandidateNodes::MarkPositive() {
  std::map<size_t, size_t> per_page;
  std::vector<Example> kept;
  for (const Example& example : examples_) {
    const auto number = numbers_.find({example.where.page, example.where.node});
    if (number == numbers_.end()) continue;  // in a script
    candidates_.positive.Set(number->second);
    ++per_page[example.where.page];
    kept.push_back(example);
  }
  examples_ = std::move(kept);
  if (candidates_.is_repeated) {
    size_t most = 0;
    for (const auto& [page, count] : per_page) most = std::max(most, count);
    candidates_.max_per_page = 5 * most + 10;
  }
}

void CandidateNodes::MarkNegative() {
  for (const Candidates::Page& page : candidates_.pages) {
    if (!page.is_annotated) continue;
    std::set<uint64_t> said;
    candidates_.positive.ForEach(page.begin, page.end, [&](size_t i) {
      said.insert(candidates_.text[i]);
      return true;
    });
    for (size_t i = page.begin; i < page.end; ++i) {
      if (!candidates_.positive.Get(i) &&
          said.count(candidates_.text[i]) == 0) {
        candidates_.negative.Set(i);
      }
    }
  }
  for (const annotation::PlacedValue& value : task_.neutral) {
    const auto number = numbers_.find({value.page, NodeOf(value)});
    if (number != numbers_.end()) candidates_.negative.Clear(number->second);
  }
  for (const annotation::PlacedValue& value : task_.negatives) {
    const auto number = numbers_.find({value.page, NodeOf(value)});
    if (number != numbers_.end() && !candidates_.positive.Get(number->second)) {
      candidates_.negative.Set(number->second);
    }
  }
}

}  // namespace trommel::learn::vertex
