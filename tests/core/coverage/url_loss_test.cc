#include "core/coverage/url_loss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/base/random.h"
#include "tests/core/coverage/day_of_pages.h"

namespace trommel::coverage {
namespace {

using testing::ElementsAre;
using testing::Pair;

DayPages Kept(const std::vector<uint64_t>& ranks, int64_t max) {
  DayPages pages(max);
  for (const uint64_t rank : ranks) pages.Add(PageOf(rank, 1));
  return pages;
}

TEST(UrlLossTest, CommonUrlsOnceEach) {
  EXPECT_THAT(CommonUrls(Kept({1, 2, 2, 5, 9}, 10), Kept({2, 2, 3, 9}, 10)),
              ElementsAre(Pair(1, 0), Pair(4, 3)));
  EXPECT_TRUE(CommonUrls(Kept({}, 10), Kept({1}, 10)).empty());
}

TEST(UrlLossTest, BeyondTheLimitOfEitherDayNothingIsCompared) {
  // The first day is known below 7, the second below 4.
  EXPECT_THAT(CommonUrls(Kept({1, 3, 5, 7}, 3), Kept({1, 4, 5}, 1)),
              ElementsAre(Pair(0, 0)));
  // A URL of which pages were dropped is known by its first page at best.
  EXPECT_TRUE(CommonUrls(Kept({1, 1}, 1), Kept({1}, 9)).empty());
}

TEST(UrlLossTest, BrokenByUrlsOrByShare) {
  struct Case {
    const char* label;
    UrlLoss urls;
    ClusterPages before, now;
    bool broken;
  };
  const Case kCases[] = {
      {"majority lost", {10, 6}, {10, 100}, {10, 100}, true},
      {"half lost", {10, 5}, {10, 100}, {1, 100}, false},
      {"none lost, though it shrank", {10, 0}, {90, 100}, {10, 100}, false},
      {"few URLs, but most of the cluster", {2, 2}, {3, 100}, {3, 100}, true},
      {"few URLs of many, share holds", {2, 2}, {50, 100}, {50, 100}, false},
      {"few URLs of many, share fell", {2, 0}, {50, 100}, {24, 100}, true},
      {"no URL, share at half", {0, 0}, {50, 100}, {25, 100}, false},
      {"no URL, all gone", {0, 0}, {50, 100}, {0, 100}, true},
      {"no URL, same share of fewer pages", {0, 0}, {50, 100}, {5, 10}, false},
      {"it was empty", {0, 0}, {0, 100}, {0, 100}, false},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(IsBroken(c.urls, c.before, c.now), c.broken) << c.label;
  }
}

}  // namespace
}  // namespace trommel::coverage
