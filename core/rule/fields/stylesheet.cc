#include "core/rule/fields/stylesheet.h"

#include <initializer_list>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/strings/str_join.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/fields/fields.h"
#include "core/rule/fields/shared_templates_internal.h"
#include "core/rule/fields/text_range.h"
#include "core/rule/fields/tokens.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"
#include "core/xpath/parser.h"
#include "core/xpath/printer.h"

namespace trommel::rule::fields {
namespace {

// Elements and attributes of the stylesheet. pugixml escapes what it prints but
// lets pass what XML forbids.
std::string XmlCharacters(std::string_view text) {
  std::string out;
  AppendXmlCharacters(text, &out);
  return out;
}

using AttributeList =
    std::initializer_list<std::pair<const char*, std::string_view>>;

pugi::xml_node Append(pugi::xml_node parent, const char* element,
                      AttributeList attributes = {}) {
  pugi::xml_node added = parent.append_child(element);
  for (const auto& [name, value] : attributes) {
    added.append_attribute(name) = XmlCharacters(value).c_str();
  }
  return added;
}

void AppendLineFeed(pugi::xml_node parent) {
  Append(parent, "xsl:text").text() = "\n";
}

void SetComment(std::string_view text, pugi::xml_node comment) {
  comment.set_value(XmlCharacters(StrCat(" ", text, " ")).c_str());
}

// The value of an attribute of an element that the stylesheet writes, where
// braces are expressions.
std::string Template(std::string_view value) {
  std::string doubled;
  for (const char c : value) {
    doubled.push_back(c);
    if (c == '{' || c == '}') doubled.push_back(c);
  }
  return doubled;
}

// Whether what the path selects is, natively, made an absolute URL.
bool SelectsLinks(const xpath::LocationPath& path, bool is_link) {
  const xpath::LocationStep& last = path.steps.back();
  if (last.axis != xpath::Axis::kAttribute) return false;
  return is_link || last.test != xpath::NodeTest::kName || last.name == "src" ||
         last.name == "href";
}

// Whether a literal may begin or end beside this character, as `find` of the
// shared templates has it.
char EdgeOf(CharacterKind kind) {
  switch (kind) {
    case CharacterKind::kLetter:
      return 'a';
    case CharacterKind::kDigit:
      return '0';
    case CharacterKind::kPoint:
      return '.';
    case CharacterKind::kIdeograph:
    case CharacterKind::kMark:
    case CharacterKind::kSpace:
      break;
  }
  return '-';
}

// The parameters of the shared templates for one literal.
void AppendDelimiter(const std::string& name, const proto::Delimiter& delimiter,
                     pugi::xml_node call) {
  const auto append = [&](const std::string& parameter,
                          const std::string& value) {
    Append(call, "xsl:with-param",
           {{"name", parameter}, {"select", xpath::QuoteLiteral(value)}});
  };
  append(name, delimiter.literal());
  append(name + "-edges", {EdgeOf(FirstKind(delimiter.literal())),
                           EdgeOf(LastKind(delimiter.literal()))});
  append(name + "-which",
         StrCat(delimiter.from_end() ? "last" : "first",
                delimiter.may_be_missing() ? " optional" : ""));
}

void AppendRange(const proto::TextRange& range, pugi::xml_node call) {
  if (IsRangeOfWords(range)) {
    const std::string first =
        StrCat(range.first_from_end() ? "-" : "", range.first());
    const std::string last =
        StrCat(range.last_from_end() ? "-" : "", range.last());
    Append(call, "xsl:with-param", {{"name", "first"}, {"select", first}});
    Append(call, "xsl:with-param", {{"name", "last"}, {"select", last}});
    return;
  }
  if (range.has_after()) AppendDelimiter("after", range.after(), call);
  if (range.has_before()) AppendDelimiter("before", range.before(), call);
}

class StylesheetWriter {
 public:
  explicit StylesheetWriter(const proto::Rule& rule) : rule_(rule) {}

