#include "core/learn/vertex/page_facts.h"

#include "core/base/hash.h"

namespace trommel::learn::vertex {

using html::Document;
using html::kNoNode;
using html::Node;
using html::NodeId;
using html::NodeKind;
namespace names = html::names;

std::string XPathNormalizeSpace(std::string_view text) {
  std::string out;
  bool space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      space = true;
      continue;
    }
    if (space && !out.empty()) out += ' ';
    space = false;
    out += c;
  }
  return out;
}

PageFacts::PageFacts(const Document& document) : document_(&document) {
  const NodeId n = static_cast<NodeId>(document.num_nodes());
  nodes_.resize(n);
  NodeId last_text = kNoNode;
  for (NodeId i = 0; i < n; ++i) {
    NodeFacts& facts = nodes_[i];
    facts.left_text = last_text;
    const Node& node = document.node(i);
    if (node.kind == NodeKind::kText) {
      facts.text_hash = Hash64(XPathNormalizeSpace(document.Text(i)));
      last_text = i;
    } else if (node.kind == NodeKind::kElement) {
      facts.tag = Hash64(document.TagOf(i));
      for (const html::Attribute& attribute : document.Attributes(i)) {
        if (attribute.name == names::k_id) {
          facts.id = Hash64(document.Value(attribute));
        } else if (attribute.name == names::k_class) {
          facts.css_class = Hash64(document.Value(attribute));
        }
      }
    }
  }
  next_text_.assign(n + 1, kNoNode);
  for (NodeId i = n; i-- > 0;) {
    next_text_[i] =
        document.node(i).kind == NodeKind::kText ? i : next_text_[i + 1];
  }
  for (NodeId i = 0; i < n; ++i) {
    nodes_[i].right_text = next_text_[document.node(i).subtree_end];
  }
}

std::string PageFacts::Text(NodeId text) const {
  return XPathNormalizeSpace(document_->Text(text));
}

NodeId PageFacts::Ancestor(NodeId id, int level) const {
  for (; level > 0; --level) {
    id = document_->node(id).parent;
    if (id == kNoNode || id == 0) return kNoNode;
  }
  return id;
}

NodeId PageFacts::SiblingBefore(NodeId id, int offset) const {
  for (; offset > 0; --offset) {
    id = document_->node(id).previous_sibling;
    if (id == kNoNode) return kNoNode;
  }
  return id;
}

NodeId PageFacts::SiblingAfter(NodeId id, int offset) const {
  const NodeId parent = document_->node(id).parent;
  for (; offset > 0; --offset) {
    id = document_->node(id).subtree_end;
    if (id >= document_->num_nodes() || document_->node(id).parent != parent) {
      return kNoNode;
    }
  }
  return id;
}

}  // namespace trommel::learn::vertex
