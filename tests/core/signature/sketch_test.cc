#include "core/signature/sketch.h"

#include <gtest/gtest.h>

#include <string>

namespace trommel::signature {
namespace {

TEST(SketchTest, IsStoredAsItsSlots) {
  Sketch sketch;
  for (size_t i = 0; i < Sketch::kSlots; ++i) {
    sketch.slots[i] = static_cast<int16_t>(i * 511 - 32768);
  }
  sketch.slots[0] = 0x1234;
  const absl::StatusOr<Sketch> read = Sketch::FromBytes(sketch.Bytes());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, sketch);
  EXPECT_EQ(sketch.Bytes().size(), 256u);
  EXPECT_EQ(sketch.Bytes().substr(0, 2), "\x34\x12");
}

TEST(SketchTest, OtherSizesAreRefused) {
  for (const size_t size : {0, 1, 128, 255, 257, 512}) {
    EXPECT_EQ(Sketch::FromBytes(std::string(size, 'x')).status().code(),
              absl::StatusCode::kInvalidArgument)
        << size;
  }
}

TEST(SketchTest, OverlapsCountWhatEitherHas) {
  // The numbers of slots, from slot 0 on, that are equal in both, smaller in
  // `a`, smaller in `b`, in `a` only, in `b` only; the rest is empty in both.
  struct Case {
    const char* label;
    int equal, a_smaller, b_smaller, a_alone, b_alone;
    double resemblance;
  };
  const Case kCases[] = {
      {"both empty", 0, 0, 0, 0, 0, 0},
      {"same", 128, 0, 0, 0, 0, 1},
      {"same and short", 3, 0, 0, 0, 0, 1},
      {"nothing in common", 0, 64, 64, 0, 0, 0},
      {"a section more", 96, 32, 0, 0, 0, 0.75},
      {"empty slots of both do not count", 10, 5, 5, 0, 0, 0.5},
      {"empty slots of one count", 10, 0, 0, 10, 0, 0.5},
      {"of the other too", 10, 0, 0, 4, 6, 0.5},
      {"one empty", 0, 0, 0, 128, 0, 0},
      {"one slot of all", 1, 0, 127, 0, 0, 1.0 / 128},
      {"everything", 20, 10, 30, 15, 5, 0.25},
  };
  for (const Case& c : kCases) {
    Sketch a, b;
    a.slots.fill(Sketch::kEmpty);
    b.slots.fill(Sketch::kEmpty);
    size_t slot = 0;
    const auto fill = [&](int times, int16_t in_a, int16_t in_b) {
      for (; times > 0; --times, ++slot) {
        a.slots[slot] = in_a;
        b.slots[slot] = in_b;
      }
    };
    fill(c.equal, -7, -7);
    fill(c.a_smaller, -32768, 32766);
    fill(c.b_smaller, 1, -1);
    fill(c.a_alone, 32766, Sketch::kEmpty);
    fill(c.b_alone, Sketch::kEmpty, 32766);
    for (const bool swapped : {false, true}) {
      const Overlap overlap =
          swapped ? CompareSketches(b, a) : CompareSketches(a, b);
      const int only_a = swapped ? overlap.only_second : overlap.only_first;
      const int only_b = swapped ? overlap.only_first : overlap.only_second;
      EXPECT_EQ(overlap.both, c.equal) << c.label;
      EXPECT_EQ(only_a, c.a_smaller + c.a_alone) << c.label;
      EXPECT_EQ(only_b, c.b_smaller + c.b_alone) << c.label;
      EXPECT_DOUBLE_EQ(overlap.Resemblance(), c.resemblance) << c.label;
    }
  }
}

}  // namespace
}  // namespace trommel::signature
