#include "core/export/stylesheet.h"

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/export/stylesheet_templates_internal.h"
#include "core/extract/extractor.h"
#include "core/html/serialize.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"
#include "core/xpath/parser.h"
#include "core/xpath/printer.h"

namespace trommel {
namespace {

constexpr std::string_view kHead =
    R"xslt(<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0"
  xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="xml" encoding="UTF-8"/>
  <xsl:param name="url" select="''"/>
)xslt";

std::string Quoted(std::string_view value) {
  std::string out;
  AppendXmlAttribute(value, &out);
  return out;
}

// The value of an attribute of an element that the stylesheet writes, where
// braces are expressions.
std::string QuotedTemplate(std::string_view value) {
  std::string doubled;
  for (const char c : value) {
    doubled.push_back(c);
    if (c == '{' || c == '}') doubled.push_back(c);
  }
  return Quoted(doubled);
}

void AppendComment(std::string_view text, std::string* out) {
  out->append("    <!-- ");
  html::AppendXmlComment(text, out);
  out->append(" -->\n");
}

std::vector<const std::string*> XPathsOf(const proto::Extractor& extractor) {
  std::vector<const std::string*> xpaths = {&extractor.xpath()};
  for (const std::string& also : extractor.also()) xpaths.push_back(&also);
  return xpaths;
}

// Whether what the path selects is, natively, made an absolute URL.
bool SelectsLinks(const xpath::LocationPath& path, bool is_link) {
  const xpath::LocationStep& last = path.steps.back();
  if (last.axis != xpath::Axis::kAttribute) return false;
  return is_link || last.test != xpath::NodeTest::kName || last.name == "src" ||
         last.name == "href";
}

class StylesheetWriter {
 public:
  explicit StylesheetWriter(const proto::Rule& rule) : rule_(rule) {}

  absl::StatusOr<Stylesheet> Write() {
    for (const proto::Attribute& attribute : rule_.schema().attribute()) {
      TROMMEL_RETURN_IF_ERROR(AddAttribute(attribute));
    }
    std::string& out = result_.xslt;
    out = kHead;
    AppendComment(
        StrCat("Rule ", RuleId(rule_), " of ", rule_.site(),
               ", for pages as \"trommel dom\" with the flag xml writes them"),
        &out);
    AppendComment(
        "Characters that XML forbids, form feed among them, are U+FFFD; a page "
        "without a mandatory attribute is written with what it has",
        &out);
    for (const std::string& omission : result_.omissions) {
      AppendComment(StrCat("Not exported: ", omission), &out);
    }
    StrAppend(&out, "  <xsl:template match=\"/\">\n    <record site=\"",
              QuotedTemplate(rule_.site()), "\" cluster_id=\"",
              QuotedTemplate(rule_.cluster_id()), "\" rule_id=\"",
              QuotedTemplate(RuleId(rule_)),
              "\">\n    <xsl:if test=\"$url != ''\">\n"
              "      <xsl:attribute name=\"url\"><xsl:value-of "
              "select=\"$url\"/></xsl:attribute>\n    </xsl:if>\n"
              "    <xsl:text>&#10;</xsl:text>\n",
              attributes_, "    </record>\n  </xsl:template>\n",
              SharedTemplates(), "</xsl:stylesheet>\n");
    return std::move(result_);
  }

 private:
  absl::Status AddAttribute(const proto::Attribute& attribute) {
    ++number_;
    int count = 0;
    for (const proto::AttributeRule& of_rule : rule_.attribute()) {
      if (of_rule.name() != attribute.name()) continue;
      for (const proto::Extractor& alternative : of_rule.alternative()) {
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
    for (const std::string* text : XPathsOf(alternative)) {
      TROMMEL_ASSIGN_OR_RETURN(const xpath::LocationPath path,
                               xpath::Parse(*text));
      StrAppend(&selection, selection.empty() ? "" : " | ", Selection(path));
      has_links |= SelectsLinks(path, IsLink(attribute));
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
    StrAppend(&attributes_, "    <xsl:variable name=\"", Variable(index),
              "\">\n      <xsl:call-template name=\"values\">\n"
              "        <xsl:with-param name=\"nodes\"\n          select=\"",
              Quoted(selection), "\"/>\n");
    if (alternative.has_range()) {
      const proto::TextRange& range = alternative.range();
      StrAppend(&attributes_,
                "        <xsl:with-param name=\"first\" select=\"",
                range.first_from_end() ? "-" : "", range.first(),
                "\"/>\n        <xsl:with-param name=\"last\" select=\"",
                range.last_from_end() ? "-" : "", range.last(), "\"/>\n");
    }
    StrAppend(&attributes_,
              "      </xsl:call-template>\n    </xsl:variable>\n");
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
    const std::string variable = StrCat("node", ++num_nodes_);
    AppendComment(xpath::ToString(path), &attributes_);
    StrAppend(&attributes_, "    <xsl:variable name=\"", variable,
              "\">\n      <xsl:for-each select=\"", Quoted(nodes),
              "\">\n        ", DocumentOrder(),
              "\n        <xsl:if test=\"position() = ",
              path.position == xpath::kLast ? "last()" : StrCat(path.position),
              "\"><xsl:value-of select=\"generate-id()\"/></xsl:if>\n"
              "      </xsl:for-each>\n    </xsl:variable>\n");
    return StrCat("(", nodes, ")[generate-id()=$", variable, "]");
  }

  // The first alternative that finds something decides; where the attribute is
  // not repeated, those that find one value come before those that find more.
  void AddDecision(const proto::Attribute& attribute, int count) {
    StrAppend(&attributes_, "    <xsl:choose>\n");
    for (const bool one_only : {true, false}) {
      if (one_only && attribute.repeated()) continue;
      for (int index = 1; index <= count; ++index) {
        AddChoice(attribute, Variable(index), one_only);
      }
    }
    StrAppend(&attributes_, "    </xsl:choose>\n");
  }

  void AddChoice(const proto::Attribute& attribute, const std::string& variable,
                 bool one_only) {
    StrAppend(&attributes_, "      <xsl:when test=\"string($", variable,
              ") != ''");
    if (one_only) {
      StrAppend(&attributes_, " and substring-after($", variable,
                ", '&#10;') = ''");
    }
    StrAppend(&attributes_, "\">\n        <attribute name=\"",
              QuotedTemplate(attribute.name()), "\">");
    if (attribute.repeated()) {
      StrAppend(&attributes_, "<xsl:copy-of select=\"$", variable, "\"/>");
    } else {
      StrAppend(&attributes_,
                "<value><xsl:value-of select=\"substring-before($", variable,
                ", '&#10;')\"/></value>");
    }
    StrAppend(&attributes_,
              "</attribute>\n        <xsl:text>&#10;</xsl:text>\n"
              "      </xsl:when>\n");
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
  std::string attributes_;
  Stylesheet result_;
};

}  // namespace

absl::StatusOr<Stylesheet> MakeStylesheet(const proto::Rule& rule) {
  TROMMEL_RETURN_IF_ERROR(RuleExtractor::Compile(rule).status());
  return StylesheetWriter(rule).Write();
}

}  // namespace trommel
