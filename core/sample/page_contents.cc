#include "core/sample/page_contents.h"

#include <string_view>

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/html/text.h"

namespace trommel::sample {
namespace {

using html::Document;
using html::NameId;
using html::Node;
using html::NodeId;
using html::NodeKind;
namespace names = html::names;

// What sets the parts of a path apart.
constexpr uint64_t kRootPath = 0x70617468;
constexpr uint64_t kIdPart = 0x6964;
constexpr uint64_t kClassPart = 0x636C617373;
constexpr uint64_t kTextStep = 0x74657874;
constexpr uint64_t kSourceStep = 0x737263;

uint64_t Join(uint64_t path, uint64_t part) {
  return Mix64(path * 0x9E3779B97F4A7C15u + part);
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The hash of an id or a class, in which any run of digits is one zero. Byte by
// byte (FNV-1a), because ids and classes are short and need no copy so.
uint64_t HashWithoutDigits(std::string_view value) {
  uint64_t hash = 0xCBF29CE484222325u;
  bool after_digit = false;
  for (const char c : value) {
    const bool is_digit = IsDigit(c);
    if (is_digit && after_digit) continue;
    after_digit = is_digit;
    hash = (hash ^ (is_digit ? '0' : static_cast<uint8_t>(c))) * 0x100000001B3u;
  }
  return hash;
}

uint64_t ElementPath(const Document& document, NodeId id, uint64_t parent) {
  // Ids of frequent names are the same in all documents, others are not.
  const NameId name = document.node(id).name;
  uint64_t path =
      Join(parent, name < names::kFirstDynamic
                       ? name
                       : Hash64(document.NameOf(name), names::kFirstDynamic));
  for (const html::Attribute& attribute : document.Attributes(id)) {
    if (attribute.name == names::k_id) {
      path = Join(path, kIdPart + HashWithoutDigits(document.Value(attribute)));
    } else if (attribute.name == names::k_class) {
      path =
          Join(path, kClassPart + HashWithoutDigits(document.Value(attribute)));
    }
  }
  return path;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsHtmlSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsHtmlSpace(text.back())) text.remove_suffix(1);
  return text;
}

// Elements whose content is no text for readers; the title in the head is.
bool IsPassedOver(NameId name) {
  return name != names::k_head && html::IsHiddenElement(name);
}

}  // namespace

void ContentCollector::Collect(const Document& document,
                               std::vector<PathContent>* contents) {
  contents->clear();
  paths_.assign(1, kRootPath);
  const NodeId end = static_cast<NodeId>(document.num_nodes());
  for (NodeId id = 1; id < end && contents->size() < kMaxPageContents;) {
    const Node& node = document.node(id);
    const uint64_t parent = paths_[node.depth - 1];
    if (node.kind == NodeKind::kText) {
      contents->push_back(
          {Join(parent, kTextStep), Hash64(Trimmed(document.Text(id)))});
    } else if (node.kind == NodeKind::kElement) {
      if (IsPassedOver(node.name)) {
        id = node.subtree_end;
        continue;
      }
      const uint64_t path = ElementPath(document, id, parent);
      paths_.resize(node.depth);
      paths_.push_back(path);
      if (node.name == names::k_img) {
        const std::string_view source = document.Value(id, names::k_src);
        if (!source.empty()) {
          contents->push_back({Join(path, kSourceStep), Hash64(source)});
        }
      }
    }
    ++id;
  }
}

}  // namespace trommel::sample
