#ifndef TROMMEL_CORE_HTML_DOCUMENT_H_
#define TROMMEL_CORE_HTML_DOCUMENT_H_

// A parsed page as flat arrays.
//
// Nodes stand in document order in one array, so a subtree is a contiguous
// range of ids and walking a page is a loop over an array:
//
//   for (NodeId n = root + 1; n < doc.node(root).subtree_end; ++n) ...
//
// Everything a node refers to (text, attribute values, rare names) lies in the
// document's own buffers; a Document keeps nothing of the parser or the page's
// bytes. It is filled by a Parser (core/html/parser.h), which reuses the
// buffers of the Document it is given, so a loop over pages settles without
// allocations. Reading from several threads is safe, filling is not.
//
// What is in the tree: node 0 is the document; elements, text and comments
// follow. Names are lower case, also those of SVG. Text nodes that are all
// white space do not exist (no path, position or neighbour counts them); the
// node after such a gap has `space_before` set, so text put together again
// keeps its word boundaries. No two text nodes stand side by side. The content
// of <template> is its children. Processing instructions appear as comments,
// doctypes not at all.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/html/names.h"
#include "core/html/text_buffer.h"

namespace trommel::html::direct {
class DocumentWriter;
}  // namespace trommel::html::direct

namespace trommel::html {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

enum class NodeKind : uint8_t { kDocument, kElement, kText, kComment };

struct Node {
  NodeId parent = kNoNode;
  NodeId previous_sibling = kNoNode;
  NodeId subtree_end = 0;  // one past the last descendant
  NameId name = names::kNone;
  // Elements: first attribute and number of attributes. Text and comments:
  // offset and length in the document's text.
  uint32_t data_begin = 0;
  uint32_t data_size = 0;
  uint16_t depth = 0;  // the document is 0, <html> is 1
  NodeKind kind = NodeKind::kDocument;
  bool space_before = false;
};

struct Attribute {
  NameId name;
  uint32_t value_begin;
  uint32_t value_size;
};

class Document {
 public:
  Document() { Clear(); }
  Document(Document&&) = default;
  Document& operator=(Document&&) = default;

  size_t num_nodes() const { return nodes_.size(); }
  const Node& node(NodeId id) const { return nodes_[id]; }
  absl::Span<const Node> nodes() const { return nodes_; }

  bool IsElement(NodeId id) const {
    return nodes_[id].kind == NodeKind::kElement;
  }
  bool IsText(NodeId id) const { return nodes_[id].kind == NodeKind::kText; }

  // Family. kNoNode where there is none.
  NodeId FirstChild(NodeId id) const {
    return nodes_[id].subtree_end > id + 1 ? id + 1 : kNoNode;
  }
  NodeId NextSibling(NodeId id) const {
    const NodeId next = nodes_[id].subtree_end;
    return next < nodes_.size() && nodes_[next].parent == nodes_[id].parent
               ? next
               : kNoNode;
  }
  bool IsAncestor(NodeId ancestor, NodeId id) const {
    return ancestor < id && id < nodes_[ancestor].subtree_end;
  }

  // The characters of a text or comment node; empty for the others.
  std::string_view Text(NodeId id) const {
    const Node& node = nodes_[id];
    if (node.kind != NodeKind::kText && node.kind != NodeKind::kComment) {
      return {};
    }
    return text_.view(node.data_begin, node.data_size);
  }

  // An element's attributes in source order, without duplicates.
  absl::Span<const Attribute> Attributes(NodeId id) const {
    const Node& node = nodes_[id];
    if (node.kind != NodeKind::kElement) return {};
    return absl::MakeConstSpan(attributes_)
        .subspan(node.data_begin, node.data_size);
  }
  std::string_view Value(const Attribute& attribute) const {
    return text_.view(attribute.value_begin, attribute.value_size);
  }
  // The value of one attribute, or nullptr data when the element lacks it.
  std::string_view Value(NodeId id, NameId name) const;

  std::string_view NameOf(NameId id) const {
    return id < names::kFirstDynamic
               ? FrequentNameOf(id)
               : std::string_view(dynamic_names_[id - names::kFirstDynamic]);
  }
  std::string_view TagOf(NodeId id) const { return NameOf(nodes_[id].name); }

  // The id of a name (lower case) in this document, names::kNone if no tag or
  // attribute of it has that name and it is not a frequent one.
  NameId FindName(std::string_view name) const;

  // Bytes held by the buffers, for memory accounting.
  size_t MemoryUsage() const;

 private:
  friend class DocumentBuilder;
  friend class direct::DocumentWriter;

  void Clear();
  NameId InternName(std::string_view name);

  std::vector<Node> nodes_;
  std::vector<Attribute> attributes_;
  TextBuffer text_;
  // A deque, because the index refers to its strings.
  std::deque<std::string> dynamic_names_;
  absl::flat_hash_map<std::string_view, NameId> dynamic_index_;
};

// Fills a Document in document order; parsers call it while they walk their
// own tree. An element that would lie deeper than `max_depth` becomes a
// sibling of the element at that depth, so any input gives a tree of bounded
// depth in which no text is lost.
class DocumentBuilder {
 public:
  // Clears `document`, which must outlive the builder. `max_depth` is at least
  // 2: <html> stays the only root.
  DocumentBuilder(Document* document, uint32_t max_depth);

  NameId InternName(std::string_view lower_case_name) {
    return document_->InternName(lower_case_name);
  }

  void OpenElement(NameId name);
  // Only directly after OpenElement(); the caller leaves out duplicates.
  void AddAttribute(NameId name, std::string_view value);
  void CloseElement();
  void AddText(std::string_view text);
  void AddComment(std::string_view text);
  // Closes what is open. Nothing may be called afterwards.
  void Finish();

  size_t num_nodes() const { return document_->nodes_.size(); }
  bool flattened() const { return flattened_; }

 private:
  struct Open {
    NodeId id;
    NodeId last_child;
  };

  Node& Append(NodeKind kind);
  void SetText(std::string_view text, Node* node);

  Document* document_;
  uint32_t max_depth_;
  std::vector<Open> open_;
  size_t overflow_ = 0;  // open elements that have no place on open_
  bool space_pending_ = false;
  bool flattened_ = false;
};

}  // namespace trommel::html

#endif  // TROMMEL_CORE_HTML_DOCUMENT_H_
