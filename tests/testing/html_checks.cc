#include "tests/testing/html_checks.h"

#include <algorithm>
#include <pugixml.hpp>
#include <vector>

#include "core/base/characters.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/serialize.h"

namespace trommel::testing_support {
namespace {

using html::Attribute;
using html::Document;
using html::kNoNode;
using html::Node;
using html::NodeId;
using html::NodeKind;

bool IsValidUtf8(std::string_view text) {
  return ValidUtf8Prefix(text) == text.size();
}

std::string At(NodeId id, std::string_view what) {
  return StrCat("node ", id, ": ", what);
}

std::string AttributeProblem(const Document& document, NodeId id) {
  std::vector<html::NameId> seen;
  for (const Attribute& attribute : document.Attributes(id)) {
    seen.push_back(attribute.name);
    const std::string_view name = document.NameOf(attribute.name);
    if (name.empty()) return At(id, "attribute without a name");
    if (!IsValidUtf8(name)) return At(id, "attribute name is not UTF-8");
    if (std::any_of(name.begin(), name.end(),
                    [](char c) { return AsciiLower(c) != c; })) {
      return At(id, "attribute name is not lower case");
    }
    if (!IsValidUtf8(document.Value(attribute))) {
      return At(id, "attribute value is not UTF-8");
    }
  }
  std::sort(seen.begin(), seen.end());
  if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) {
    return At(id, "an attribute stands twice");
  }
  return "";
}

std::string ContentProblem(const Document& document, NodeId id) {
  const Node& node = document.node(id);
  switch (node.kind) {
    case NodeKind::kElement: {
      const std::string_view tag = document.TagOf(id);
      if (tag.empty() || !IsValidUtf8(tag)) return At(id, "bad tag name");
      if (std::any_of(tag.begin(), tag.end(),
                      [](char c) { return AsciiLower(c) != c; })) {
        return At(id, "tag name is not lower case");
      }
      return AttributeProblem(document, id);
    }
    case NodeKind::kText:
      if (IsBlank(document.Text(id))) return At(id, "blank text");
      if (node.previous_sibling != kNoNode &&
          document.IsText(node.previous_sibling)) {
        return At(id, "text beside text");
      }
      [[fallthrough]];
    case NodeKind::kComment:
      if (!IsValidUtf8(document.Text(id))) return At(id, "text is not UTF-8");
      if (node.subtree_end != id + 1) return At(id, "text has children");
      return "";
    case NodeKind::kDocument:
      return At(id, "a second document node");
  }
  return At(id, "unknown kind");
}

// The text that the XML writer makes of a document's text.
std::string AsXmlCharacters(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::string_view rest = text.substr(i, 3);
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') {
      out += "\xEF\xBF\xBD";
    } else if (rest == "\xEF\xBF\xBE" || rest == "\xEF\xBF\xBF") {
      out += "\xEF\xBF\xBD";
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

// Comments change: "--" and a final '-' are not allowed in XML, and escapes
// are not undone by readers. Only what is not affected is compared.
bool SameComment(std::string_view ours, std::string_view xml) {
  const auto plain = [](std::string_view text) {
    return text.find_first_of("-&<>'\"\r") == std::string_view::npos &&
           PrintableLines(text) == text;
  };
  return !plain(ours) || AsXmlCharacters(ours) == xml;
}

std::string NodeMismatch(const Document& document, NodeId id,
                         const pugi::xml_node& xml) {
  switch (document.node(id).kind) {
    case NodeKind::kElement: {
      if (xml.type() != pugi::node_element) return At(id, "no element in XML");
      if (html::XmlName(document.TagOf(id)) != xml.name() &&
          document.TagOf(id) != xml.name()) {
        return At(id, StrCat("XML has tag ", xml.name()));
      }
      pugi::xml_attribute attribute = xml.first_attribute();
      for (const Attribute& ours : document.Attributes(id)) {
        if (!attribute) return At(id, "XML lacks attributes");
        if (AsXmlCharacters(document.Value(ours)) != attribute.value()) {
          return At(id, StrCat("XML differs in attribute ", attribute.name()));
        }
        attribute = attribute.next_attribute();
      }
      if (attribute && std::string_view(attribute.name()) == "xmlns:gaps") {
        attribute = attribute.next_attribute();
      }
      if (attribute) return At(id, "XML has more attributes");
      return "";
    }
    case NodeKind::kText:
      if (xml.type() != pugi::node_pcdata) return At(id, "no text in XML");
      if (AsXmlCharacters(document.Text(id)) != xml.value()) {
        return At(id, StrCat("XML has another text: [", xml.value(),
                             "] instead of [", document.Text(id), "]"));
      }
      return "";
    case NodeKind::kComment:
      if (xml.type() != pugi::node_comment) return At(id, "no comment in XML");
      if (!SameComment(document.Text(id), xml.value())) {
        return At(id, "XML has another comment");
      }
      return "";
    case NodeKind::kDocument:
      break;
  }
  return At(id, "unexpected kind");
}

}  // namespace

std::string DocumentProblem(const Document& document, uint32_t max_depth) {
  const size_t size = document.num_nodes();
  if (size == 0) return "no document node";
  const Node& root = document.node(0);
  if (root.kind != NodeKind::kDocument || root.depth != 0 ||
      root.parent != kNoNode || root.previous_sibling != kNoNode ||
      root.subtree_end != size) {
    return "bad document node";
  }
  std::vector<NodeId> last_child(size, kNoNode);
  for (NodeId id = 1; id < size; ++id) {
    const Node& node = document.node(id);
    if (node.parent >= id) return At(id, "parent does not come before");
    const Node& parent = document.node(node.parent);
    if (parent.kind != NodeKind::kElement &&
        parent.kind != NodeKind::kDocument) {
      return At(id, "parent cannot have children");
    }
    if (node.subtree_end <= id || node.subtree_end > parent.subtree_end) {
      return At(id, "subtree is not inside the parent's");
    }
    if (node.depth != parent.depth + 1) return At(id, "wrong depth");
    const bool is_element = node.kind == NodeKind::kElement;
    if (node.depth > max_depth + (is_element ? 0 : 1)) {
      return At(id, "too deep");
    }
    // Siblings follow each other without a gap.
    const NodeId before = last_child[node.parent];
    if (node.previous_sibling != before) return At(id, "wrong sibling");
    const NodeId expected =
        before == kNoNode ? node.parent + 1 : document.node(before).subtree_end;
    if (id != expected) return At(id, "gap before the node");
    last_child[node.parent] = id;
    if (std::string problem = ContentProblem(document, id); !problem.empty()) {
      return problem;
    }
  }
  for (NodeId id = 0; id < size; ++id) {
    const NodeId last = last_child[id];
    const NodeId end =
        last == kNoNode ? id + 1 : document.node(last).subtree_end;
    if (document.node(id).subtree_end != end)
      return At(id, "wrong subtree end");
  }
  return "";
}

std::string XmlProblem(const Document& document) {
  std::string xml;
  html::AppendXml(document, &xml);
  pugi::xml_document parsed;
  const pugi::xml_parse_result result = parsed.load_buffer(
      xml.data(), xml.size(),
      pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol |
          pugi::parse_comments | pugi::parse_wconv_attribute,
      pugi::encoding_utf8);
  if (!result) {
    return StrCat("pugixml at offset ", result.offset, ": ",
                  result.description());
  }
  // Both trees in document order, without recursion.
  pugi::xml_node xml_node = parsed.first_child();
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (!xml_node) return At(id, "missing in XML");
    if (std::string problem = NodeMismatch(document, id, xml_node);
        !problem.empty()) {
      return problem;
    }
    if (xml_node.first_child()) {
      xml_node = xml_node.first_child();
      continue;
    }
    while (xml_node && !xml_node.next_sibling()) xml_node = xml_node.parent();
    if (xml_node) xml_node = xml_node.next_sibling();
  }
  return xml_node ? "XML has more nodes" : "";
}

std::string TagTree(const Document& document) {
  std::string out;
  std::vector<NodeId> open;
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    while (!open.empty() && document.node(open.back()).subtree_end <= id) {
      out += ')';
      open.pop_back();
    }
    if (!document.IsElement(id)) continue;
    StrAppend(&out, document.TagOf(id), "(");
    open.push_back(id);
  }
  out.append(open.size(), ')');
  return out;
}

std::string Dump(const Document& document) {
  std::string out;
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    const Node& node = document.node(id);
    StrAppend(&out, static_cast<int>(node.kind), " ", node.parent, " ",
              node.subtree_end, " ", node.space_before ? 1 : 0, " ");
    if (document.IsElement(id)) {
      out += document.TagOf(id);
      for (const Attribute& attribute : document.Attributes(id)) {
        StrAppend(&out, " ", document.NameOf(attribute.name), "=[",
                  document.Value(attribute), "]");
      }
    } else {
      StrAppend(&out, "[", document.Text(id), "]");
    }
    out += '\n';
  }
  return out;
}

}  // namespace trommel::testing_support
