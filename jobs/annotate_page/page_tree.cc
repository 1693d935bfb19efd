#include "jobs/annotate_page/page_tree.h"

#include <zlib.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/escaping.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/html/serialize.h"
#include "jobs/annotate_page/json_text_internal.h"
#include "jobs/annotate_page/style_sheet_internal.h"

namespace trommel::jobs::annotate_page {
namespace {

using html::Document;
using html::Node;
using html::NodeId;
using html::NodeKind;

// A longer value, such as a picture inside a URL, is left out: cut it would be
// another value, whole it would be most of the page.
constexpr size_t kMaxValueBytes = 8192;
// Style sheets only serve the looks.
constexpr size_t kMaxStyleBytes = size_t{512} << 10;

// Fast compression: trees are written for every sampled page, and read once.
constexpr int kCompressionLevel = 3;

// Elements without text for readers. Those that load something but hold text to
// show in its stead, such as <object>, are not among them: that text counts.
bool IsNeverBuilt(std::string_view tag) {
  static const auto* const kTags = new absl::flat_hash_set<std::string_view>{
      "base",   "basefont", "bgsound",  "embed",    "frame",    "iframe",
      "link",   "meta",     "noembed",  "noframes", "noscript", "param",
      "script", "source",   "template", "track"};
  return kTags->contains(tag);
}

bool IsKept(std::string_view attribute) {
  static const auto* const kNames = new absl::flat_hash_set<std::string_view>{
      // looks
      "align", "bgcolor", "border", "cellpadding", "cellspacing", "checked",
      "class", "color", "cols", "colspan", "dir", "face", "height", "hidden",
      "id", "lang", "media", "nowrap", "open", "placeholder", "reversed",
      "rowspan", "selected", "size", "span", "start", "style", "type", "valign",
      "width",
      // values
      "alt", "content", "data-original", "data-src", "datetime", "href", "src",
      "title", "value"};
  return kNames->contains(attribute);
}

void AppendAttributes(const Document& document, NodeId id, std::string* out) {
  *out += '{';
  bool first = true;
  for (const html::Attribute& attribute : document.Attributes(id)) {
    const std::string_view name = document.NameOf(attribute.name);
    const std::string_view value = document.Value(attribute);
    if (!IsKept(name) || value.size() > kMaxValueBytes) continue;
    if (!first) *out += ',';
    first = false;
    AppendJsonString(name, out);
    *out += ':';
    AppendJsonString(name == "style" ? WithoutAddresses(value) : value, out);
  }
  *out += '}';
}

// The style sheet of a <style>: in SVG it may be several texts with comments
// and elements between them, which only together have meaning.
std::string SheetOf(const Document& document, NodeId style) {
  std::string sheet;
  for (NodeId child = document.FirstChild(style); child != html::kNoNode;
       child = document.NextSibling(child)) {
    if (document.IsText(child)) sheet += document.Text(child);
  }
  return WithoutAddresses(sheet);
}

// The style sheets of a page, as far as they are kept.
class StyleSheets {
 public:
  // What stands in the tree for a text of a <style>: the first of its texts
  // stands for all, the others are empty.
  std::string TextFor(const Document& document, NodeId style) {
    if (!seen_.insert(style).second) return "";
    std::string sheet = SheetOf(document, style);
    if (sheet.size() > kMaxStyleBytes - bytes_) return "";
    bytes_ += sheet.size();
    return sheet;
  }

 private:
  absl::flat_hash_set<NodeId> seen_;
  size_t bytes_ = 0;
};

std::string Gzip(std::string_view bytes) {
  z_stream stream = {};
  // 15 bits of window, and 16 for a gzip header.
  if (deflateInit2(&stream, kCompressionLevel, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return "";  // no memory; the allocation below would fail as well
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string PageTreeJson(const Document& document) {
  std::string out = "[";
  std::vector<NodeId> ends;  // of the open elements
  bool gap = false;
  StyleSheets sheets;
  const auto append_comma = [&out] {
    if (out.back() != '[') out += ',';
  };
  for (NodeId id = 1; id < document.num_nodes();) {
    const Node& node = document.node(id);
    for (; !ends.empty() && ends.back() <= id; ends.pop_back()) out += ']';
    gap |= node.space_before;
    if (node.kind == NodeKind::kComment) {
      id = node.subtree_end;
      continue;
    }
    append_comma();
    if (node.kind == NodeKind::kText) {
      std::string sheet;
      std::string_view text = document.Text(id);
      if (document.TagOf(node.parent) == "style") {
        sheet = sheets.TextFor(document, node.parent);
        text = sheet;
      }
      if (gap && !text.empty() && !IsHtmlSpace(text.front())) {
        AppendJsonString(StrCat(" ", text), &out);
      } else {
        AppendJsonString(text, &out);
      }
      gap = false;
      ++id;
      continue;
    }
    if (gap) out += "1,";
    gap = false;
    const std::string_view tag = document.TagOf(id);
    out += '[';
    AppendJsonString(html::XmlName(tag), &out);
    if (IsNeverBuilt(tag)) {
      out += ']';
      id = node.subtree_end;
      continue;
    }
    out += ',';
    AppendAttributes(document, id, &out);
    ends.push_back(node.subtree_end);
    ++id;
  }
  out.append(ends.size() + 1, ']');
  return out;
}

std::string EncodePageTree(const Document& document) {
  const std::string compressed = Gzip(PageTreeJson(document));
  std::string out;
  absl::Base64Escape(ToAbsl(compressed), &out);
  return out;
}

}  // namespace trommel::jobs::annotate_page
