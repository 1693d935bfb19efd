#include "core/learn/vertex/bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::learn::vertex {
namespace {

TEST(BitsTest, AgreesWithSets) {
  Random random(testing_support::TestSeed(701));
  for (int round = 0; round < 200; ++round) {
    const size_t size = 1 + random.Below(300);
    std::set<size_t> a, b;
    Bits bits_a(size), bits_b(size);
    for (uint64_t i = random.Below(2 * size); i > 0; --i) {
      const size_t x = random.Below(size), y = random.Below(size);
      a.insert(x);
      bits_a.Set(x);
      b.insert(y);
      bits_b.Set(y);
    }
    if (!a.empty()) {
      bits_a.Clear(*a.begin());
      a.erase(a.begin());
    }
    std::set<size_t> both;
    for (const size_t x : a) {
      if (b.count(x) > 0) both.insert(x);
    }
    EXPECT_EQ(bits_a.Count(), a.size());
    EXPECT_EQ(bits_a.CountAnd(bits_b), both.size());
    EXPECT_EQ(bits_b.Contains(bits_a), both == a);
    const size_t begin = random.Below(size), end = random.Below(size + 1);
    std::vector<size_t> walked, expected;
    bits_a.ForEach(begin, end, [&](size_t i) {
      walked.push_back(i);
      return true;
    });
    for (const size_t x : a) {
      if (x >= begin && x < end) expected.push_back(x);
    }
    EXPECT_EQ(walked, expected);
    Bits meet = bits_a;
    meet.And(bits_b);
    for (size_t i = 0; i < size; ++i) {
      EXPECT_EQ(meet.Get(i), both.count(i) > 0);
    }
  }
}

TEST(BitsTest, WalkingStops) {
  Bits bits(100);
  for (size_t i = 0; i < 100; i += 7) bits.Set(i);
  int seen = 0;
  bits.ForEach(0, 100, [&](size_t) { return ++seen < 3; });
  EXPECT_EQ(seen, 3);
}

}  // namespace
}  // namespace trommel::learn::vertex
