#ifndef TROMMEL_CORE_LEARN_VERTEX_PAGE_FACTS_H_
#define TROMMEL_CORE_LEARN_VERTEX_PAGE_FACTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/html/document.h"

namespace trommel::learn::vertex {

// What features ask of the nodes of a page, computed once. Strings are compared
// by their hashes.
//
// Texts are as XPath's normalize-space() has them, and neighbours as its axes
// do: all text nodes count, those of scripts too.
class PageFacts {
 public:
  explicit PageFacts(const html::Document& document);

  const html::Document& document() const { return *document_; }

  // Elements; 0 where there is none.
  uint64_t tag(html::NodeId id) const { return nodes_[id].tag; }
  uint64_t id(html::NodeId id) const { return nodes_[id].id; }
  uint64_t css_class(html::NodeId id) const { return nodes_[id].css_class; }

  // The nearest text before and after a node (not inside it), and the first
  // inside it; kNoNode where there is none.
  html::NodeId LeftText(html::NodeId id) const { return nodes_[id].left_text; }
  html::NodeId RightText(html::NodeId id) const {
    return nodes_[id].right_text;
  }
  html::NodeId FirstText(html::NodeId id) const {
    const html::NodeId first = next_text_[id + 1];
    return first < document_->node(id).subtree_end ? first : html::kNoNode;
  }

  // Of a text node, normalised; its hash.
  std::string Text(html::NodeId text) const;
  uint64_t TextHash(html::NodeId text) const { return nodes_[text].text_hash; }

  // The ancestor so many levels up; kNoNode above the root element.
  html::NodeId Ancestor(html::NodeId id, int level) const;
  // The sibling so many places before, of any kind.
  html::NodeId SiblingBefore(html::NodeId id, int offset) const;
  // The same after it.
  html::NodeId SiblingAfter(html::NodeId id, int offset) const;

 private:
  struct NodeFacts {
    uint64_t tag = 0;
    uint64_t id = 0;
    uint64_t css_class = 0;
    uint64_t text_hash = 0;
    html::NodeId left_text = html::kNoNode;
    html::NodeId right_text = html::kNoNode;
  };

  const html::Document* document_;
  std::vector<NodeFacts> nodes_;
  std::vector<html::NodeId> next_text_;  // the first at or after each node
};

// As XPath's normalize-space(): no-break spaces are letters to it.
std::string XPathNormalizeSpace(std::string_view text);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_PAGE_FACTS_H_
