#include "core/html/document.h"

#include <algorithm>

#include "core/base/text.h"

namespace trommel::html {

void Document::Clear() {
  nodes_.clear();
  attributes_.clear();
  text_.clear();
  dynamic_index_.clear();
  dynamic_names_.clear();
  nodes_.emplace_back().subtree_end = 1;
}

NameId Document::InternName(std::string_view name) {
  if (const NameId id = FrequentName(name); id != names::kNone) return id;
  if (const auto found = dynamic_index_.find(name);
      found != dynamic_index_.end()) {
    return found->second;
  }
  const auto id =
      static_cast<NameId>(names::kFirstDynamic + dynamic_names_.size());
  dynamic_index_.emplace(dynamic_names_.emplace_back(name), id);
  return id;
}

NameId Document::FindName(std::string_view name) const {
  if (const NameId id = FrequentName(name); id != names::kNone) return id;
  const auto found = dynamic_index_.find(name);
  return found == dynamic_index_.end() ? NameId{names::kNone} : found->second;
}

std::string_view Document::Value(NodeId id, NameId name) const {
  for (const Attribute& attribute : Attributes(id)) {
    if (attribute.name == name) return Value(attribute);
  }
  return {};
}

size_t Document::MemoryUsage() const {
  return nodes_.capacity() * sizeof(Node) +
         attributes_.capacity() * sizeof(Attribute) + text_.capacity() +
         dynamic_names_.size() * (sizeof(std::string) + 48);
}

DocumentBuilder::DocumentBuilder(Document* document, uint32_t max_depth)
    : document_(document), max_depth_(std::clamp(max_depth, 2u, 65534u)) {
  document->Clear();
  open_.push_back({0, kNoNode});
}

Node& DocumentBuilder::Append(NodeKind kind) {
  Open& parent = open_.back();
  const auto id = static_cast<NodeId>(document_->nodes_.size());
  Node& node = document_->nodes_.emplace_back();
  node.parent = parent.id;
  node.previous_sibling = parent.last_child;
  node.subtree_end = id + 1;
  node.depth = static_cast<uint16_t>(open_.size());
  node.kind = kind;
  node.space_before = space_pending_;
  space_pending_ = false;
  parent.last_child = id;
  return node;
}

void DocumentBuilder::OpenElement(NameId name) {
  if (open_.size() > max_depth_) {
    // The element at the greatest depth ends here and this one takes its
    // place; the end of one of the two is then not to be acted on.
    document_->nodes_[open_.back().id].subtree_end =
        static_cast<NodeId>(document_->nodes_.size());
    open_.pop_back();
    ++overflow_;
    flattened_ = true;
  }
  Node& node = Append(NodeKind::kElement);
  node.name = name;
  node.data_begin = static_cast<uint32_t>(document_->attributes_.size());
  const NodeId id = static_cast<NodeId>(document_->nodes_.size() - 1);
  open_.push_back({id, kNoNode});
}

void DocumentBuilder::AddAttribute(NameId name, std::string_view value) {
  TextBuffer& text = document_->text_;
  document_->attributes_.push_back({name, static_cast<uint32_t>(text.size()),
                                    static_cast<uint32_t>(value.size())});
  text.append(value);
  ++document_->nodes_[open_.back().id].data_size;
}

void DocumentBuilder::CloseElement() {
  if (overflow_ > 0) {
    --overflow_;
    return;
  }
  document_->nodes_[open_.back().id].subtree_end =
      static_cast<NodeId>(document_->nodes_.size());
  open_.pop_back();
}

void DocumentBuilder::SetText(std::string_view text, Node* node) {
  node->data_begin = static_cast<uint32_t>(document_->text_.size());
  node->data_size = static_cast<uint32_t>(text.size());
  document_->text_.append(text);
}

void DocumentBuilder::AddText(std::string_view text) {
  if (IsBlank(text)) {
    space_pending_ |= !text.empty();
    return;
  }
  Node& last = document_->nodes_.back();
  if (last.kind == NodeKind::kText && last.parent == open_.back().id) {
    // Two texts side by side, as moving nodes out of tables leaves them, are
    // one: XML could not tell them apart either.
    if (space_pending_) document_->text_.push_back(' ');
    space_pending_ = false;
    document_->text_.append(text);
    last.data_size =
        static_cast<uint32_t>(document_->text_.size()) - last.data_begin;
    return;
  }
  SetText(text, &Append(NodeKind::kText));
}

void DocumentBuilder::AddComment(std::string_view text) {
  SetText(text, &Append(NodeKind::kComment));
}

void DocumentBuilder::Finish() {
  overflow_ = 0;
  while (!open_.empty()) CloseElement();
}

}  // namespace trommel::html
