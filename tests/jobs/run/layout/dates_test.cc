#include "jobs/run/layout/dates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::layout {
namespace {

using testing::ElementsAre;
using testing_support::TempDir;

TEST(Dates, OnlyRealOnes) {
  EXPECT_TRUE(CheckDate("date", "2024-02-29").ok());
  for (const char* const wrong :
       {"2026-02-29", "2026-1-5", "yesterday", "2026-01-05T00", ""}) {
    EXPECT_FALSE(CheckDate("date", wrong).ok()) << wrong;
  }
}

TEST(Dates, RangesCrossMonths) {
  EXPECT_THAT(
      DatesBetween("2026-01-30", "2026-02-02"),
      ElementsAre("2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"));
  EXPECT_EQ(AddDays("2026-03-01", -1), "2026-02-28");
}

TEST(Dates, PatternsMayHaveTheDateTwice) {
  EXPECT_EQ(ForDate("a/{date}/b-{date}", "2026-01-01"),
            "a/2026-01-01/b-2026-01-01");
}

TEST(Dates, LatestCrawl) {
  TempDir temp;
  const std::string pattern = temp / "web/day={date}/crawl";
  EXPECT_EQ(LatestDate(pattern).status().code(), absl::StatusCode::kNotFound);
  for (const char* const folder :
       {"web/day=2026-01-01/crawl", "web/day=2026-01-03/crawl",
        "web/day=2026-01-04", "web/day=soon/crawl", "web/x2026-01-09/crawl"}) {
    std::filesystem::create_directories(temp / folder);
  }
  EXPECT_EQ(*LatestDate(pattern), "2026-01-03");
}

}  // namespace
}  // namespace trommel::jobs::run::layout
