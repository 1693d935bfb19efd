#include "jobs/report/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ShareChart FiveDays() {
  ShareChart chart;
  chart.description = "coverage of \"a\" <b>";
  chart.first_day = 100;
  chart.last_day = 104;
  chart.points = {
      {100, "2026-01-01", "100% of 5 pages", 1.0, 0.5, false},
      {101, "2026-01-02", "50%", 0.5, 0.25, true},
      {103, "2026-01-04", "no page", std::nullopt, std::nullopt, false},
      {104, "2026-01-05", "0% <i>", 0.0, 0.0, false}};
  return chart;
}

// The paths of a class.
std::vector<std::string> Paths(const ParsedReport& parsed,
                               std::string_view style) {
  std::vector<std::string> found;
  for (const html::NodeId id : parsed.Elements("path")) {
    if (parsed.ValueOf(id, "class") == style) {
      found.push_back(parsed.ValueOf(id, "d"));
    }
  }
  return found;
}

TEST(ChartTest, DaysStandWhereTheyAreAndGapsStayOpen) {
  const ParsedReport parsed(Chart(FiveDays()).markup());
  // From 29 to 234, so 51.25 a day; 0% is at 76, 100% at 6.
  EXPECT_THAT(Paths(parsed, "line"), ElementsAre("M29 6h0L80.2 41M234 76h0"));
  EXPECT_THAT(Paths(parsed, "fainter"),
              ElementsAre("M29 41h0L80.2 58.5M234 76h0"));
}

TEST(ChartTest, MarksEventsAndTellsWhatIsPointedAt) {
  const ParsedReport parsed(Chart(FiveDays()).markup());
  EXPECT_THAT(Paths(parsed, "mark"), ElementsAre("M80.2 6V76"));
  EXPECT_THAT(parsed.Values("circle", "cx"), ElementsAre("80.2"));
  EXPECT_THAT(parsed.Texts("title"),
              ElementsAre("2026-01-01: 100% of 5 pages", "2026-01-02: 50%",
                          "2026-01-04: no page", "2026-01-05: 0% <i>"));
  EXPECT_THAT(parsed.Values("svg", "aria-label"),
              ElementsAre("coverage of \"a\" <b>"));
}

TEST(ChartTest, OneDayAndNone) {
  ShareChart chart;
  EXPECT_TRUE(Paths(ParsedReport(Chart(chart).markup()), "line").empty());
  chart.points = {{7, "2026-01-01", "100%", 1.0, 1.0, false}};
  chart.first_day = chart.last_day = 7;
  EXPECT_THAT(Paths(ParsedReport(Chart(chart).markup()), "line"),
              ElementsAre("M131.5 6h0"));
}

TEST(ChartTest, SharesOutsideTheirRangeAreDrawnAtItsEnds) {
  ShareChart chart;
  chart.points = {{7, "d", "t", 7.0, -1.0, false}};
  chart.first_day = chart.last_day = 7;
  const ParsedReport parsed(Chart(chart).markup());
  EXPECT_THAT(Paths(parsed, "line"), ElementsAre("M131.5 6h0"));
  EXPECT_THAT(Paths(parsed, "fainter"), ElementsAre("M131.5 76h0"));
}

}  // namespace
}  // namespace trommel::jobs::report
