#include "core/html/text.h"

#include <vector>

#include "core/base/text.h"

namespace trommel::html {

bool IsInlineElement(NameId name) {
  switch (name) {
    case names::k_a:
    case names::k_abbr:
    case names::k_acronym:
    case names::k_b:
    case names::k_bdi:
    case names::k_bdo:
    case names::k_big:
    case names::k_cite:
    case names::k_code:
    case names::k_data:
    case names::k_del:
    case names::k_dfn:
    case names::k_em:
    case names::k_font:
    case names::k_i:
    case names::k_ins:
    case names::k_kbd:
    case names::k_label:
    case names::k_mark:
    case names::k_nobr:
    case names::k_q:
    case names::k_s:
    case names::k_samp:
    case names::k_small:
    case names::k_span:
    case names::k_strike:
    case names::k_strong:
    case names::k_sub:
    case names::k_sup:
    case names::k_time:
    case names::k_tt:
    case names::k_u:
    case names::k_var:
    case names::k_wbr:
      return true;
    default:
      return false;
  }
}

bool IsHiddenElement(NameId name) {
  switch (name) {
    case names::k_head:
    case names::k_iframe:
    case names::k_noembed:
    case names::k_noframes:
    case names::k_noscript:
    case names::k_script:
    case names::k_style:
    case names::k_template:
      return true;
    default:
      return false;
  }
}

std::string NormalizedText(const Document& document, NodeId root) {
  std::string out;
  bool space = false;
  const NodeId end = document.node(root).subtree_end;
  for (NodeId id = root; id < end; ++id) {
    const Node& node = document.node(id);
    space |= node.space_before;
    if (node.kind == NodeKind::kText) {
      space = AppendNormalized(document.Text(id), space, &out);
    }
  }
  return out;
}

std::string VisibleText(const Document& document, NodeId root) {
  std::string out;
  bool space = false;
  const NodeId end = document.node(root).subtree_end;
  // Where the open blocks end, innermost last: leaving one separates words.
  std::vector<NodeId> block_ends;
  for (NodeId id = root; id < end;) {
    const Node& node = document.node(id);
    while (!block_ends.empty() && block_ends.back() <= id) {
      block_ends.pop_back();
      space = true;
    }
    space |= node.space_before;
    if (node.kind == NodeKind::kElement) {
      if (id != root && IsHiddenElement(node.name)) {
        id = node.subtree_end;
        continue;
      }
      if (!IsInlineElement(node.name)) {
        space = true;
        block_ends.push_back(node.subtree_end);
      }
    } else if (node.kind == NodeKind::kText) {
      space = AppendNormalized(document.Text(id), space, &out);
    }
    ++id;
  }
  return out;
}

}  // namespace trommel::html
