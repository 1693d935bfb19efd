#include "jobs/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::report {
namespace {

using testing::ElementsAre;

TEST(TableTest, HasHeadingsRowsAndTotals) {
  Table table({{"Site"}, {"Pages", true, "crawled \"today\""}, {"Share", true}},
              "sites");
  table.AddRow({Text("<b>.example"), Cell::Number(1234567), Cell::Share(1, 4)},
               "changed");
  table.AddRow({Text("a.example"), Cell::Number(0), Cell::Share(0, 0)});
  table.AddTotal({Text("all"), Cell::Number(1234567), Cell::Share(1, 4)});
  const ParsedReport parsed(table.Build().markup());
  EXPECT_THAT(parsed.Values("table", "id"), ElementsAre("sites"));
  EXPECT_THAT(
      parsed.Texts("th"),
      ElementsAre("Site", "Pages", "Share", "<b>.example", "a.example", "all"));
  EXPECT_THAT(parsed.Texts("td"), ElementsAre("1,234,567", "25.0%", "0", "0%",
                                              "1,234,567", "25.0%"));
  EXPECT_THAT(parsed.Values("td", "class"),
              ElementsAre("n", "n", "n", "n", "n", "n"));
  EXPECT_THAT(parsed.Values("td", "data-order"),
              ElementsAre("1234567", "0.25", "0", "0", "1234567", "0.25"));
  EXPECT_THAT(parsed.Values("tr", "data-tags"),
              ElementsAre("", "changed", "", ""));
  EXPECT_EQ(parsed.Values("th", "title")[1], "crawled \"today\"");
  EXPECT_EQ(parsed.Elements("tfoot").size(), 1u);
}

TEST(TableTest, WithoutRows) {
  const ParsedReport parsed(Table({{"Site"}}).Build().markup());
  EXPECT_THAT(parsed.Texts("th"), ElementsAre("Site"));
  EXPECT_TRUE(parsed.Elements("td").empty());
  EXPECT_TRUE(parsed.Elements("tfoot").empty());
}

}  // namespace
}  // namespace trommel::jobs::report
