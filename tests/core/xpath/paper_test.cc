// The XPaths printed in "Web-Scale Information Extraction with Vertex" (ICDE
// 2011), section III-C and Table II, on small pages.
//
// Misprints, corrected here: preceding:: is a reverse axis, so the nearest text
// is [1], not [position()=last()]; //div/*/*/*node() is //div/*/*/node(); one
// bracket is missing from the fragments with preceding::text(). ends-with() is
// not in XPath 1.0 and is spelled by substring(), as the paper's footnote says.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/html/text.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"
#include "core/xpath/printer.h"
#include "tests/testing/xpath_judge.h"

namespace trommel::xpath {
namespace {

struct Case {
  const char* label;
  std::string_view expression;
  std::string_view body;
  std::string_view values;  // of the selected nodes, joined by '|'
};

std::string Values(const Case& c) {
  html::Document document;
  EXPECT_EQ(html::MakeParser(html::ParserKind::kLexbor, {})
                ->ParseUtf8(StrCat("<body>", c.body), &document),
            html::ParseOutcome::kOk);
  const absl::StatusOr<LocationPath> path = Parse(c.expression);
  EXPECT_TRUE(path.ok()) << path.status();
  const absl::StatusOr<Matcher> matcher = Matcher::Compile(*path);
  EXPECT_TRUE(matcher.ok()) << matcher.status();
  std::vector<Match> matches;
  matcher->Select(document, &matches);
  const auto judge = testing_support::XPathJudge::Open(document);
  EXPECT_TRUE(judge.ok()) << judge.status();
  EXPECT_TRUE(*judge->Select(ToString(*path)) == matches) << c.label;
  std::string out;
  for (const Match& match : matches) {
    if (!out.empty()) out += '|';
    const std::string_view alt = document.Value(match.node, html::names::k_alt);
    StrAppend(&out, alt, html::NormalizedText(document, match.node));
  }
  return out;
}

TEST(VertexPaper, TableII) {
  const Case kCases[] = {
      {"www.amazon.com price", "//node() [@class=\"listprice\"]/node()",
       "<td>List Price:</td><span class=listprice>$25.99</span>"
       "<span class=price>$20.00</span>",
       "$25.99"},
      {"www.city-data.com forum title", "//td[@class=\"navbar\"]/* /text()",
       "<table><td class=navbar><a>Forum</a> &gt; <b>Texas</b>"
       "<td><a>no</a></table>",
       "Forum|Texas"},
      {"www.alibaba.com image",
       "//node() [@class=\"detailImage\" or @class=\"detailMain hackborder\"]"
       "/* /img",
       "<div class=detailImage><a><img alt=1></a></div>"
       "<div class='detailMain hackborder'><p><img alt=2></p></div>"
       "<div class=detailMain><p><img alt=3></p></div>",
       "1|2"},
      {"www.cduniverse.com rating image", "//td/img",
       "<table><td><img alt=4.5><a><img alt=x></a></table>", "4.5"},
      {"www.hotels.com address", "//node() [@class=\"adr\"]",
       "<div class=adr><b>1 Main</b> St</div><div>2</div>", "1 Main St"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Values(c), c.values) << c.label;
}

TEST(VertexPaper, FeaturesOfTheClassifier) {
  const Case kCases[] = {
      {"weak features",
       "//td/img[ancestor::node() [@padding=\"10px\"] and "
       "self::node() [@border]]",
       "<div padding=10px><table><td><img alt=4.5 border=0></table></div>"
       "<table><td><img alt=no border=0></table>",
       "4.5"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Values(c), c.values) << c.label;
}

TEST(VertexPaper, TextAnchors) {
  constexpr std::string_view kPage =
      "<p><b>List Price:</b><i>$30.00</i></p><p><b>Our Price:</b>"
      "<i>$25.99</i></p><span>Our Price: $25.99</span><u>5 reviews</u>";
  const Case kCases[] = {
      {"inside-left-word", "//*[contains(text(), \"Price:\")]", kPage,
       "List Price:|Our Price:|Our Price: $25.99"},
      {"inside-left-text", "//*[starts-with(text(), \"Our Price:\")]", kPage,
       "Our Price:|Our Price: $25.99"},
      {"out-left-word",
       "//*[preceding::text()[normalize-space(.) != \"\"][1][substring(., "
       "string-length(.) - string-length(\"Price:\") + 1) = \"Price:\"]]",
       kPage, "$30.00|$25.99"},
      {"out-left-text",
       "//*[preceding::text()[normalize-space(.) != \"\"][position()=1]"
       "[.=\"Our Price:\"]]",
       kPage, "$25.99"},
      {"out-right-text",
       "//*[following::text()[normalize-space(.) != \"\"][1][.=\"$25.99\"]]",
       kPage, "Our Price:"},
      {"disjunction",
       "//*[substring(text(), string-length(text()) - "
       "string-length(\"review\") + 1) = \"review\" or substring(text(), "
       "string-length(text()) - string-length(\"reviews\") + 1) = "
       "\"reviews\"]",
       kPage, "5 reviews"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Values(c), c.values) << c.label;
}

TEST(VertexPaper, CombinedFeatures) {
  constexpr std::string_view kPage =
      "<p class=c2>a</p><p>b</p><div><u><i id=i1>yes</i><i>no</i></u></div>"
      "<p>c</p><div><u><i id=i1>other</i></u></div>";
  const Case kCases[] = {
      {"tag at level 3", "//div/*/*/node()", kPage, "yes|no|other"},
      {"three features",
       "//div[preceding-sibling::node()[position()=2][@class=\"c1\" or "
       "@class=\"c2\"]]/*/*[@id=\"i1\"]/node()",
       kPage, "yes"},
  };
  for (const Case& c : kCases) EXPECT_EQ(Values(c), c.values) << c.label;
}

// As printed, the fragment asks for the first text of the page: an axis that
// leads backwards has its farthest node last.
TEST(VertexPaper, LastOfAReverseAxisIsTheFarthest) {
  const Case kCase = {"",
                      "//i[preceding::text()[normalize-space(.) != \"\"]"
                      "[position()=last()][.=\"far\"]]",
                      "<p>far</p><p>near</p><i>x</i>", "x"};
  EXPECT_EQ(Values(kCase), kCase.values);
}

}  // namespace
}  // namespace trommel::xpath