  absl::StatusOr<Stylesheet> Write() {
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node stylesheet =
        Append(document, "xsl:stylesheet",
               {{"version", "1.0"},
                {"xmlns:xsl", "http://www.w3.org/1999/XSL/Transform"}});
    Append(stylesheet, "xsl:output",
           {{"method", "xml"}, {"encoding", "UTF-8"}});
    Append(stylesheet, "xsl:param", {{"name", "url"}, {"select", "''"}});
    pugi::xml_node page = Append(stylesheet, "xsl:template", {{"match", "/"}});
    TROMMEL_RETURN_IF_ERROR(AppendRecord(page));
    InsertComments(page);
    templates_.AppendTo(stylesheet);
    std::ostringstream xslt;
    document.save(xslt, "  ", pugi::format_indent, pugi::encoding_utf8);
    result_.xslt = xslt.str();
    return std::move(result_);
  }

 private:
  // What a reader of the stylesheet must know, before the template of a page.
  void InsertComments(pugi::xml_node page) {
    std::vector<std::string> comments = {
        StrCat("Rule ", RuleId(rule_), " of ", rule_.site(),
               ", for pages as \"trommel dom\" with the flag xml writes them"),
        "Characters that XML forbids, form feed among them, are U+FFFD; a page "
        "without a mandatory attribute is written with what it has"};
    for (const std::string& omission : result_.omissions) {
      comments.push_back(StrCat("Not exported: ", omission));
    }
    for (const std::string& comment : comments) {
      SetComment(comment,
                 page.parent().insert_child_before(pugi::node_comment, page));
    }
  }

  absl::Status AppendRecord(pugi::xml_node page) {
    record_ = Append(page, "record",
                     {{"site", Template(rule_.site())},
                      {"cluster_id", Template(rule_.cluster_id())},
                      {"rule_id", Template(RuleId(rule_))}});
    pugi::xml_node has_url =
        Append(record_, "xsl:if", {{"test", "$url != ''"}});
    pugi::xml_node url = Append(has_url, "xsl:attribute", {{"name", "url"}});
    Append(url, "xsl:value-of", {{"select", "$url"}});
    AppendLineFeed(record_);
    for (const proto::Attribute& attribute : rule_.schema().attribute()) {
      TROMMEL_RETURN_IF_ERROR(AddAttribute(attribute));
    }
    return absl::OkStatus();
  }

  absl::Status AddAttribute(const proto::Attribute& attribute) {
    ++number_;
    int count = 0;
    for (const proto::AttributeRule& attribute_rule :
         rule_.program().fields().attribute()) {
      if (attribute_rule.name() != attribute.name()) continue;
      for (const proto::Extractor& alternative : attribute_rule.alternative()) {
        TROMMEL_RETURN_IF_ERROR(
            AddAlternative(attribute, ++count, alternative));
      }
    }
    if (count > 0) AddDecision(attribute, count);
    return absl::OkStatus();
  }

  // The selection without nodes that say that there is no value.
  std::string Filtered(const std::string& place,
                       const proto::Extractor& alternative,
                       std::string selection) {
    if (alternative.check().empty() && alternative.stop_value().empty()) {
      return selection;
    }
    std::string filter;
    const auto add = [&](const std::string& test) {
      StrAppend(&filter, filter.empty() ? "" : " and ", test);
    };
    if (alternative.check() == R"(\d)") {
      add("translate(., \"0123456789\", \"\") != string(.)");
    } else if (alternative.check() == R"(\.)") {
      add("contains(., \".\")");
    } else if (!alternative.check().empty()) {
      Omit(place, StrCat("texts without a match of ", alternative.check(),
                         " are no values; they are given"));
    }
    for (const std::string& stop : alternative.stop_value()) {
      add(StrCat("normalize-space(translate(., \"\xC2\xA0\", \" \")) != ",
                 xpath::QuoteLiteral(stop)));
    }
    return filter.empty() ? selection
                          : StrCat("(", selection, ")[", filter, "]");
  }

