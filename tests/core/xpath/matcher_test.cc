#include "core/xpath/matcher.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/xpath/parser.h"
#include "tests/testing/xpath_judge.h"

namespace trommel::xpath {
namespace {

using html::Document;
using html::DocumentBuilder;
using html::NodeId;

Document ParseHtml(std::string_view html) {
  Document document;
  EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(html, &document),
            html::ParseOutcome::kOk);
  return document;
}

Matcher Compiled(std::string_view expression) {
  const absl::StatusOr<LocationPath> path = Parse(expression);
  EXPECT_TRUE(path.ok()) << expression << ": " << path.status();
  absl::StatusOr<Matcher> matcher = Matcher::Compile(*path);
  EXPECT_TRUE(matcher.ok()) << matcher.status();
  return *std::move(matcher);
}

// A node by its id attribute, text, tag or kind, whichever it has.
std::string Label(const Document& document, const Match& match) {
  if (match.attribute != kNoAttribute) return StrCat("@", match.value);
  const std::string_view id = document.Value(match.node, html::names::k_id);
  if (!id.empty()) return std::string(id);
  if (document.IsElement(match.node)) {
    return StrCat("<", document.TagOf(match.node), ">");
  }
  return match.node == 0 ? std::string("/")
                         : StrCat("'", document.Text(match.node), "'");
}

std::string Selected(const Document& document, std::string_view expression) {
  const Matcher matcher = Compiled(expression);
  std::vector<Match> matches;
  matcher.Select(document, &matches);
  std::string out;
  std::vector<bool> selected(document.num_nodes());
  for (const Match& match : matches) {
    StrAppend(&out, out.empty() ? "" : " ", Label(document, match));
    selected[match.node] = true;
  }
  // Every row of every table is also a test of Matches(), and of the judge.
  for (NodeId id = 0; id < document.num_nodes(); ++id) {
    EXPECT_EQ(matcher.Matches(document, id), selected[id])
        << expression << " on node " << id;
  }
  const auto judge = testing_support::XPathJudge::Open(document);
  EXPECT_TRUE(judge.ok()) << judge.status();
  EXPECT_TRUE(*judge->Select(std::string(expression)) == matches) << expression;
  return out;
}

TEST(MatcherTest, Table) {
  const Document document = ParseHtml(
      "<body><div id=d1 class='a b'><p id=p1>one</p><p id=p2>two<b id=b1>"
      "three</b></p><!--c--></div>"
      "<div id=d2 class=b><p id=p3>Price: <b id=b2>5</b></p>"
      "<ul id=u><li id=l1>x<li id=l2 class=a>y<li id=l3>z</ul>"
      "<a id=a1 href=h xlink:href=i>it's \"so\"</a></div>");
  struct Case {
    std::string_view expression, selected;
  };
  const Case kCases[] = {
      {"/html/body/div", "d1 d2"},
      {"/body", ""},
      {"//div", "d1 d2"},
      {"//p/b", "b1 b2"},
      {"//div//b", "b1 b2"},
      {"//nosuch", ""},
      {"//li[2]", "l2"},
      {"//li[last()]", "l3"},
      {"//p[1]", "p1 p3"},
      {"(//p)[1]", "p1"},
      {"(//p)[last()]", "p3"},
      {"(//p)[4]", ""},
      {"(//nosuch)[last()]", ""},
      {"/descendant::p[2]", "p2"},
      {"//li[3]/preceding-sibling::li[1]", "l2"},
      {"//li[3]/preceding-sibling::li", "l1 l2"},
      {"//li[1]/following-sibling::*[2]", "l3"},
      {"//b[1]/ancestor::div", "d1 d2"},
      {"//b/ancestor::*[1]", "p2 p3"},
      {"//b/..", "p2 p3"},
      {"//b/../..", "d1 d2"},
      {"//ul/preceding::b[1]", "b2"},
      {"//ul/preceding::b[2]", "b1"},
      {"//p[1]/following::b[1]", "b1"},
      {"/html/ancestor::node()", "/"},
      {"//p/self::p[b]", "p2 p3"},
      {"//*[@class]", "d1 d2 l2"},
      {"//*[@class=\"b\"]", "d2"},
      {"//*[@class != \"b\"]", "d1 l2"},
      {"//body/*[not(@class=\"b\")]", "d1"},
      {"//*[contains(concat(\" \", normalize-space(@class), \" \"), \" b \")]",
       "d1 d2"},
      {"//*[@class=\"a\" or @class=\"b\"]", "d2 l2"},
      {"//*[@class and @id=\"l2\"]", "l2"},
      {"//text()[.=\"two\"]", "'two'"},
      {"//*[.=\"twothree\"]", "p2"},
      {"//*[text()=\"two\"]", "p2"},
      {"//b[.=\"5\"]/text()", "'5'"},
      {"//p[starts-with(., \"Price\")]", "p3"},
      {"//p[contains(., \"onetwo\")]", ""},
      {"//p[contains(., \"oth\")]", "p2"},
      {"//p[substring(., string-length(.) - string-length(\"ree\") + 1) = "
       "\"ree\"]",
       "p2"},
      {"//p[normalize-space(text())=\"Price:\"]", "p3"},
      {"//b[preceding::text()[1][normalize-space(.)=\"Price:\"]]", "b2"},
      {"//*[preceding-sibling::*[1][@id=\"l1\"]]", "l2"},
      {"//a[.=concat(\"it's \", '\"so\"')]", "a1"},
      {"//a/@href", "@h"},
      {"//a/@*", "@a1 @h @i"},
      {"//@xlink_x003A_href", "@i"},
      {"(//@id)[2]", "@p1"},
      {"//div/node()[last()]", "'c' a1"},
      {"//comment", ""},
      {"//div[ul/li[2][@class=\"a\"]]", "d2"},
      {"//div[p/b/text()=\"5\"]", "d2"},
      {"//div[.//li]", "d2"},
      {"//div[not(.//li)]", "d1"},
      {"//li[position()=1 or position()=last()]", "l1 l3"},
      {"//li[@class][1]", "l2"},
      {"//li[1][@class]", ""},
      {"//body/div/*/*[@id=\"b2\"]/node()", "'5'"},
      {"//div[@id=\"d1\"]//b[@id=\"b1\"]", "b1"},
      {"//div[@id=\"d2\"]//b[@id=\"b1\"]", ""},
      {"//div/p[1]/b", "b2"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Selected(document, c.expression), c.selected) << c.expression;
  }
}

// Where the page's XML decides, not its source or trommel's own text.
TEST(MatcherTest, PagesAreReadAsTheirXml) {
  const Document document = ParseHtml(
      "<body><p id=p1> <b id=b1>a</b> <b id=b2>b</b> </p>"
      "<p id=p2>a&nbsp; b</p><p id=p3>a\fb</p>"
      "<p id=p4 class='x\fy' xmlns=u>c</p><!-- d--<e --></body>");
  struct Case {
    const char* label;
    std::string_view expression, selected;
  };
  const Case kCases[] = {
      {"white space is no node", "//p[1]/node()[1]", "b1"},
      {"and no text", "//p[.=\"ab\"]", "p1"},
      {"no-break space is no white space",
       "//p[normalize-space(.)=\"a\xC2\xA0 b\"]", "p2"},
      {"nor separates words",
       "//p[contains(concat(\" \", normalize-space(.), \" \"), \" a \")]", ""},
      {"form feed is no XML", "//p[.=\"a\xEF\xBF\xBD\x62\"]", "p3"},
      {"nor white space of a class",
       "//p[contains(concat(\" \", normalize-space(@class), \" \"), \" x \")]",
       ""},
      {"but U+FFFD there", "//p[contains(@class, \"\xEF\xBF\xBD\")]", "p4"},
      {"xmlns is an attribute", "//p/@_x0078_mlns", "@u"},
      {"comments have dashes apart",
       "//node()[normalize-space(.)=\"d- -&lt;e\"]", "' d--<e '"},
      {"upper case", "//P", ""},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Selected(document, c.expression), c.selected) << c.label;
  }
}

