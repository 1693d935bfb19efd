#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace trommel {
namespace {

// The reference sequence of SplitMix64 for seed 1234567, as published with the
// algorithm's C code (prng.di.unimi.it) and used by other implementations.
TEST(RandomTest, GivesTheReferenceSequence) {
  Random random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
  EXPECT_EQ(random.Next(), 4593380528125082431u);
  EXPECT_EQ(random.Next(), 16408922859458223821u);
}

TEST(RandomTest, BelowStaysBelowAndReachesEverything) {
  Random random(1);
  std::vector<int> counts(7);
  for (int i = 0; i < 7000; ++i) ++counts[random.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 200);
  EXPECT_EQ(random.Below(1), 0u);
  EXPECT_EQ(random.Below(0), 0u);
}

TEST(RandomTest, BetweenIncludesBothEnds) {
  struct Case {
    const char* label;
    int64_t low, high;
  };
  for (const Case& c : {Case{"one value", 5, 5}, Case{"around zero", -1, 1},
                        Case{"whole range", INT64_MIN, INT64_MAX}}) {
    Random random(2);
    bool low = false, high = false;
    for (int i = 0; i < 200; ++i) {
      const int64_t value = random.Between(c.low, c.high);
      EXPECT_GE(value, c.low) << c.label;
      EXPECT_LE(value, c.high) << c.label;
      low |= value == c.low;
      high |= value == c.high;
    }
    if (c.high - 2 <= c.low || c.low == c.high) {
      EXPECT_TRUE(low && high) << c.label;
    }
  }
}

TEST(RandomTest, UnitAndChance) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double unit = random.Unit();
    ASSERT_GE(unit, 0);
    ASSERT_LT(unit, 1);
    sum += unit;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
  EXPECT_FALSE(random.Chance(0));
  EXPECT_TRUE(random.Chance(1));
}

}  // namespace
}  // namespace trommel
