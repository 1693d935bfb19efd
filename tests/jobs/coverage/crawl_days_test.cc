#include "jobs/coverage/crawl_days.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::coverage_job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::WriteCrawl;

TEST(CrawlDaysTest, DaysAsTextAndBack) {
  EXPECT_EQ(DayText(0), "1970-01-01");
  EXPECT_EQ(DayText(-1), "1969-12-31");
  EXPECT_EQ(ParseDay("2026-03-01"), 20513);
  EXPECT_EQ(DayText(20513), "2026-03-01");
  for (const char* text :
       {"", "2026-3-1", "2026-02-30", "2026-03-01 ", "20260301", "yesterday"}) {
    EXPECT_FALSE(ParseDay(text).has_value()) << text;
  }
}

TEST(CrawlDaysTest, DayOfATimeIsItsDateInUtc) {
  constexpr int64_t kDay = 86400000000;
  EXPECT_EQ(DayOfTime(0), 0);
  EXPECT_EQ(DayOfTime(kDay - 1), 0);
  EXPECT_EQ(DayOfTime(kDay), 1);
  EXPECT_EQ(DayOfTime(-1), -1);
  EXPECT_EQ(DayOfTime(-kDay), -1);
  // What cannot be written as a date of ten characters is none.
  EXPECT_EQ(DayText(*DayOfTime(2932896 * kDay)), "9999-12-31");
  EXPECT_FALSE(DayOfTime(2932897 * kDay).has_value());
  EXPECT_EQ(DayText(*DayOfTime(-354285 * kDay)), "1000-01-01");
  EXPECT_FALSE(DayOfTime(-354286 * kDay).has_value());
}

TEST(CrawlDaysTest, DayOfAPathIsItsLastFolderOfADay) {
  EXPECT_EQ(*DayOfPath("/web/day=1970-01-02/crawl"), 1);
  EXPECT_EQ(*DayOfPath("hdfs://n:1/day=1970-01-02/day=1970-01-03"), 2);
  EXPECT_EQ(*DayOfPath("/web/monday=1/crawl"), std::nullopt);
  EXPECT_EQ(*DayOfPath(""), std::nullopt);
  const auto bad = DayOfPath("/web/day=today/crawl");
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(bad.status().ToString(), HasSubstr("day=today"));
}

void WriteOnePage(const std::string& folder) {
  WriteCrawl(folder, {{"http://a.example/", "x"}});
}

TEST(CrawlDaysTest, CrawlsAreGroupedByDayAndTakenApart) {
  TempDir temp;
  WriteOnePage(temp / "web/day=1970-01-03/crawl");
  WriteOnePage(temp / "web/day=1970-01-02/crawl");
  WriteOnePage(temp / "more/day=1970-01-03");
  WriteOnePage(temp / "undated");
  const auto days = FindCrawlDays(
      {temp / "undated", temp / "more/day=1970-01-03", temp / "web"});
  ASSERT_TRUE(days.ok()) << days.status();
  ASSERT_EQ(days->size(), 3u);
  EXPECT_EQ((*days)[0].day, 1);
  EXPECT_EQ((*days)[1].day, 2);
  EXPECT_EQ((*days)[1].paths.size(), 2u);
  EXPECT_EQ((*days)[2].day, std::nullopt);
  EXPECT_THAT((*days)[2].paths, ElementsAre(temp / "undated"));
  // A crawl of one day stays as it was given.
  EXPECT_EQ((*days)[1].paths[0], temp / "more/day=1970-01-03");
}

TEST(CrawlDaysTest, ACrawlThatIsNotThereIsNamed) {
  const auto days = FindCrawlDays({"/nowhere/day=1970-01-02"});
  EXPECT_THAT(days.status().ToString(), HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace trommel::jobs::coverage_job
