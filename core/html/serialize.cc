#include "core/html/serialize.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "core/base/characters.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/text.h"

namespace trommel::html {
namespace {

constexpr unsigned kMaxIndent = 80;
constexpr std::string_view kXmlnsAttribute = "_x0078_mlns";

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool IsNameByte(char c) {
  return IsNameStart(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

bool IsPlainName(std::string_view name) {
  if (name.empty() || !IsNameStart(name[0])) return false;
  for (const char c : name) {
    if (!IsNameByte(c)) return false;
  }
  return name.find("_x") == std::string_view::npos;
}

// XML in which a character that a terminal could act on is a reference to it,
// so that a tree may be looked at where it is printed.
void AppendWithReferences(std::string_view xml, std::string* out) {
  while (!xml.empty()) {
    const std::string_view before = xml;
    const char32_t c = TakeCharacter(&xml);
    if (IsTerminalControl(c) && c != '\n' && c != '\t') {
      absl::StrAppendFormat(out, "&#%d;", static_cast<uint32_t>(c));
    } else {
      out->append(before.substr(0, before.size() - xml.size()));
    }
  }
}

void AppendText(std::string_view text, std::string* out) {
  std::string xml;
  AppendXmlText(text, &xml);
  AppendWithReferences(xml, out);
}

void AppendAttributeValue(std::string_view value, std::string* out) {
  std::string xml;
  AppendXmlAttribute(value, &xml);
  AppendWithReferences(xml, out);
}

void AppendName(std::string_view name, std::string* out) {
  if (IsPlainName(name)) {
    out->append(name);
  } else {
    out->append(XmlName(name));
  }
}

bool IsBlock(const Document& document, NodeId id) {
  const NameId name = document.node(id).name;
  return document.IsElement(id) && !IsInlineElement(name) &&
         !IsHiddenElement(name);
}

// Whether white space before the child was left out and nothing else separates
// its words from those before it.
bool IsGap(const Document& document, NodeId child) {
  const Node& node = document.node(child);
  if (!node.space_before || IsBlock(document, child)) return false;
  return node.previous_sibling == kNoNode
             ? IsInlineElement(document.node(node.parent).name)
             : !IsBlock(document, node.previous_sibling);
}

void AppendGaps(const Document& document, NodeId id, std::string* out) {
  int position = 0;
  bool found = false;
  for (NodeId child = document.FirstChild(id); child != kNoNode;
       child = document.NextSibling(child)) {
    ++position;
    if (!IsGap(document, child)) continue;
    if (!found) {
      StrAppend(out, " xmlns:gaps=\"gaps:", document.node(id).depth, ":.");
    }
    found = true;
    StrAppend(out, position, ".");
  }
  if (found) out->push_back('"');
}

void AppendStartTag(const Document& document, NodeId id, std::string* out) {
  out->push_back('<');
  AppendName(document.TagOf(id), out);
  for (const Attribute& attribute : document.Attributes(id)) {
    out->push_back(' ');
    if (attribute.name == names::k_xmlns) {
      out->append(kXmlnsAttribute);
    } else {
      AppendName(document.NameOf(attribute.name), out);
    }
    out->append("=\"");
    AppendAttributeValue(document.Value(attribute), out);
    out->push_back('"');
  }
  AppendGaps(document, id, out);
}

void AppendEndTag(const Document& document, NodeId id, std::string* out) {
  out->append("</");
  AppendName(document.TagOf(id), out);
  out->push_back('>');
}

}  // namespace

std::string XmlName(std::string_view name) {
  std::string out;
  std::string_view rest = name;
  while (!rest.empty()) {
    const bool is_first = rest.size() == name.size();
    const bool escapes_itself = rest.starts_with("_x");
    const char byte = rest[0];
    const auto c = static_cast<uint32_t>(TakeCharacter(&rest));
    if (!escapes_itself && c < 0x80 &&
        (is_first ? IsNameStart(byte) : IsNameByte(byte))) {
      out.push_back(byte);
    } else {
      absl::StrAppendFormat(&out, "_x%04X_", c);
    }
  }
  if (out.empty()) out = "_x_";
  return out;
}

std::string XmlAttributeName(std::string_view name) {
  return name == "xmlns" ? std::string(kXmlnsAttribute) : XmlName(name);
}

std::optional<std::string> FromXmlName(std::string_view xml) {
  std::string name;
  for (size_t i = 0; i < xml.size();) {
    if (xml.substr(i, 2) != "_x") {
      name.push_back(xml[i++]);
      continue;
    }
    const size_t end = xml.find('_', i + 2);
    if (end == std::string_view::npos || end > i + 8) return std::nullopt;
    uint32_t code_point = 0;
    for (const char c : xml.substr(i + 2, end - i - 2)) {
      const bool digit = c >= '0' && c <= '9';
      if (!digit && (c < 'A' || c > 'F')) return std::nullopt;
      code_point = code_point * 16 +
                   static_cast<uint32_t>(digit ? c - '0' : c - 'A' + 10);
    }
    if (code_point > 0x10FFFF) return std::nullopt;
    AppendCodePoint(code_point, &name);
    i = end + 1;
  }
  // What reads as an escape may still not be the way the name is written.
  if (name.empty() || ValidUtf8Prefix(name) != name.size() ||
      XmlName(name) != xml) {
    return std::nullopt;
  }
  return name;
}

// XML comments may not contain "--" or end in '-'; a space keeps dashes apart.
void AppendXmlComment(std::string_view text, std::string* out) {
  std::string safe;
  AppendText(text, &safe);
  bool after_dash = false;
  for (const char c : safe) {
    if (c == '-' && after_dash) out->push_back(' ');
    out->push_back(c);
    after_dash = c == '-';
  }
  if (after_dash) out->push_back(' ');
}

void AppendXml(const Document& document, std::string* out) {
  out->append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  // Walks the array and closes elements whose subtree has ended. The root's
  // neighbours may be comments only, as XML wants it.
  std::vector<NodeId> open;
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    while (!open.empty() && document.node(open.back()).subtree_end <= id) {
      AppendEndTag(document, open.back(), out);
      open.pop_back();
    }
    switch (document.node(id).kind) {
      case NodeKind::kElement:
        AppendStartTag(document, id, out);
        if (document.FirstChild(id) == kNoNode) {
          out->append("/>");
        } else {
          out->push_back('>');
          open.push_back(id);
        }
        break;
      case NodeKind::kText:
        AppendText(document.Text(id), out);
        break;
      case NodeKind::kComment:
        out->append("<!--");
        AppendXmlComment(document.Text(id), out);
        out->append("-->");
        break;
      case NodeKind::kDocument:
        break;
    }
  }
  while (!open.empty()) {
    AppendEndTag(document, open.back(), out);
    open.pop_back();
  }
  out->push_back('\n');
}

void AppendIndentedText(const Document& document, std::string* out) {
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    const Node& node = document.node(id);
    if (node.depth <= kMaxIndent) {
      out->append(2 * (node.depth - 1u), ' ');
    } else {
      // Indenting without end would make the text of a deep page hundreds of
      // times its size.
      out->append(2 * kMaxIndent, ' ');
      StrAppend(out, "(", node.depth, ") ");
    }
    switch (node.kind) {
      case NodeKind::kElement: {
        out->append(document.TagOf(id));
        for (const Attribute& attribute : document.Attributes(id)) {
          StrAppend(out, " ", document.NameOf(attribute.name), "=\"",
                    absl::Utf8SafeCEscape(ToAbsl(document.Value(attribute))),
                    "\"");
        }
        break;
      }
      case NodeKind::kText:
        StrAppend(out, "\"",
                  absl::Utf8SafeCEscape(NormalizeSpace(document.Text(id))),
                  "\"");
        break;
      case NodeKind::kComment:
        StrAppend(out, "<!-- ",
                  absl::Utf8SafeCEscape(NormalizeSpace(document.Text(id))),
                  " -->");
        break;
      case NodeKind::kDocument:
        break;
    }
    out->push_back('\n');
  }
}

}  // namespace trommel::html
