#include "core/rule/fields/stylesheet.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/html/parser.h"
#include "core/rule/rule.h"
#include "tests/testing/xslt_judge.h"

namespace trommel::rule::fields {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

proto::Rule RuleOf(const std::string& text) {
  proto::Rule rule;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "site: 'a.example' cluster_id: '0123456789abcdef'" + text, &rule));
  return rule;
}

// A rule of one attribute.
proto::Rule RuleFor(const std::string& attribute,
                    const std::string& alternatives) {
  return RuleOf("schema { name: 's' attribute { name: 't' " + attribute +
                " } } program { fields { attribute { name: 't' " +
                alternatives + " } } }");
}

html::Document Parsed(const std::string& page) {
  html::Document document;
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  EXPECT_EQ(parser->ParseUtf8(page, &document), html::ParseOutcome::kOk);
  return document;
}

// The values of the first attribute by the stylesheet.
std::vector<std::string> Exported(const proto::Rule& rule,
                                  const std::string& page) {
  const html::Document document = Parsed(page);
  const auto stylesheet = MakeStylesheet(rule);
  if (!stylesheet.ok()) return {stylesheet.status().ToString()};
  const auto values =
      testing_support::RunStylesheet(rule, stylesheet->xslt, {&document});
  if (!values.ok()) return {values.status().ToString()};
  return (*values)[0][0];
}

TEST(StylesheetTest, EscapesWhatRulesSay) {
  proto::Rule rule = RuleFor("", R"pb(alternative {
                                        xpath: "//b[text()=\"a<b&'c'\"]/@title"
                                        regex: "<--->|a--"
                                      })pb");
  rule.set_site("<!-- \"{x}\" ' & -->");
  const auto stylesheet = MakeStylesheet(rule);
  ASSERT_TRUE(stylesheet.ok()) << stylesheet.status();
  EXPECT_THAT(stylesheet->xslt,
              HasSubstr("select=\"//b[text()=&quot;a&lt;b&amp;'c'&quot;]"));
  EXPECT_THAT(stylesheet->xslt, HasSubstr("{{x}}"));
  EXPECT_THAT(stylesheet->xslt, Not(HasSubstr("a--")));
  // xsltproc reads it, and the site comes out as it is.
  EXPECT_THAT(Exported(rule, "<b title='1 &lt; 2'>a&lt;b&amp;'c'</b>"),
              ElementsAre("1 < 2"));
}

TEST(StylesheetTest, WhatXmlForbidsIsReplaced) {
  proto::Rule rule = RuleFor(
      "", R"pb(alternative { xpath: "//b[@title=\"a\tc\"]" regex: "\f--" })pb");
  rule.set_site("\v\uFFFEx\r\n");
  const auto stylesheet = MakeStylesheet(rule);
  ASSERT_TRUE(stylesheet.ok()) << stylesheet.status();
  EXPECT_THAT(stylesheet->xslt, HasSubstr("//b[@title=&quot;a&#09;c&quot;]"));
  EXPECT_THAT(stylesheet->xslt, HasSubstr("match of \uFFFD- - in"));
  EXPECT_THAT(stylesheet->xslt, HasSubstr("site=\"\uFFFD\uFFFDx&#13;&#10;\""));
  rule.set_site("a.example");
  EXPECT_THAT(Exported(rule, "<b title='a\tc'>1</b>"), ElementsAre("1"));
}

TEST(StylesheetTest, QuotesOfBothKindsInLabels) {
  const proto::Rule rule = RuleFor(
      "",
      R"pb(alternative {
             xpath: "//td[preceding-sibling::td[1]=concat(\"Director's \", '\"cut\"')]/text()"
           })pb");
  EXPECT_THAT(
      Exported(rule, "<table><tr><td>Director's \"cut\"<td>yes</table>"),
      ElementsAre("yes"));
}

TEST(StylesheetTest, Decision) {
  struct Case {
    const char* label;
    std::string attribute, page;
    std::vector<std::string> expected;
  };
  const Case kCases[] = {
      {"the first that finds one", "", "<b>1</b><i>2</i>", {"1"}},
      {"conflict is passed over", "", "<b>1</b><b>3</b><i>2</i>", {"2"}},
      {"the same value twice is none", "", "<b>1</b><b>1</b><i>2</i>", {"1"}},
      {"only conflicts", "", "<b>1</b><b>3</b><i>2</i><i>4</i>", {"1"}},
      {"nothing", "", "<u>1</u>", {}},
      {"empty values count nothing", "", "<b>&nbsp;</b><i>2</i>", {"2"}},
      {"repeated", "repeated: true", "<b>1</b><b>3</b><b>1</b>", {"1", "3"}},
      {"repeated, second", "repeated: true", "<i>1</i><i>3</i>", {"1", "3"}},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Exported(RuleFor(c.attribute,
                               "alternative { xpath: '//b' } "
                               "alternative { xpath: '//i' }"),
                       c.page),
              c.expected)
        << c.label;
  }
}