TEST(MatcherTest, AttributesComeWithIndexAndValue) {
  const Document document = ParseHtml("<body><a title=t href=u>x</a>");
  const Matcher matcher = Compiled("//a/@href");
  EXPECT_TRUE(matcher.selects_attributes());
  std::vector<Match> matches = {Match{}};
  matcher.Select(document, &matches);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].attribute, 1u);
  EXPECT_EQ(matches[0].value, "u");
  EXPECT_EQ(document.TagOf(matches[0].node), "a");
}

TEST(MatcherTest, RelativePathsStartAtAnyNode) {
  const Document document =
      ParseHtml("<body><ul><li>a<li>b</ul><ul><li>c</ul>");
  const Matcher lists = Compiled("//ul");
  std::vector<Match> matches;
  lists.Select(document, &matches);
  ASSERT_EQ(matches.size(), 2u);
  const Matcher items = Compiled("li/text()");
  PageMatcher page(items, document);
  std::vector<Match> texts;
  page.SelectFrom(matches[0].node, &texts);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(document.Text(texts[1].node), "b");
  EXPECT_TRUE(page.MatchesFrom(matches[0].node, texts[1].node));
  EXPECT_FALSE(page.MatchesFrom(matches[1].node, texts[1].node));
  page.Select(&texts);
  EXPECT_TRUE(texts.empty());
}

