#include "core/cluster/typical_sketch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "tests/core/cluster/sketches.h"
#include "tests/testing/seed.h"

namespace trommel::cluster {
namespace {

using testing_support::Changed;
using testing_support::EmptySketch;
using testing_support::RandomSketch;
using testing_support::Spliced;

TypicalSketch Of(const std::vector<signature::Sketch>& pages) {
  std::vector<const signature::Sketch*> pointers;
  for (const signature::Sketch& page : pages) pointers.push_back(&page);
  return TypicalSketch::Of(pointers);
}

TEST(TypicalSketchTest, OfOnePageIsThatPage) {
  Random random(testing_support::TestSeed(430));
  const signature::Sketch page = RandomSketch(&random);
  const TypicalSketch typical = Of({page});
  EXPECT_DOUBLE_EQ(typical.Likeness(page), 1.0);
  EXPECT_DOUBLE_EQ(typical.Likeness(Changed(page, 32, &random)), 0.75);
  EXPECT_DOUBLE_EQ(typical.Likeness(EmptySketch()), 0.0);
  // At least 0.8 of what the template's own pages have.
  EXPECT_TRUE(typical.Accepts(typical.Likeness(Changed(page, 25, &random))));
  EXPECT_FALSE(typical.Accepts(typical.Likeness(Changed(page, 26, &random))));
}

TEST(TypicalSketchTest, NoneIsLikeNothing) {
  Random random(testing_support::TestSeed(431));
  EXPECT_DOUBLE_EQ(TypicalSketch().Likeness(RandomSketch(&random)), 0.0);
  EXPECT_FALSE(TypicalSketch().Accepts(1.0));
  const TypicalSketch typical = Of({EmptySketch(), EmptySketch()});
  EXPECT_DOUBLE_EQ(typical.Likeness(EmptySketch()), 0.0);
  EXPECT_FALSE(typical.Accepts(typical.Likeness(EmptySketch())));
}

// Pages that share 80 slots and differ in the others at random: what they share
// decides, and what they do not share has no weight.
TEST(TypicalSketchTest, WhatPagesShareHasTheWeight) {
  Random random(testing_support::TestSeed(432));
  const signature::Sketch shared = RandomSketch(&random);
  const auto page = [&] { return Spliced(shared, RandomSketch(&random), 80); };
  std::vector<signature::Sketch> pages;
  for (int i = 0; i < 200; ++i) pages.push_back(page());
  const TypicalSketch typical = Of(pages);
  const double own = typical.Likeness(page());
  EXPECT_GT(own, 0.95);
  EXPECT_TRUE(typical.Accepts(own));
  // Half of the shared slots.
  const signature::Sketch half = Spliced(shared, RandomSketch(&random), 40);
  EXPECT_NEAR(typical.Likeness(half), 0.5, 0.05);
  EXPECT_FALSE(typical.Accepts(typical.Likeness(half)));
}

// One odd page in sixty does not lower what is accepted; one in forty does.
TEST(TypicalSketchTest, TheOddestFiftiethDoesNotCount) {
  Random random(testing_support::TestSeed(433));
  const signature::Sketch centre = RandomSketch(&random);
  const signature::Sketch odd = Changed(centre, 50, &random);
  const signature::Sketch near_odd = Changed(odd, 8, &random);
  for (const bool counts : {false, true}) {
    std::vector<signature::Sketch> pages(counts ? 39 : 59, centre);
    pages.push_back(odd);
    const TypicalSketch typical = Of(pages);
    EXPECT_EQ(typical.Accepts(typical.Likeness(near_odd)), counts);
  }
}

TEST(TypicalSketchTest, NeverAcceptsBelowTheFloor) {
  Random random(testing_support::TestSeed(434));
  // Pages with nothing in common.
  std::vector<signature::Sketch> pages;
  for (int i = 0; i < 10; ++i) pages.push_back(RandomSketch(&random));
  const TypicalSketch typical = Of(pages);
  EXPECT_FALSE(typical.Accepts(0.2499));
  EXPECT_TRUE(typical.Accepts(0.25));
}

TEST(TypicalSketchTest, EncodeRoundTrips) {
  Random random(testing_support::TestSeed(435));
  for (int round = 0; round < 50; ++round) {
    const signature::Sketch centre = RandomSketch(&random);
    std::vector<signature::Sketch> pages = {centre};
    const uint64_t more = random.Below(80);
    for (uint64_t i = 0; i < more; ++i) {
      pages.push_back(Changed(centre, random.Below(60), &random));
    }
    const TypicalSketch typical = Of(pages);
    const std::string bytes = typical.Encode();
    ASSERT_EQ(bytes.size(), 386u);
    const absl::StatusOr<TypicalSketch> decoded = TypicalSketch::Decode(bytes);
    ASSERT_TRUE(decoded.ok()) << decoded.status();
    EXPECT_EQ(decoded->Encode(), bytes);
    for (int i = 0; i < 20; ++i) {
      const signature::Sketch page =
          Changed(centre, random.Below(129), &random);
      const double likeness = typical.Likeness(page);
      ASSERT_EQ(decoded->Likeness(page), likeness);
      ASSERT_EQ(decoded->Accepts(likeness), typical.Accepts(likeness));
    }
  }
  // The one that accepts nothing stays that way.
  const absl::StatusOr<TypicalSketch> none =
      TypicalSketch::Decode(TypicalSketch().Encode());
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->Accepts(1.0));
}

// The border itself survives storing: pages exactly on it are placed alike
// before and after.
TEST(TypicalSketchTest, EncodeKeepsTheAcceptedLikenessExactly) {
  Random random(testing_support::TestSeed(436));
  for (size_t off = 0; off <= 64; ++off) {
    const signature::Sketch centre = RandomSketch(&random);
    const TypicalSketch typical =
        Of({centre, centre, centre, Changed(centre, off, &random)});
    const absl::StatusOr<TypicalSketch> decoded =
        TypicalSketch::Decode(typical.Encode());
    ASSERT_TRUE(decoded.ok());
    for (int steps = 0; steps <= 10000; ++steps) {
      ASSERT_EQ(decoded->Accepts(steps / 10000.0),
                typical.Accepts(steps / 10000.0))
          << off << " slots off, at " << steps;
    }
  }
}

TEST(TypicalSketchTest, DecodeRefusesOtherSizes) {
  for (const size_t size : {0, 1, 128, 256, 258, 385, 387, 772}) {
    EXPECT_EQ(TypicalSketch::Decode(std::string(size, '\1')).status().code(),
              absl::StatusCode::kInvalidArgument)
        << size;
  }
}

}  // namespace
}  // namespace trommel::cluster
