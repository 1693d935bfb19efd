#include "tests/testing/xpath_judge.h"

#include <pugixml.hpp>
#include <unordered_map>
#include <utility>

#include "core/base/strings.h"
#include "core/html/serialize.h"

namespace trommel::testing_support {

using html::NodeId;

struct XPathJudge::Page {
  const html::Document* document;
  pugi::xml_document xml;
  std::vector<pugi::xml_node> nodes;  // by NodeId
  std::unordered_map<const void*, NodeId> ids;
};

XPathJudge::XPathJudge(std::unique_ptr<Page> page) : page_(std::move(page)) {}
XPathJudge::XPathJudge(XPathJudge&&) noexcept = default;
XPathJudge::~XPathJudge() = default;

absl::StatusOr<XPathJudge> XPathJudge::Open(const html::Document& document) {
  auto page = std::make_unique<Page>();
  page->document = &document;
  std::string xml;
  html::AppendXml(document, &xml);
  const pugi::xml_parse_result result = page->xml.load_buffer(
      xml.data(), xml.size(),
      pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol |
          pugi::parse_comments | pugi::parse_ws_pcdata |
          pugi::parse_wconv_attribute,
      pugi::encoding_utf8);
  if (!result) return absl::InternalError(result.description());
  // Document order, without recursion.
  for (pugi::xml_node node = page->xml; node;) {
    page->ids[node.internal_object()] = static_cast<NodeId>(page->nodes.size());
    page->nodes.push_back(node);
    if (node.first_child()) {
      node = node.first_child();
      continue;
    }
    while (node && !node.next_sibling()) node = node.parent();
    if (node) node = node.next_sibling();
  }
  if (page->nodes.size() != document.num_nodes()) {
    return absl::InternalError(StrCat("the XML has ", page->nodes.size(),
                                      " nodes, the document ",
                                      document.num_nodes()));
  }
  return XPathJudge(std::move(page));
}

absl::StatusOr<std::vector<xpath::Match>> XPathJudge::Select(
    const std::string& expression, NodeId context) const {
  const pugi::xpath_query query(expression.c_str());
  if (!query) {
    return absl::InvalidArgumentError(StrCat("pugixml at ",
                                             query.result().offset, ": ",
                                             query.result().description()));
  }
  if (query.return_type() != pugi::xpath_type_node_set) {
    return absl::InvalidArgumentError("not a node set");
  }
  pugi::xpath_node_set set = query.evaluate_node_set(page_->nodes[context]);
  set.sort();
  std::vector<xpath::Match> matches;
  for (const pugi::xpath_node& selected : set) {
    xpath::Match& match = matches.emplace_back();
    const pugi::xml_attribute attribute = selected.attribute();
    const pugi::xml_node node = attribute ? selected.parent() : selected.node();
    match.node = page_->ids.at(node.internal_object());
    if (!attribute) continue;
    match.attribute = 0;
    for (pugi::xml_attribute before = attribute.previous_attribute(); before;
         before = before.previous_attribute()) {
      ++match.attribute;
    }
    const html::Document& document = *page_->document;
    match.value =
        document.Value(document.Attributes(match.node)[match.attribute]);
  }
  return matches;
}

}  // namespace trommel::testing_support
