#include "core/coverage/share.h"

#include <gtest/gtest.h>

namespace trommel::coverage {
namespace {

TEST(ShareTest, DropsAreDecidedExactly) {
  struct Case {
    const char* label;
    Share before, now;
    int percent;
    bool exceeds;
  };
  const Case kCases[] = {
      {"exactly at the threshold", {100, 100}, {90, 100}, 10, false},
      {"just beyond", {1000, 1000}, {899, 1000}, 10, true},
      {"thirds: 1/3 - 1/30 = 30%", {1, 3}, {1, 30}, 30, false},
      {"thirds, beyond", {1, 3}, {1, 31}, 30, true},
      {"points, not a share of the share", {50, 100}, {44, 100}, 10, false},
      {"a rise", {10, 100}, {90, 100}, 10, false},
      {"no change", {7, 7}, {3, 3}, 0, false},
      {"all lost", {10, 10}, {0, 10}, 99, true},
      {"large counts",
       {int64_t{1} << 50, int64_t{1} << 50},
       {(int64_t{1} << 49) - 1, int64_t{1} << 50},
       50,
       true},
      {"nothing before", {0, 0}, {0, 10}, 10, false},
      {"nothing now", {10, 10}, {0, 0}, 10, false},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(DropExceeds(c.before, c.now, c.percent), c.exceeds) << c.label;
  }
}

TEST(ShareTest, ShareOfNothingIsZero) {
  EXPECT_EQ(Share{}.value(), 0);
  EXPECT_EQ((Share{1, 4}).value(), 0.25);
}

}  // namespace
}  // namespace trommel::coverage
