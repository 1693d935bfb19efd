#include "core/monitor/delivery.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"

namespace trommel::monitor {
namespace {

Delivery Day(int number, DayState state, int64_t records = 10) {
  Delivery day;
  day.date = StrCat("2026-01-", 10 + number);
  day.state = state;
  day.pages = state == DayState::kMissing ? 0 : 2 * records;
  day.records = records;
  day.filled = records / 2;
  return day;
}

TEST(DeliveryTest, Median) {
  EXPECT_EQ(Median({}), 0);
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({3, 1}), 2);
  EXPECT_EQ(Median({9, 1, 2}), 2);
}

TEST(DeliveryTest, BaselineIsTheMedianOfTheDays) {
  std::vector<Delivery> days;
  for (const int64_t records : {100, 104, 20, 98, 102}) {
    days.push_back(Day(0, DayState::kGood, records));
  }
  const Baseline baseline = BaselineOf(days);
  EXPECT_EQ(baseline.days, 5);
  EXPECT_EQ(baseline.records, 100);
  EXPECT_EQ(baseline.records_spread, 2);
  EXPECT_EQ(baseline.pages, 200);
  EXPECT_EQ(baseline.fill, 0.5);
  EXPECT_EQ(baseline.fill_spread, 0);
  EXPECT_EQ(BaselineOf({}).days, 0);
}

TEST(DeliveryTest, StatesHaveNames) {
  for (const DayState state :
       {DayState::kGood, DayState::kBlocked, DayState::kMissing}) {
    DayState parsed = DayState::kGood;
    EXPECT_TRUE(ParseDayState(DayStateName(state), &parsed));
    EXPECT_EQ(parsed, state);
  }
  DayState parsed = DayState::kGood;
  EXPECT_FALSE(ParseDayState("bad", &parsed));
}

TEST(DeliveryHistoryTest, OnlyGoodDaysCount) {
  DeliveryHistory history;
  for (int i = 0; i < 12; ++i) {
    const DayState state = i == 10   ? DayState::kMissing
                           : i == 11 ? DayState::kBlocked
                                     : DayState::kGood;
    history.Add(Day(i, state, i));
  }
  ASSERT_EQ(history.good_days().size(), kBaselineDays);
  EXPECT_EQ(history.good_days().front().records, 3);
  EXPECT_EQ(history.good_days().back().records, 9);
  EXPECT_EQ(history.last_date_with_pages(), "2026-01-21");
}

TEST(DeliveryHistoryTest, AccidentsAreNotWhatIsUsual) {
  DeliveryHistory history;
  for (int i = 0; i < 3; ++i) {
    Delivery day = Day(i, DayState::kGood);
    day.match.kept = 10;
    day.match.lost = i == 1 ? 8 : 1;
    if (i == 1) day.found = {"fill_drop"};
    history.Add(std::move(day));
  }
  EXPECT_EQ(history.all_matches().kept, 20);
  EXPECT_EQ(history.all_matches().lost, 2);
}

TEST(DeliveryHistoryTest, SitesThatComeAndGo) {
  struct Case {
    const char* label;
    const char* days;  // g: good, m: missing
    bool comes_and_goes;
  };
  const Case cases[] = {
      {"never away", "ggggggggg", false},
      {"away since", "gggmmmmmm", false},
      {"away once", "ggggmggggg", false},
      {"every other day", "gmgmgmgm", true},
      {"once a week", "gmmmmmmgmmmmmm", true},
      {"back after a week", "gggggggmmmmmmmg", true},
  };
  for (const Case& c : cases) {
    DeliveryHistory history;
    int number = 0;
    for (const char day : std::string(c.days)) {
      history.Add(
          Day(number++, day == 'g' ? DayState::kGood : DayState::kMissing));
    }
    EXPECT_EQ(history.ComesAndGoes(), c.comes_and_goes) << c.label;
  }
}

}  // namespace
}  // namespace trommel::monitor
