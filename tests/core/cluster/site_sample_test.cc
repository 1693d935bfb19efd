#include "core/cluster/site_sample.h"

#include <gtest/gtest.h>

namespace trommel::cluster {
namespace {

TEST(SiteSampleTest, SamplePages) {
  struct Case {
    int64_t site_pages, sample_pages;
  };
  const Case kCases[] = {
      {0, 0},          {1, 1},
      {1999, 1999},    {2000, 2000},
      {2001, 2000},    {9999, 2000},
      {10000, 2000},   {10005, 2001},
      {50000, 10000},  {99999, 19999},
      {100000, 20000}, {100005, 20000},
      {200000, 20000}, {int64_t{1} << 60, 20000},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(SamplePages(c.site_pages), c.sample_pages) << c.site_pages;
  }
}

TEST(SiteSampleTest, PruningThreshold) {
  struct Case {
    int64_t sample_pages, threshold;
  };
  const Case kCases[] = {
      {0, 2},    {1, 2},    {100, 2},  {101, 3},  {150, 3},   {151, 4},
      {500, 10}, {950, 19}, {951, 20}, {999, 20}, {1000, 20}, {20000, 20},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(PruningThreshold(c.sample_pages), c.threshold) << c.sample_pages;
  }
}

TEST(SiteSampleTest, MinTemplatePages) {
  struct Case {
    int64_t sample_pages, pages;
  };
  const Case kCases[] = {
      {0, 3},    {3, 3},    {30, 3},   {31, 4},   {100, 10},
      {101, 11}, {190, 19}, {199, 20}, {200, 20}, {20000, 20},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(MinTemplatePages(c.sample_pages), c.pages) << c.sample_pages;
  }
}

}  // namespace
}  // namespace trommel::cluster