TEST(StylesheetTest, TextOfElements) {
  struct Case {
    const char* label;
    std::string page;
    std::string expected;
  };
  const Case kCases[] = {
      {"line breaks", "<div>a<br>b</div>", "a b"},
      {"blocks", "<div>a<p>b</p>c</div>", "a b c"},
      {"inline", "<div>a<b>b</b>c</div>", "abc"},
      {"inline with gaps", "<div><b>a</b> <b>b</b></div>", "a b"},
      {"gaps are not inherited", "<div><b>a</b> <b><i>c</i><i>d</i></b></div>",
       "a cd"},
      {"gap before a script", "<div><b>a</b> <script>x</script><b>b</b></div>",
       "a b"},
      {"script separates nothing", "<div>a<script>x</script>b</div>", "ab"},
      {"not shown", "<div>a<style>x</style><noscript>y</noscript></div>", "a"},
      {"no-break spaces", "<div>&nbsp;a&nbsp;&nbsp; b&nbsp;</div>", "a b"},
      {"comments", "<div>a<!--x--> <!--y-->b</div>", "a b"},
  };
  for (const Case& c : kCases) {
    EXPECT_THAT(Exported(RuleFor("", "alternative { xpath: '//div' }"), c.page),
                ElementsAre(c.expected))
        << c.label;
  }
}

TEST(StylesheetTest, LongTextsAndManyNodesDoNotNest) {
  std::string words, items;
  for (int i = 0; i < 5000; ++i) {
    words += "w" + std::to_string(i) + " ";
    items += "<i>" + std::to_string(i) + "</i>";
  }
  const proto::Rule last = RuleFor(
      "",
      "alternative { xpath: '//p' range { first: 2 first_from_end: true "
      "last: 1 last_from_end: true } }");
  EXPECT_THAT(Exported(last, "<p>" + words), ElementsAre("w4998 w4999"));
  // Nor do occurrences of a literal that do not count.
  std::string numbers;
  for (int i = 0; i < 5000; ++i) numbers += "1,1 ";
  EXPECT_THAT(Exported(RuleFor("",
                               "alternative { xpath: '//p' range { "
                               "after { literal: ',' } } }"),
                       "<p>" + numbers + "a, b"),
              ElementsAre("b"));
  EXPECT_EQ(
      Exported(RuleFor("repeated: true", "alternative { xpath: '//i' }"), items)
          .size(),
      5000u);
}

TEST(StylesheetTest, SaysWhatItLeavesOut) {
  const proto::Rule rule = RuleOf(R"pb(
    schema {
      name: "s"
      attribute { name: "price" }
      attribute { name: "image" type: IMAGE }
      attribute { name: "title" }
    }
    program {
      fields {
        attribute {
          name: "price"
          alternative { xpath: "//b" regex: "\\d+" }
          alternative {
            xpath: "//i"
            classifier { prior_log_odds: 1 }
          }
        }
        attribute {
          name: "image"
          alternative { xpath: "//img/@data-src" }
        }
        attribute {
          name: "title"
          alternative {
            xpath: "//h1"
            range { separator: ", " separator: " / " }
          }
        }
      }
    })pb");
  const auto stylesheet = MakeStylesheet(rule);
  ASSERT_TRUE(stylesheet.ok()) << stylesheet.status();
  EXPECT_THAT(stylesheet->omissions,
              ElementsAre(HasSubstr("price, alternative 1"),
                          HasSubstr("price, alternative 2"),
                          HasSubstr("image, alternative 1"),
                          HasSubstr("title, alternative 1")));
  EXPECT_THAT(stylesheet->omissions[0], HasSubstr("\\d+"));
  EXPECT_THAT(stylesheet->omissions[1], HasSubstr("classifier"));
  EXPECT_THAT(stylesheet->omissions[2], HasSubstr("links"));
  EXPECT_THAT(stylesheet->omissions[3], HasSubstr("split at \", \", \" / \""));
  for (const std::string& omission : stylesheet->omissions) {
    EXPECT_THAT(stylesheet->xslt, HasSubstr("Not exported: " + omission));
  }
  EXPECT_THAT(
      MakeStylesheet(RuleFor("", "alternative { xpath: '//b' }"))->omissions,
      IsEmpty());
}

}  // namespace
}  // namespace trommel::rule::fields
