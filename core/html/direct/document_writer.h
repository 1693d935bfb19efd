#ifndef TROMMEL_CORE_HTML_DIRECT_DOCUMENT_WRITER_H_
#define TROMMEL_CORE_HTML_DIRECT_DOCUMENT_WRITER_H_

// Appends nodes to a Document while its page is being read.
//
// It is to the direct parser what DocumentBuilder is to those that walk a
// finished tree, with two differences. Text comes in pieces (a stray end tag
// separates two pieces of one text node), so the last text is pending until the
// next node decides where it ends and whether it is all white space. And the
// characters are written once, by the tokenizer, straight into the document's
// buffer at out(); what is told here are ranges of it.
//
// The stack of open elements of the standard is the stack of this class, with
// one difference: an element taken out of the middle of it (</form> while
// others are open inside) stays as the parent of what is open, marked kRemoved,
// and goes with it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/html/direct/byte_scan.h"
#include "core/html/direct/elements.h"
#include "core/html/document.h"

namespace trommel::html::direct {

struct OpenElement {
  NodeId id;
  NodeId last_child;
  NameId name;
  uint32_t properties;
};

class DocumentWriter {
 public:
  // Clears the document. The text written will have at most `max_text` bytes.
  void Start(Document* document, size_t max_text);
  // Closes what is open.
  void Finish();

  NameId InternName(std::string_view lower_case_name) {
    return document_->InternName(lower_case_name);
  }
  NameId FindName(std::string_view lower_case_name) const {
    return document_->FindName(lower_case_name);
  }

  // Where characters go, and the position of that as an offset.
  char* out() { return out_; }
  void set_out(char* out) { out_ = out; }
  uint32_t offset() const {
    return static_cast<uint32_t>(out_ - document_->text_.data());
  }
  const char* at(uint32_t offset) const {
    return document_->text_.data() + offset;
  }

  void Open(NameId name, uint32_t properties) {
    FlushText();
    const NodeId id = Append(NodeKind::kElement);
    Node& node = document_->nodes_.back();
    node.name = name;
    node.data_begin = static_cast<uint32_t>(document_->attributes_.size());
    open_.push_back({id, kNoNode, name, properties});
  }
  void Close() {
    FlushText();
    document_->nodes_[open_.back().id].subtree_end =
        static_cast<NodeId>(document_->nodes_.size());
    open_.pop_back();
  }
  // Opens the element that was closed last, after which nothing came.
  void Reopen(const OpenElement& element) { open_.push_back(element); }

  // Attributes of the element opened last. `name` stands among them already?
  bool HasAttribute(NameId name) const {
    const std::vector<Attribute>& all = document_->attributes_;
    for (size_t i = document_->nodes_.back().data_begin; i < all.size(); ++i) {
      if (all[i].name == name) return true;
    }
    return false;
  }
  // The value is what was written since `begin`.
  void AddAttribute(NameId name, uint32_t begin) {
    document_->attributes_.push_back({name, begin, offset() - begin});
  }
  void EndAttributes() {
    Node& node = document_->nodes_.back();
    node.data_size =
        static_cast<uint32_t>(document_->attributes_.size()) - node.data_begin;
  }
  // Gives the element opened last the attributes of another.
  void CopyAttributes(NodeId from);
  absl::Span<const Attribute> AttributesOf(NodeId id) const {
    return document_->Attributes(id);
  }
  std::string_view ValueOf(const Attribute& attribute) const {
    return document_->Value(attribute);
  }

  // A piece of text, behind the last piece if nothing came in between.
  void AddText(uint32_t begin, uint32_t end) {
    if (text_begin_ == text_end_) text_begin_ = begin;
    text_end_ = end;
  }
  void AddComment(std::string_view text) {
    FlushText();
    Append(NodeKind::kComment);
    Node& node = document_->nodes_.back();
    node.data_begin = offset();
    node.data_size = static_cast<uint32_t>(text.size());
    out_ += text.copy(out_, text.size());
  }
  void FlushText() {
    if (text_begin_ != text_end_) EndText();
  }

  bool space_pending() const { return space_pending_; }
  void set_space_pending(bool pending) { space_pending_ = pending; }

  std::vector<OpenElement>& open() { return open_; }
  const std::vector<OpenElement>& open() const { return open_; }
  size_t num_nodes() const { return document_->nodes_.size(); }
  size_t num_attributes() const { return document_->attributes_.size(); }

 private:
  NodeId Append(NodeKind kind) {
    OpenElement& parent = open_.back();
    const auto id = static_cast<NodeId>(document_->nodes_.size());
    document_->nodes_.push_back({.parent = parent.id,
                                 .previous_sibling = parent.last_child,
                                 .subtree_end = id + 1,
                                 .depth = static_cast<uint16_t>(open_.size()),
                                 .kind = kind,
                                 .space_before = space_pending_});
    space_pending_ = false;
    parent.last_child = id;
    return id;
  }
  void EndText() {
    const std::string_view text(at(text_begin_), text_end_ - text_begin_);
    if (IsBlankText(text.data(), text.size())) {
      space_pending_ = true;
      if (offset() == text_end_) out_ -= text.size();
    } else {
      Append(NodeKind::kText);
      Node& node = document_->nodes_.back();
      node.data_begin = text_begin_;
      node.data_size = text_end_ - text_begin_;
    }
    text_begin_ = text_end_ = 0;
  }

  Document* document_ = nullptr;
  std::vector<OpenElement> open_;
  char* out_ = nullptr;
  uint32_t text_begin_ = 0;  // of the pending text; equal when there is none
  uint32_t text_end_ = 0;
  bool space_pending_ = false;
};

}  // namespace trommel::html::direct

#endif  // TROMMEL_CORE_HTML_DIRECT_DOCUMENT_WRITER_H_