TEST(MatcherTest, EmptyDocument) {
  const Document document;
  for (const std::string_view expression :
       {"//a", "//node()", "//text()[1]", "/a/@b", "//a[preceding::b]",
        "(//a)[last()]"}) {
    std::vector<Match> matches;
    const Matcher matcher = Compiled(expression);
    matcher.Select(document, &matches);
    EXPECT_EQ(matches.size(), 0u) << expression;
    EXPECT_FALSE(matcher.Matches(document, 0)) << expression;
  }
}

// A page as large and as deep as limits allow, with little else than one tag.
Document LargePage(size_t num_nodes, size_t depth) {
  Document document;
  DocumentBuilder builder(&document, 512);
  const html::NameId div = builder.InternName("div");
  const html::NameId class_name = builder.InternName("class");
  builder.OpenElement(builder.InternName("html"));
  while (builder.num_nodes() < num_nodes) {
    for (size_t i = 0; i < depth; ++i) {
      builder.OpenElement(div);
      builder.AddAttribute(class_name, "x");
      builder.AddText("t");
    }
    for (size_t i = 0; i < depth; ++i) builder.CloseElement();
  }
  builder.Finish();
  return document;
}

size_t Count(const Document& document, std::string_view expression) {
  std::vector<Match> matches;
  Compiled(expression).Select(document, &matches);
  return matches.size();
}

// Overlapping subtrees, shared ancestors and long lists of siblings are gone
// through once each; were they not, this test would not end.
TEST(MatcherTest, LargeDeepPages) {
  const Document document = LargePage(1000000, 500);
  ASSERT_GE(document.num_nodes(), 1000000u);
  const size_t divs = Count(document, "//div");
  EXPECT_EQ(divs, document.num_nodes() / 2 - 1);
  EXPECT_EQ(Count(document, "//div//div//div//div//text()"),
            divs - divs / 500 * 3);
  EXPECT_EQ(Count(document, "//div/ancestor::div/descendant::text()"), divs);
  EXPECT_EQ(Count(document, "//div/preceding::div/following::div[@class]"),
            divs - 500);
  EXPECT_EQ(Count(document, "//node()[@class=\"x\"]/node()"),
            2 * divs - divs / 500);
  EXPECT_EQ(Count(document, "//div/*/*/text()[1]"), divs - divs / 500 * 2);
  EXPECT_EQ(Count(document, "//div[preceding::text()[1][.=\"t\"]]"), divs - 1);
}

TEST(MatcherTest, LargeFlatPages) {
  const Document document = LargePage(1000000, 1);
  const size_t divs = Count(document, "//div");
  EXPECT_EQ(Count(document, "//div/following-sibling::div"), divs - 1);
  EXPECT_EQ(Count(document, "//div/preceding-sibling::div"), divs - 1);
  EXPECT_EQ(Count(document, "/html/div[last()]"), 1u);
  EXPECT_EQ(Count(document, "//div[400000]/text()"), 1u);
  EXPECT_EQ(Count(document, "//div[preceding-sibling::node()[2][@class]]"),
            divs - 2);
  const Matcher matcher = Compiled("//div/text()");
  PageMatcher page(matcher, document);
  size_t matching = 0;
  for (NodeId id = 0; id < document.num_nodes(); ++id) {
    matching += page.Matches(id) ? 1 : 0;
  }
  EXPECT_EQ(matching, divs);
}

// As deep as expressions go, on a page as deep as pages go.
TEST(MatcherTest, NestedExpressionsOnDeepPages) {
  const Document document = LargePage(2000, 500);
  for (const std::string_view step :
       {"ancestor::div[1]", "*[1]", "descendant::div[1]", "../*"}) {
    std::string expression = "//div";
    for (int i = 1; i < kMaxNesting; ++i) StrAppend(&expression, "[", step);
    expression.append(kMaxNesting - 1, ']');
    Count(document, expression);
  }
}

}  // namespace
}  // namespace trommel::xpath
