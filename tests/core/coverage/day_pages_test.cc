#include "core/coverage/day_pages.h"

#include <gtest/gtest.h>

#include <utility>

#include "core/cluster/site_sample.h"
#include "tests/core/coverage/day_of_pages.h"

namespace trommel::coverage {
namespace {

TEST(DayPagesTest, KeepsTheSmallestRanksAndCountsAll) {
  DayPages pages(3);
  EXPECT_TRUE(pages.Add(PageOf(1, 1)));
  EXPECT_TRUE(pages.Add(PageOf(2, 0)));
  EXPECT_TRUE(pages.Add(PageOf(3, 1)));
  EXPECT_TRUE(pages.Add(PageOf(4, 2)));
  EXPECT_FALSE(pages.first_dropped().has_value());
  DayPage dropped = PageOf(5, 1);
  EXPECT_FALSE(pages.Add(std::move(dropped)));
  EXPECT_EQ(dropped.url, "http://a.example/5");  // it was not moved away
  EXPECT_FALSE(pages.Add(PageOf(6, 0)));
  EXPECT_EQ(pages.num_pages(), 6);
  EXPECT_EQ(pages.num_too_short(), 2);
  EXPECT_EQ(pages.kept().size(), 4u);
  EXPECT_EQ(pages.first_dropped(), 5u);
}

TEST(DayPagesTest, PagesWithoutSignatureAreBoundedToo) {
  DayPages pages(3);
  for (uint64_t rank = 0; rank < 100; ++rank) pages.Add(PageOf(rank, 0));
  EXPECT_EQ(pages.kept().size(), 6u);
  EXPECT_EQ(pages.first_dropped(), 6u);
  EXPECT_EQ(pages.num_too_short(), 100);
  EXPECT_TRUE(pages.Sample().empty());
}

TEST(DayPagesTest, SampleIsAsLargeAsTheSiteAsksFor) {
  for (const int64_t size : {10, 1999, 2000, 2001, 9999, 15000, 120000}) {
    DayPages pages(cluster::kMaxSamplePages);
    for (int64_t rank = 0; rank < size; ++rank) {
      pages.Add(PageOf(static_cast<uint64_t>(rank), 1));
    }
    EXPECT_EQ(static_cast<int64_t>(pages.Sample().size()),
              cluster::SamplePages(size));
  }
}

}  // namespace
}  // namespace trommel::coverage
