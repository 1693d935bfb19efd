#include "core/rule/fields/shared_templates_internal.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/characters.h"
#include "core/base/strings.h"
#include "core/html/names.h"
#include "core/html/text.h"
#include "core/rule/fields/assets_internal.h"
#include "core/rule/fields/tokens.h"

namespace trommel::rule::fields {
namespace {

// "a | abbr | b", of the frequent names for which `is` holds.
std::string Names(bool (*is)(html::NameId)) {
  std::string names;
  for (html::NameId id = html::names::kNone + 1;
       id < html::names::kFirstDynamic; ++id) {
    if (!is(id)) continue;
    StrAppend(&names, names.empty() ? "" : " | ", html::FrequentNameOf(id));
  }
  return names;
}

size_t NumCharacters(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) TakeCharacter(&text);
  return count;
}

// A template for elements inside of a value, by their names.
pugi::xml_node AppendElementTemplate(const char* comment,
                                     bool (*is)(html::NameId),
                                     pugi::xml_node stylesheet) {
  stylesheet.append_child(pugi::node_comment).set_value(comment);
  pugi::xml_node added = stylesheet.append_child("xsl:template");
  added.append_attribute("match") = Names(is).c_str();
  added.append_attribute("mode") = "inside";
  return added;
}

// For `find`: the characters whose kinds it asks for, and these kinds.
void AppendCharacterKinds(pugi::xml_node stylesheet) {
  const auto add = [&](const char* name, const std::string& value) {
    pugi::xml_node variable = stylesheet.append_child("xsl:variable");
    variable.append_attribute("name") = name;
    variable.text() = value.c_str();
  };
  const std::string marks = AllMarks(), digits = AllDigits();
  add("marks-and-digits", marks + digits);
  add("marks-and-digits-as-kinds", std::string(NumCharacters(marks), '_') +
                                       std::string(NumCharacters(digits), '0'));
}

}  // namespace

SharedTemplates::SharedTemplates() {
  // White space counts where it is all that an element has: <xsl:text>.
  document_.load_buffer(
      kSharedTemplates.data(), kSharedTemplates.size(),
      pugi::parse_default | pugi::parse_comments | pugi::parse_ws_pcdata_single,
      pugi::encoding_utf8);
}

void SharedTemplates::AppendTo(pugi::xml_node stylesheet) const {
  AppendCharacterKinds(stylesheet);
  for (const pugi::xml_node node : document_.document_element()) {
    stylesheet.append_copy(node);
  }
  pugi::xml_node inline_elements = AppendElementTemplate(
      " These do not. ", html::IsInlineElement, stylesheet);
  pugi::xml_node inside = inline_elements.append_child("xsl:apply-templates");
  inside.append_attribute("select") = ".";
  inside.append_attribute("mode") = "value";
  AppendElementTemplate(" These are not shown. ", html::IsHiddenElement,
                        stylesheet);
}

void SharedTemplates::AppendDocumentOrderTo(pugi::xml_node for_each) const {
  for_each.append_copy(document_.find_node([](const pugi::xml_node& node) {
    return std::string_view(node.name()) == "xsl:sort";
  }));
}

}  // namespace trommel::rule::fields
