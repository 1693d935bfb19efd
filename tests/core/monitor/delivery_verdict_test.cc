#include "core/monitor/delivery_verdict.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/base/strings.h"

namespace trommel::monitor {
namespace {

using Names = std::vector<std::string>;

Names NamesOf(const std::vector<DeliveryFinding>& findings) {
  Names names;
  for (const DeliveryFinding& finding : findings) {
    names.emplace_back(DeliveryFindingName(finding.kind));
    EXPECT_FALSE(finding.message.empty());
  }
  return names;
}

Delivery SiteDay(int64_t pages, int64_t records) {
  Delivery day;
  day.pages = pages;
  day.placed = pages;
  day.records = records;
  return day;
}

DeliveryHistory SiteDays(const std::vector<Delivery>& days) {
  DeliveryHistory history;
  int number = 10;
  for (Delivery day : days) {
    day.date = StrCat("2026-01-", number++);
    history.Add(std::move(day));
  }
  return history;
}

TEST(DeliveryVerdictTest, Days) {
  struct Case {
    const char* label;
    int64_t pages;
    int64_t refused;
    int64_t refused_before;  // of 100, on each of five days
    bool is_walled;
    DayState state;
  };
  const Case cases[] = {
      {"as usual", 100, 2, 2, false, DayState::kGood},
      {"no page", 0, 0, 2, false, DayState::kMissing},
      {"no page, behind a wall", 0, 0, 2, true, DayState::kMissing},
      {"errors only", 100, 100, 2, false, DayState::kBlocked},
      {"errors nearly only", 100, 85, 2, false, DayState::kBlocked},
      {"half of the pages", 100, 50, 2, false, DayState::kGood},
      {"errors, as ever", 100, 90, 90, false, DayState::kGood},
      {"one page of one", 1, 1, 2, false, DayState::kGood},
      {"behind a wall", 100, 0, 2, true, DayState::kBlocked},
  };
  for (const Case& c : cases) {
    Delivery before = SiteDay(100, 90);
    before.refused = c.refused_before;
    Delivery tonight = SiteDay(c.pages, c.pages - c.refused);
    tonight.refused = c.refused;
    EXPECT_EQ(JudgeDay(tonight, {5, before}, c.is_walled), c.state) << c.label;
  }
}

TEST(DeliveryVerdictTest, Sites) {
  struct Case {
    const char* label;
    std::vector<Delivery> days;
    Delivery tonight;
    DayState state;
    Names found;
  };
  const std::vector<Delivery> usual(5, SiteDay(100, 90));
  Delivery found = SiteDay(100, 60);
  found.found = {"records_drop"};
  Delivery lost = SiteDay(100, 90);
  lost.match.kept = 70;
  lost.match.lost = 20;
  Delivery some_lost = SiteDay(100, 88);
  some_lost.match.kept = 87;
  some_lost.match.lost = 3;
  const DayState good = DayState::kGood;
  const Case cases[] = {
      {"nothing before", {}, SiteDay(10, 9), good, {}},
      {"as usual", usual, SiteDay(100, 90), good, {}},
      {"a weekend", usual, SiteDay(70, 63), good, {}},
      {"twice as many", usual, SiteDay(200, 180), good, {}},
      {"half a crawl", usual, SiteDay(50, 45), good, {"records_drop"}},
      {"half a crawl on the second night",
       {SiteDay(100, 90)},
       SiteDay(50, 45),
       good,
       {"records_drop"}},
      {"half of next to nothing",
       std::vector<Delivery>(5, SiteDay(6, 6)),
       SiteDay(3, 3),
       good,
       {}},
      {"a site of any size",
       {SiteDay(10, 9), SiteDay(90, 80), SiteDay(20, 18), SiteDay(70, 60),
        SiteDay(100, 90)},
       SiteDay(20, 18),
       good,
       {}},
      {"new pages in place of those that lost their records",
       usual,
       lost,
       good,
       {"records_drop"}},
      {"a few pages fail", usual, some_lost, good, {}},
      {"no page", usual, SiteDay(0, 0), DayState::kMissing, {"site_missing"}},
      {"no page of one or two",
       std::vector<Delivery>(5, SiteDay(2, 2)),
       SiteDay(0, 0),
       DayState::kMissing,
       {}},
      {"a wall", usual, SiteDay(100, 0), DayState::kBlocked, {"site_blocked"}},
      {"a drop that goes on",
       {SiteDay(100, 90), SiteDay(100, 90), SiteDay(100, 90), found},
       SiteDay(100, 60),
       good,
       {"records_drop"}},
      {"a drop that is made good",
       {SiteDay(100, 90), SiteDay(100, 90), SiteDay(100, 90), found},
       SiteDay(100, 88),
       good,
       {}},
      {"a drop that has become usual",
       {SiteDay(100, 90), found, found, found, found},
       SiteDay(100, 60),
       good,
       {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    Delivery tonight = c.tonight;
    tonight.state = c.state;
    EXPECT_EQ(NamesOf(JudgeSiteDelivery(tonight, SiteDays(c.days), "")),
              c.found);
  }
}

TEST(DeliveryVerdictTest, MessagesOfSites) {
  const DeliveryHistory history =
      SiteDays(std::vector<Delivery>(5, SiteDay(1200, 1000)));
  Delivery tonight = SiteDay(500, 400);
  EXPECT_EQ(JudgeSiteDelivery(tonight, history, "")[0].message,
            "400 records of 500 pages, usually 1,000 of 1,200");
  tonight.state = DayState::kBlocked;
  tonight.refused = 480;
  EXPECT_EQ(JudgeSiteDelivery(tonight, history, "")[0].message,
            "480 of 500 pages could not be looked at; 400 records, usually "
            "1,000");
  EXPECT_EQ(JudgeSiteDelivery(tonight, history, "a captcha")[0].message,
            "the site is behind a wall: a captcha; 400 records, usually 1,000");
  tonight = SiteDay(0, 0);
  tonight.state = DayState::kMissing;
  const DeliveryFinding missing = JudgeSiteDelivery(tonight, history, "")[0];
  EXPECT_EQ(missing.message,
            "no page came; usually there are 1,200 with 1,000 records");
  EXPECT_EQ(missing.before, 1200);
  EXPECT_EQ(missing.after, 0);
}

TEST(DeliveryVerdictTest, Rules) {
  struct Case {
    const char* label;
    Delivery tonight;
    int64_t unplaced;  // pages of the site that meet no rule; usually 100
    Names found;
  };
  // Usually 40 of a site with 1,000 pages.
  const Case cases[] = {
      {"as usual", SiteDay(40, 40), 100, {}},
      {"a few fail", SiteDay(40, 37), 100, {}},
      {"meets its pages and finds nothing",
       SiteDay(40, 0),
       100,
       {"records_drop"}},
      {"finds half", SiteDay(40, 12), 100, {"records_drop"}},
      {"its pages meet no rule", SiteDay(0, 0), 160, {"records_drop"}},
      {"its pages meet another rule", SiteDay(0, 0), 100, {}},
      {"its pages were not crawled", SiteDay(0, 0), 100, {}},
  };
  const std::vector<Delivery> days(7, SiteDay(40, 40));
  Delivery site = SiteDay(1000, 900);
  site.placed = 900;
  const DeliveryHistory site_days = SiteDays(std::vector<Delivery>(7, site));
  for (const Case& c : cases) {
    Delivery tonight = site;
    tonight.placed = tonight.pages - c.unplaced;
    EXPECT_EQ(NamesOf(JudgeRuleDelivery(c.tonight, SiteDays(days), tonight,
                                        site_days)),
              c.found)
        << c.label;
  }
}

// An attribute of so many records: the value of each; empty: none.
using ValueOfRecord = std::function<std::string(int)>;

Delivery AttributeDay(int records, const ValueOfRecord& value_of) {
  ValueSummary values;
  for (int i = 0; i < records; ++i) {
    values.AddRecord(StrCat("http://a/", i), 0, {value_of(i)});
  }
  Delivery day;
  day.records = values.records;
  day.filled = values.filled;
  day.sample = SampleOf(values);
  day.values = std::move(values);
  return day;
}

DeliveryHistory AttributeDays(int days, int records,
                              const ValueOfRecord& value_of) {
  DeliveryHistory history;
  for (int i = 0; i < days; ++i) {
    Delivery day = AttributeDay(records, value_of);
    day.date = StrCat("2026-01-", 10 + i);
    day.match = history.Match(day.sample);
    history.Add(std::move(day));
  }
  return history;
}

TEST(DeliveryVerdictTest, Attributes) {
  const ValueOfRecord title = [](int i) { return StrCat("Title ", i); };
  const auto every = [&](int share, const ValueOfRecord& value_of) {
    return [=](int i) { return i % share == 0 ? "" : value_of(i); };
  };
  struct Case {
    const char* label;
    int records_before;
    ValueOfRecord before;
    int records;
    ValueOfRecord tonight;
    Names found;
  };
  const Case cases[] = {
      {"the same", 40, title, 40, title, {}},
      {"twice as many", 40, title, 80, title, {}},
      {"a tenth of 40 is missing",
       40,
       title,
       40,
       every(10, title),
       {"fill_drop"}},
      {"one of 40 is missing", 40, title, 40, every(40, title), {}},
      {"a tenth of 5,000 is missing",
       5000,
       title,
       5000,
       every(10, title),
       {"fill_drop"}},
      {"one in fifty is missing", 5000, title, 5000, every(50, title), {}},
      {"all are missing", 40, title, 40, [](int) { return ""; }, {"fill_drop"}},
      {"more are filled", 40, every(2, title), 40, title, {}},
      {"as many, of other records",
       400,
       [&](int i) { return i % 2 == 0 ? title(i) : ""; },
       400,
       [&](int i) { return i % 2 == 1 ? title(i) : ""; },
       {}},
      {"other values",
       40,
       title,
       40,
       [](int i) { return StrCat("Title ", i + 1000); },
       {"values_changed"}},
      {"another look",
       40,
       title,
       40,
       [](int i) { return StrCat("$", i, ".50 incl. VAT"); },
       {"values_changed"}},
      {"a label in all records",
       40,
       title,
       40,
       [](int) { return "Title 5"; },
       {"values_changed"}},
      {"a digit more",
       40,
       [](int i) { return StrCat("Title ", i); },
       40,
       [](int i) { return i < 20 ? StrCat("Title ", i) : "Title 100"; },
       {"values_changed"}},  // of half of the records
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const DeliveryHistory history =
        AttributeDays(7, c.records_before, c.before);
    Delivery tonight = AttributeDay(c.records, c.tonight);
    tonight.match = history.Match(tonight.sample);
    EXPECT_EQ(NamesOf(JudgeAttributeDelivery(tonight, history)), c.found);
  }
}

TEST(DeliveryVerdictTest, ValuesThatChangeEveryDayMayChange) {
  DeliveryHistory history;
  for (int day = 0; day < 8; ++day) {
    Delivery tonight = AttributeDay(
        60, [&](int i) { return StrCat("$", 10 + (7 * i + day) % 90); });
    tonight.date = StrCat("2026-01-", 10 + day);
    tonight.match = history.Match(tonight.sample);
    EXPECT_EQ(NamesOf(JudgeAttributeDelivery(tonight, history)), Names{})
        << "day " << day;
    history.Add(std::move(tonight));
  }
}

TEST(DeliveryVerdictTest, NothingIsSaidWithoutDaysOrRecords) {
  const Delivery tonight = AttributeDay(40, [](int) { return "a"; });
  EXPECT_TRUE(JudgeAttributeDelivery(tonight, DeliveryHistory()).empty());
  EXPECT_TRUE(JudgeAttributeDelivery(
                  Delivery(), AttributeDays(7, 40, [](int) { return "a"; }))
                  .empty());
}

// Against sums of the densities.
TEST(DeliveryVerdictTest, Probabilities) {
  EXPECT_NEAR(PoissonAtMost(0, 2), std::exp(-2), 1e-12);
  EXPECT_NEAR(PoissonAtMost(3, 2), std::exp(-2) * (1 + 2 + 2 + 8.0 / 6), 1e-12);
  EXPECT_NEAR(PoissonAtLeast(1, 2), 1 - std::exp(-2), 1e-12);
  EXPECT_EQ(PoissonAtLeast(0, 2), 1);
  EXPECT_EQ(PoissonAtMost(3, 0), 1);
  EXPECT_NEAR(PoissonAtMost(1000000, 1000000), 0.5, 0.01);
  // A uniform rate: every count is as likely.
  const RatePrior uniform = {0.5, 2};
  for (int64_t count = 0; count <= 4; ++count) {
    EXPECT_NEAR(PredictiveTail(count, 4, 0, 0, uniform),
                static_cast<double>(5 - count) / 5, 1e-9);
  }
  EXPECT_NEAR(PredictiveTail(0, 10, 3, 100, uniform), 1, 1e-9);
  // With much before, nearly a binomial distribution.
  EXPECT_NEAR(PredictiveTail(10, 10, 500000, 1000000, uniform),
              std::pow(0.5, 10), 1e-6);
  EXPECT_EQ(PredictiveTail(5, 4, 0, 10, uniform), 0);
}

}  // namespace
}  // namespace trommel::monitor
