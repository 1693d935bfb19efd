#include "core/signature/masked_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::signature {
namespace {

MaskedVector Masked(std::string_view text) {
  const absl::StatusOr<MaskedVector> parsed = MaskedVector::Parse(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.value_or(MaskedVector());
}

ShingleVector Vector(std::string_view text) {
  const absl::StatusOr<ShingleVector> parsed = ParseVector(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  return parsed.value_or(0);
}

TEST(MaskedVectorTest, BytesStandFromTheLeft) {
  const ShingleVector vector = VectorOf({1, 2, 3, 4, 5, 6, 7, 255});
  EXPECT_EQ(vector, 0x01020304050607FFu);
  EXPECT_EQ(VectorByte(vector, 0), 1);
  EXPECT_EQ(VectorByte(vector, 7), 255);
  EXPECT_EQ(VectorText(vector), "1.2.3.4.5.6.7.255");
  EXPECT_EQ(FixedBits(0x81), 0x00FFFFFFFFFFFF00u);
  // What is wild is not remembered.
  EXPECT_EQ(MaskedVector(vector, 0x01), MaskedVector(vector - 255, 0x01));
}

TEST(MaskedVectorTest, TextRoundTrips) {
  for (const std::string_view text :
       {"0.0.0.0.0.0.0.0", "255.255.255.255.255.255.255.255", "*.*.*.*.*.*.*.*",
        "12.*.7.200.3.*.9.41", "*.0.0.0.0.0.0.*"}) {
    EXPECT_EQ(Masked(text).Text(), text);
  }
  EXPECT_EQ(Masked("*.2.3.4.5.6.7.*").wild, 0x81);
  Random random(testing_support::TestSeed(401));
  for (int round = 0; round < 2000; ++round) {
    const MaskedVector vector(random.Next(),
                              static_cast<WildCards>(random.Below(256)));
    EXPECT_EQ(Masked(vector.Text()), vector) << vector.Text();
    EXPECT_EQ(Vector(VectorText(vector.bytes)), vector.bytes);
  }
}

TEST(MaskedVectorTest, ParseTakesNothingElse) {
  struct Case {
    const char* label;
    std::string_view text, problem;
  };
  const Case kCases[] = {
      {"empty", "", "eight parts"},
      {"seven parts", "1.2.3.4.5.6.7", "eight parts"},
      {"nine parts", "1.2.3.4.5.6.7.8.9", "eight parts"},
      {"dot behind", "1.2.3.4.5.6.7.8.", "eight parts"},
      {"empty part", "1..3.4.5.6.7.8", "neither"},
      {"empty last part", "1.2.3.4.5.6.7.", "neither"},
      {"too large", "1.2.3.4.5.6.7.256", "neither"},
      {"far too large", "99999999999999999999.2.3.4.5.6.7.8", "neither"},
      {"negative", "-1.2.3.4.5.6.7.8", "neither"},
      {"plus", "+1.2.3.4.5.6.7.8", "neither"},
      {"space", "1.2. 3.4.5.6.7.8", "neither"},
      {"space behind", "1.2.3.4.5.6.7.8 ", "neither"},
      {"two stars", "1.**.3.4.5.6.7.8", "neither"},
      {"hex", "1.2.0x3.4.5.6.7.8", "neither"},
      {"commas", "1,2,3,4,5,6,7,8", "eight parts"},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<MaskedVector> parsed = MaskedVector::Parse(c.text);
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument)
        << c.label;
    EXPECT_NE(parsed.status().message().find(c.problem.data()),
              absl::string_view::npos)
        << c.label << ": " << parsed.status();
    EXPECT_FALSE(ParseVector(c.text).ok()) << c.label;
  }
  EXPECT_EQ(ParseVector("1.2.*.4.5.6.7.8").status().code(),
            absl::StatusCode::kInvalidArgument);
}

// "The 6/8 masked shingle vector <1.2.*.4.5.*.7.8> covers the vector
// <1.2.3.4.5.6.7.8>."
TEST(MaskedVectorPaper, SectionThreeA) {
  EXPECT_TRUE(Masked("1.2.*.4.5.*.7.8").Covers(Vector("1.2.3.4.5.6.7.8")));
  EXPECT_EQ(Masked("1.2.*.4.5.*.7.8").NumWild(), 2);
}

TEST(MaskedVectorTest, CoversAndMatches) {
  struct Case {
    const char* label;
    std::string_view a, b;
    bool a_covers_b, b_covers_a;
  };
  const Case kCases[] = {
      {"equal", "1.2.3.4.5.6.7.8", "1.2.3.4.5.6.7.8", true, true},
      {"another byte", "1.2.3.4.5.6.7.8", "1.2.3.4.5.6.7.9", false, false},
      {"one open", "1.2.3.4.5.6.7.*", "1.2.3.4.5.6.7.9", true, false},
      {"open at the left", "*.2.3.4.5.6.7.8", "0.2.3.4.5.6.7.8", true, false},
      {"open, but another differs", "1.2.3.4.5.6.7.*", "1.2.0.4.5.6.7.9", false,
       false},
      {"wider", "1.*.3.4.5.6.7.*", "1.*.3.4.5.6.7.8", true, false},
      {"both open, equal", "1.*.3.4.5.6.7.8", "1.*.3.4.5.6.7.8", true, true},
      // They have vectors in common, yet neither covers the other.
      {"crossing", "1.*.3.4.5.6.7.8", "1.2.*.4.5.6.7.8", false, false},
      {"an open byte is not a zero", "1.0.3.4.5.6.7.8", "1.*.3.4.5.6.7.8",
       false, true},
      {"all open", "*.*.*.*.*.*.*.*", "0.0.0.0.0.0.0.0", true, false},
  };
  for (const Case& c : kCases) {
    const MaskedVector a = Masked(c.a), b = Masked(c.b);
    EXPECT_EQ(a.Covers(b), c.a_covers_b) << c.label;
    EXPECT_EQ(b.Covers(a), c.b_covers_a) << c.label;
    EXPECT_EQ(a.Matches(b), c.a_covers_b || c.b_covers_a) << c.label;
    EXPECT_EQ(b.Matches(a), c.a_covers_b || c.b_covers_a) << c.label;
    if (b.wild == 0) {
      EXPECT_EQ(a.Covers(b.bytes), c.a_covers_b) << c.label;
    }
  }
}

TEST(MaskedVectorTest, TiesBreakByWildCardsThenBytesFromTheLeft) {
  const std::string_view kSorted[] = {
      "0.0.0.0.0.0.0.0",         "0.0.0.0.0.0.0.255", "1.0.0.0.0.0.0.0",
      "255.255.255.255.0.0.0.0", "0.0.0.0.0.0.0.*",   "0.0.0.0.0.0.*.0",
      "0.*.255.0.0.0.0.0",       "200.0.0.0.0.0.0.*", "*.0.0.0.0.0.0.0",
      "0.0.0.0.0.0.*.*",         "255.*.0.0.0.0.0.*", "*.0.0.0.0.0.0.*",
      "*.*.0.0.0.0.0.0",
  };
  for (size_t i = 0; i < std::size(kSorted); ++i) {
    for (size_t j = 0; j < std::size(kSorted); ++j) {
      EXPECT_EQ(Masked(kSorted[i]) < Masked(kSorted[j]), i < j)
          << kSorted[i] << " and " << kSorted[j];
    }
  }
}

TEST(MaskedVectorTest, CandidatesAreAllOfThemAndSortedForEveryVector) {
  EXPECT_EQ(std::set<WildCards>(kCandidateWildCards.begin(),
                                kCandidateWildCards.end())
                .size(),
            37u);
  Random random(testing_support::TestSeed(402));
  for (int round = 0; round < 2000; ++round) {
    // Whole words, and words of few values with zeros and 255 among them.
    ShingleVector vector = random.Next();
    if (round % 2 == 0) {
      for (int i = 0; i < kVectorBytes; ++i) {
        const uint64_t byte = uint64_t{random.Chance(0.5) ? 0xFFu : 0u};
        vector = vector << 8 | byte;
      }
    }
    std::vector<MaskedVector> candidates;
    for (const WildCards wild : kCandidateWildCards) {
      candidates.emplace_back(vector, wild);
      EXPECT_TRUE(candidates.back().Covers(vector));
      EXPECT_LE(candidates.back().NumWild(), kMaxWildCards);
    }
    EXPECT_TRUE(std::is_sorted(candidates.begin(), candidates.end()))
        << VectorText(vector);
  }
}

}  // namespace
}  // namespace trommel::signature
