#include "jobs/report/blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::report {
namespace {

using testing::ElementsAre;

TEST(BlocksTest, BadgesHaveTheirState) {
  const ParsedReport parsed(
      (Badge(State::kOk, "fine") + Badge(State::kWarn, "a < b") +
       Badge(State::kBroken, "broken") + Badge(State::kUnknown, "too few"))
          .markup());
  EXPECT_THAT(parsed.Texts("span"),
              ElementsAre("fine", "a < b", "broken", "too few"));
  EXPECT_THAT(
      parsed.Values("span", "class"),
      ElementsAre("badge ok", "badge warn", "badge broken", "badge unknown"));
}

TEST(BlocksTest, ShellWords) {
  struct Case {
    const char* label;
    std::string_view word, quoted;
  };
  const Case kCases[] = {
      {"plain", "--out=a/b-1.x", "--out=a/b-1.x"},
      {"empty", "", "''"},
      {"space", "--out=a b", "'--out=a b'"},
      {"quote", "it's", "'it'\\''s'"},
      {"would run", "$(rm x);`y`", "'$(rm x);`y`'"},
      {"pattern", "*", "'*'"},
      {"line end", "a\nb", "'a\nb'"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(ShellWord(c.word), c.quoted) << c.label;
  }
}

TEST(BlocksTest, PagesAreShownAsSourceOnly) {
  const std::string hostile =
      "<html>\n</pre><script>alert(1)</script><img src=x onerror=alert(1)>\n";
  const ParsedReport parsed(
      BeforeAfter({"before", Url("javascript:alert(1)"), hostile},
                  {"after", Html(), ""})
          .markup());
  EXPECT_THAT(parsed.Texts("pre"), ElementsAre(hostile));
  EXPECT_THAT(parsed.Texts("h4"), ElementsAre("before", "after"));
  for (const char* tag : {"script", "img", "a"}) {
    EXPECT_TRUE(parsed.Elements(tag).empty()) << tag;
  }
}

TEST(BlocksTest, LongSourcesAreCut) {
  const ParsedReport parsed(
      BeforeAfter({"before", Html(), std::string(1000000, 'x')},
                  {"after", Html(), "y"})
          .markup());
  EXPECT_LT(parsed.Texts("pre")[0].size(), 30000u);
}

TEST(BlocksTest, CardsAndTheirFilter) {
  const ParsedReport parsed(
      (FilterBox("sites", "Filter \"sites\"", {{"changed", "Changed only"}}) +
       Cards("sites", {{Text("a.example"), Paragraph(Text("x")), "changed"},
                       {Text("<b>"), Paragraph(Text("y")), ""}}))
          .markup());
  EXPECT_THAT(parsed.Values("div", "data-filters"), ElementsAre("sites", ""));
  EXPECT_THAT(parsed.Values("div", "id"), ElementsAre("", "sites"));
  EXPECT_THAT(parsed.Values("input", "placeholder"),
              ElementsAre("Filter \"sites\""));
  EXPECT_THAT(parsed.Values("button", "data-tag"), ElementsAre("changed"));
  EXPECT_THAT(parsed.Values("article", "data-tags"),
              ElementsAre("changed", ""));
  EXPECT_THAT(parsed.Texts("h3"), ElementsAre("a.example", "<b>"));
}

TEST(BlocksTest, CommandsTermsFiguresNotes) {
  const ParsedReport parsed(
      (Command("trommel reuse --out='<x>'") +
       Terms({{Text("coverage"), Text("share < 1")}}) +
       Figures(
           {{"Pages", Text("12"), Text("of 3 sites")}, {"Days", Text("4")}}) +
       Note(Text("Mind <this>.")) + Details(Text("more"), Text("inside")))
          .markup());
  EXPECT_THAT(parsed.Texts("pre"), ElementsAre("trommel reuse --out='<x>'"));
  EXPECT_THAT(parsed.Texts("dt"), ElementsAre("coverage", "Pages", "Days"));
  EXPECT_THAT(parsed.Texts("dd"),
              ElementsAre("share < 1", "12", "of 3 sites", "4"));
  EXPECT_THAT(parsed.Texts("p"), ElementsAre("Mind <this>."));
  EXPECT_THAT(parsed.Texts("summary"), ElementsAre("more"));
}

TEST(BlocksTest, OnlyTheFirstFoldIsOpen) {
  const ParsedReport parsed(
      Folds({{Text("<a>"), {Text("1 page"), Text("2 clusters")}, Text("x")},
             {Text("b"), {}, Text("y")}})
          .markup());
  EXPECT_THAT(parsed.Texts("h3"), ElementsAre("<a>", "b"));
  EXPECT_THAT(parsed.Texts("span"), ElementsAre("1 page", "2 clusters"));
  std::vector<bool> is_open;
  for (const html::NodeId id : parsed.Elements("details")) {
    is_open.push_back(parsed.Has(id, "open"));
  }
  EXPECT_THAT(is_open, ElementsAre(true, false));
}

TEST(BlocksTest, ListsFoldWhenTheyAreLong) {
  struct Case {
    const char* label;
    size_t given, all;
    std::vector<std::string> summaries, rest;
  };
  const Case kCases[] = {
      {"one", 1, 1, {}, {}},
      {"a single one more", 4, 4, {}, {}},
      {"folded", 5, 5, {"2 more"}, {}},
      {"not all", 10, 1551, {"1,548 more"}, {"1,541 more not shown"}},
  };
  for (const Case& c : kCases) {
    const ParsedReport parsed(
        FoldingList(std::vector<Html>(c.given, Text("x")), c.all).markup());
    EXPECT_EQ(parsed.Texts("li").size(), c.given) << c.label;
    EXPECT_EQ(parsed.Texts("summary"), c.summaries) << c.label;
    EXPECT_EQ(parsed.Texts("span"), c.rest) << c.label;
  }
}

}  // namespace
}  // namespace trommel::jobs::report
