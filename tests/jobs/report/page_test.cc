#include "jobs/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string TwoSections(std::string_view title) {
  Page page(title, "2 sites & 3 days", "trommel coverage");
  page.SetLead(Paragraph(Text("lead")));
  page.AddSection("Sites", Paragraph(Text("first")));
  page.AddSection("What <broke>, when", Paragraph(Text("second")));
  return page.Html();
}

TEST(PageTest, HasTitleSectionsAndLinksToThem) {
  const ParsedReport parsed(TwoSections("Coverage"));
  EXPECT_THAT(parsed.Texts("title"), ElementsAre("Coverage: 2 sites & 3 days"));
  EXPECT_THAT(parsed.Texts("h1"), ElementsAre("Coverage"));
  EXPECT_THAT(parsed.Texts("h2"), ElementsAre("Sites", "What <broke>, when"));
  EXPECT_THAT(parsed.Values("section", "id"),
              ElementsAre("sites", "what-broke-when"));
  EXPECT_THAT(parsed.Values("a", "href"),
              ElementsAre("#sites", "#what-broke-when"));
  EXPECT_THAT(parsed.Texts("p"),
              ElementsAre("2 sites & 3 days, made by trommel coverage.", "lead",
                          "first", "second"));
}

TEST(PageTest, NeedsNothingElse) {
  const std::string page = TwoSections("Coverage");
  const ParsedReport parsed(page);
  for (const char* tag : {"link", "img", "iframe", "object", "base"}) {
    EXPECT_TRUE(parsed.Elements(tag).empty()) << tag;
  }
  EXPECT_THAT(parsed.Values("script", "src"), ElementsAre(""));
  EXPECT_THAT(page, Not(HasSubstr("url(")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
}

TEST(PageTest, OnlyItsOwnScriptMayRun) {
  const std::string page = TwoSections("<script>alert(1)</script>");
  const ParsedReport parsed(page);
  ASSERT_EQ(parsed.Elements("script").size(), 1u);
  const std::string nonce = parsed.Values("script", "nonce")[0];
  EXPECT_EQ(nonce.size(), 32u);
  EXPECT_THAT(page, HasSubstr("script-src 'nonce-" + nonce + "'"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // Another page, another nonce.
  EXPECT_NE(ParsedReport(TwoSections("Coverage")).Values("script", "nonce")[0],
            nonce);
}

TEST(PageTest, OneSectionNeedsNoLinks) {
  Page page("Coverage", "no site", "trommel coverage");
  page.AddSection("Sites", Paragraph(Text("none")));
  EXPECT_TRUE(ParsedReport(page.Html()).Elements("nav").empty());
}

}  // namespace
}  // namespace trommel::jobs::report