  // A variable with the values that the alternative finds.
  absl::Status AddAlternative(const proto::Attribute& attribute, int index,
                              const proto::Extractor& alternative) {
    const std::string place =
        StrCat(attribute.name(), ", alternative ", index, ": ");
    std::string selection;
    bool has_links = false;
    for (const std::string& text : XPathsOf(alternative)) {
      TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path,
                               xpath::Parse(text));
      StrAppend(&selection, selection.empty() ? "" : " | ", Selection(path));
      has_links |= SelectsLinks(path, schema::IsLink(attribute));
    }
    if (alternative.has_classifier()) {
      Omit(place, "a classifier chooses among the nodes; all are given");
    }
    if (has_links) {
      Omit(place, "links are made absolute; they are given as they stand");
    }
    if (!alternative.regex().empty()) {
      Omit(place,
           StrCat("the value is the first match of ", alternative.regex(),
                  " in the text; it is given "
                  "whole"));
    }
    selection = Filtered(place, alternative, std::move(selection));
    pugi::xml_node variable =
        Append(record_, "xsl:variable", {{"name", Variable(index)}});
    pugi::xml_node values =
        Append(variable, "xsl:call-template", {{"name", "values"}});
    Append(values, "xsl:with-param",
           {{"name", "nodes"}, {"select", selection}});
    if (alternative.has_range()) AppendRange(alternative.range(), values);
    if (alternative.range().separator_size() > 0) {
      Omit(place,
           StrCat("the text is a list, split at \"",
                  absl::StrJoin(alternative.range().separator(), "\", \""),
                  "\"; it is given whole"));
    }
    return absl::OkStatus();
  }

  // The path as it stands, but where a position counts nodes of several kinds,
  // which depends on their order, a variable finds the node.
  std::string Selection(const xpath::LocationPath& path) {
    if (path.position == xpath::kNoPosition ||
        path.steps.back().test != xpath::NodeTest::kAnyNode) {
      return xpath::ToString(path);
    }
    xpath::LocationPath all = path;
    all.position = xpath::kNoPosition;
    const std::string nodes = xpath::ToString(all);
    const std::string name = StrCat("node", ++num_nodes_);
    SetComment(xpath::ToString(path), record_.append_child(pugi::node_comment));
    pugi::xml_node variable = Append(record_, "xsl:variable", {{"name", name}});
    pugi::xml_node each = Append(variable, "xsl:for-each", {{"select", nodes}});
    templates_.AppendDocumentOrderTo(each);
    pugi::xml_node at_position = Append(
        each, "xsl:if",
        {{"test", StrCat("position() = ", path.position == xpath::kLast
                                              ? "last()"
                                              : StrCat(path.position))}});
    Append(at_position, "xsl:value-of", {{"select", "generate-id()"}});
    return StrCat("(", nodes, ")[generate-id()=$", name, "]");
  }

  // The first alternative that finds something decides; where alternatives vote
  // and the attribute is not repeated, those that find one value come before
  // those that find more.
  void AddDecision(const proto::Attribute& attribute, int count) {
    const bool is_layered =
        FindAttributeRule(rule_.program(), attribute.name())->combination() ==
        proto::AttributeRule::FIRST;
    pugi::xml_node choose = Append(record_, "xsl:choose");
    for (const bool one_only : {true, false}) {
      if (one_only && (attribute.repeated() || is_layered)) continue;
      for (int index = 1; index <= count; ++index) {
        AddChoice(attribute, Variable(index), one_only, choose);
      }
    }
  }

  static void AddChoice(const proto::Attribute& attribute,
                        const std::string& variable, bool one_only,
                        pugi::xml_node choose) {
    std::string test = StrCat("string($", variable, ") != ''");
    if (one_only) {
      StrAppend(&test, " and substring-after($", variable, ", '\n') = ''");
    }
    pugi::xml_node when = Append(choose, "xsl:when", {{"test", test}});
    pugi::xml_node element =
        Append(when, "attribute", {{"name", Template(attribute.name())}});
    if (attribute.repeated()) {
      Append(element, "xsl:copy-of", {{"select", StrCat("$", variable)}});
    } else {
      Append(Append(element, "value"), "xsl:value-of",
             {{"select", StrCat("substring-before($", variable, ", '\n')")}});
    }
    AppendLineFeed(when);
  }

  void Omit(const std::string& place, std::string_view what) {
    result_.omissions.push_back(StrCat(place, what));
  }

  std::string Variable(int index) const {
    return StrCat("a", number_, ".", index);
  }

  const proto::Rule& rule_;
  int number_ = 0;     // of the attribute
  int num_nodes_ = 0;  // variables of Selection()
  SharedTemplates templates_;
  pugi::xml_node record_;
  Stylesheet result_;
};

}  // namespace

absl::StatusOr<Stylesheet> MakeStylesheet(const proto::Rule& rule) {
  return StylesheetWriter(rule).Write();
}

}  // namespace trommel::rule::fields
