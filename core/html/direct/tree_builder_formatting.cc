// 13.2.4.3, the list of active formatting elements, and of 13.2.6.4.7 the
// elements <a>, <b>, <font> and the like.
//
// The adoption agency algorithm mends <b><p></b></p>: it moves the "furthest
// block" that is open inside the formatting element. Here the page is given up
// then; without such a block the algorithm only closes elements.

#include <algorithm>

#include "core/html/direct/tree_builder.h"

namespace trommel::html::direct {

using namespace names;  // NOLINT: the whole file is about names

// "Reconstruct the active formatting elements": those behind the last one that
// is open, or behind the last marker, are opened again.
void TreeBuilder::ReconstructAll() {
  size_t first = formatting_.size();
  while (first > 0 && !formatting_[first - 1].open) --first;
  for (size_t i = first; i < formatting_.size(); ++i) {
    Formatting& entry = formatting_[i];
    InsertImplied(entry.name);
    if (reason_ != GiveUp::kNone) return;
    writer_->CopyAttributes(entry.id);
    entry.id = current().id;
    entry.open = true;
  }
}

void TreeBuilder::PushMarker() {
  formatting_.push_back({kNoNode, kNone, true});
  if (formatting_.size() >= max_formatting_) Stop(GiveUp::kFormatting);
}

void TreeBuilder::ClearToMarker() {
  while (!formatting_.empty()) {
    const bool is_marker = formatting_.back().id == kNoNode;
    formatting_.pop_back();
    if (is_marker) return;
  }
}

void TreeBuilder::MarkClosed(NodeId id) {
  for (size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].id != id) continue;
    formatting_[i].open = false;
    return;
  }
}

// The same attributes in any order. lexbor tells an attribute without a value
// from one with an empty value, which the document does not: `uncertain` then.
bool TreeBuilder::SameFormatting(NodeId a, NodeId b, bool* uncertain) const {
  const absl::Span<const Attribute> left = writer_->AttributesOf(a);
  const absl::Span<const Attribute> right = writer_->AttributesOf(b);
  if (left.size() != right.size()) return false;
  bool empty = false;
  for (const Attribute& attribute : left) {
    const bool found =
        std::any_of(right.begin(), right.end(), [&](const Attribute& other) {
          return other.name == attribute.name &&
                 writer_->ValueOf(other) == writer_->ValueOf(attribute);
        });
    if (!found) return false;
    empty |= attribute.value_size == 0;
  }
  *uncertain |= empty;
  return true;
}

// "Push onto the list of active formatting elements" the current node. Of the
// same element three times, the earliest goes (the "Noah's Ark clause").
void TreeBuilder::PushFormatting() {
  if (reason_ != GiveUp::kNone) return;
  const NodeId id = current().id;
  const NameId name = current().name;
  size_t count = 0;
  size_t earliest = 0;
  bool uncertain = false;
  for (size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].id == kNoNode) break;
    if (formatting_[i].name != name) continue;
    if (!SameFormatting(formatting_[i].id, id, &uncertain)) continue;
    ++count;
    earliest = i;
  }
  if (count >= 3) {
    if (uncertain) return Stop(GiveUp::kFormattingEquality);
    formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(earliest));
  }
  formatting_.push_back({id, name, true});
  if (formatting_.size() >= max_formatting_) Stop(GiveUp::kFormatting);
}

// The adoption agency algorithm. True if it has nothing to do with the tag,
// which is then an end tag like any other.
bool TreeBuilder::AdoptionAgency(NameId name) {
  const std::vector<OpenElement>& open = writer_->open();
  size_t entry = formatting_.size();
  if (CurrentIs(name) &&
      std::none_of(formatting_.begin(), formatting_.end(),
                   [&](const Formatting& f) { return f.id == current().id; })) {
    Pop();
    return false;
  }
  do {
    if (entry == 0 || formatting_[entry - 1].id == kNoNode) return true;
    --entry;
  } while (formatting_[entry].name != name);
  const NodeId id = formatting_[entry].id;
  const auto forget = [&] {
    formatting_.erase(formatting_.begin() + static_cast<ptrdiff_t>(entry));
  };
  if (!formatting_[entry].open) {
    forget();
    return false;
  }
  bool in_scope = true;
  bool has_block = false;
  size_t at = open.size();
  while (open[--at].id != id) {
    in_scope &= (open[at].properties & kScope) == 0;
    has_block |= (open[at].properties & kSpecial) != 0;
  }
  if (!in_scope) return false;
  if (has_block) {
    Stop(GiveUp::kAdoption);
    return false;
  }
  PopDownTo(at);
  forget();
  return false;
}

void TreeBuilder::EndFormatting(NameId name) {
  if (CurrentIs(name) && !formatting_.empty() &&
      formatting_.back().id == current().id) {
    formatting_.pop_back();
    return Pop();
  }
  if (AdoptionAgency(name)) EndOther(name);
}

// An <a> inside another ends it.
void TreeBuilder::StartAnchor(TagToken* tag) {
  for (size_t i = formatting_.size(); i-- > 0;) {
    if (formatting_[i].id == kNoNode) break;
    if (formatting_[i].name != k_a) continue;
    const NodeId id = formatting_[i].id;
    AdoptionAgency(k_a);
    if (reason_ != GiveUp::kNone) return;
    // It is still there if it was out of scope.
    if (i < formatting_.size() && formatting_[i].id == id) {
      return Stop(GiveUp::kScopedAnchor);
    }
    break;
  }
  Reconstruct();
  Insert(tag);
  PushFormatting();
}

void TreeBuilder::StartNobr(TagToken* tag) {
  Reconstruct();
  if (InScope(k_nobr, kScope)) {
    if (AdoptionAgency(k_nobr)) EndOther(k_nobr);
    if (reason_ != GiveUp::kNone) return;
    Reconstruct();
  }
  Insert(tag);
  PushFormatting();
}

}  // namespace trommel::html::direct
