#include "jobs/report/html.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::report {
namespace {

constexpr char kHostile[] = "</code><script>alert(1)</script>\" onload='x";

TEST(HtmlTest, TextIsNeverMarkup) {
  for (const Html& html : {Text(kHostile), WholeText(kHostile), Code(kHostile),
                           Soft(kHostile), Url(kHostile)}) {
    const ParsedReport parsed("<body>" + html.markup());
    EXPECT_TRUE(parsed.Elements("script").empty()) << html.markup();
    EXPECT_EQ(parsed.Texts("body"), std::vector<std::string>{kHostile});
  }
}

TEST(HtmlTest, AttributeValueStaysInItsQuotes) {
  const ParsedReport parsed("<p title=\"" + AttributeValue(kHostile) + "\">");
  EXPECT_EQ(parsed.Values("p", "title"), std::vector<std::string>{kHostile});
  EXPECT_EQ(parsed.Values("p", "onload"), std::vector<std::string>{""});
}

TEST(HtmlTest, LongTextHasATipAndWholeTextDoesNot) {
  const std::string text(300, 'x');
  EXPECT_LT(ParsedReport(Text(text).markup()).Texts("span")[0].size(), 200u);
  EXPECT_EQ(ParsedReport(Text(text).markup()).Values("span", "title"),
            std::vector<std::string>{text});
  EXPECT_EQ(WholeText(text).markup(), text);
}

TEST(HtmlTest, MarkupJoins) {
  EXPECT_EQ((Markup("<b>") + Text("1 < 2") + Markup("</b>")).markup(),
            "<b>1 &lt; 2</b>");
}

TEST(HtmlTest, PercentIsNeverRoundedToNoneOrAll) {
  struct Case {
    int64_t part, whole;
    const char* text;
  };
  const Case kCases[] = {
      {0, 0, "0%"},
      {0, 10, "0%"},
      {10, 10, "100%"},
      {1, 3, "33.3%"},
      {1, 100000, "&lt;0.1%"},
      {99999, 100000, "&gt;99.9%"},
      {999, 1000, "99.9%"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Percent(c.part, c.whole), c.text) << c.part << "/" << c.whole;
  }
}

}  // namespace
}  // namespace trommel::jobs::report
