#include "core/learn/vertex/plausibility.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::learn::vertex {
namespace {

constexpr Clue kFor[] = {Clue::kLabel,  Clue::kClass, Clue::kId,
                         Clue::kInside, Clue::kPages, Clue::kConsensus};
constexpr Clue kAgainst[] = {
    Clue::kWeak,         Clue::kDisjunction,     Clue::kDigits,
    Clue::kDistance,     Clue::kRareText,        Clue::kPosition,
    Clue::kClassifier,   Clue::kRange,           Clue::kLuckyRange,
    Clue::kOtherPlace,   Clue::kTellsNeighbours, Clue::kSilent,
    Clue::kSilentAbsent, Clue::kMisses,          Clue::kInvents,
    Clue::kUseless,      Clue::kUselessPart,     Clue::kSeveral,
    Clue::kSame,         Clue::kUnlike,          Clue::kVeryUnlike,
    Clue::kMore,         Clue::kSingle,          Clue::kInexact};

TEST(PlausibilityTest, EachClueHasANameOfItsOwn) {
  std::set<std::string> names;
  for (size_t i = 0; i < kNumClues; ++i) {
    const std::string name(ClueName(static_cast<Clue>(i)));
    EXPECT_FALSE(name.empty()) << i;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  // The names stand in the order of the clues.
  EXPECT_EQ(ClueName(Clue::kOne), "one");
  EXPECT_EQ(ClueName(Clue::kRareText), "rare_text");
  EXPECT_EQ(ClueName(Clue::kTellsNeighbours), "tells_neighbours");
  EXPECT_EQ(ClueName(Clue::kSilent), "silent");
  EXPECT_EQ(ClueName(Clue::kSeveral), "several");
  EXPECT_EQ(ClueName(Clue::kConsensus), "consensus");
}

// Whatever else is known.
TEST(PlausibilityTest, MonotoneInWhatSpeaksForAndAgainst) {
  Random random(testing_support::TestSeed(711));
  for (int round = 0; round < 200; ++round) {
    Clues clues;
    for (size_t i = 1; i < kNumClues; ++i) {
      if (random.Chance(0.2)) {
        clues[static_cast<Clue>(i)] =
            static_cast<double>(random.Below(100)) / 100;
      }
    }
    const double before = Plausibility(clues);
    EXPECT_GT(before, 0);
    EXPECT_LT(before, 1);
    for (const Clue clue : kFor) {
      Clues more = clues;
      more[clue] += 0.5;
      EXPECT_GT(Plausibility(more), before) << ClueName(clue);
    }
    for (const Clue clue : kAgainst) {
      Clues more = clues;
      more[clue] += 0.5;
      EXPECT_LT(Plausibility(more), before) << ClueName(clue);
    }
  }
}

}  // namespace
}  // namespace trommel::learn::vertex
