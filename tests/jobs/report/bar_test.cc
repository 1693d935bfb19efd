#include "jobs/report/bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::report {
namespace {

using testing::ElementsAre;

TEST(BarTest, PartsAreAsLongAsTheirShares) {
  const ParsedReport parsed(Bar({{"Done", 50, BarPart::Colour::kMain},
                                 {"None", 0, BarPart::Colour::kSecond},
                                 {"<Left>", 25, BarPart::Colour::kRest}},
                                100)
                                .markup());
  EXPECT_THAT(parsed.Values("i", "class"), ElementsAre("main", "rest"));
  EXPECT_THAT(parsed.Values("i", "style"),
              ElementsAre("width:50.00%", "width:25.00%"));
  EXPECT_THAT(parsed.Values("span", "aria-label"),
              ElementsAre("Done 50.0%, None 0%, <Left> 25.0%"));
}

TEST(BarTest, PartsThatAreMoreThanTheWholeFillTheBar) {
  const ParsedReport parsed(Bar({{"a", 300, BarPart::Colour::kMain},
                                 {"b", 100, BarPart::Colour::kSecond},
                                 {"c", -5, BarPart::Colour::kRest}},
                                100)
                                .markup());
  EXPECT_THAT(parsed.Values("i", "style"),
              ElementsAre("width:75.00%", "width:25.00%"));
}

TEST(BarTest, LegendNamesAllParts) {
  const ParsedReport parsed(BarLegend({{"Done", 1, BarPart::Colour::kMain},
                                       {"Left", 0, BarPart::Colour::kRest}},
                                      2)
                                .markup());
  EXPECT_THAT(parsed.Texts("li"), ElementsAre("Done 50.0%", "Left 0%"));
  EXPECT_THAT(parsed.Values("i", "class"), ElementsAre("main", "rest"));
}

}  // namespace
}  // namespace trommel::jobs::report
