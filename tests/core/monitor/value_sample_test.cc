#include "core/monitor/value_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"

namespace trommel::monitor {
namespace {

using testing_support::TestSeed;

// Values by the number of the record; empty: none.
using Values = std::map<int, std::string>;

ValueSample Sample(const Values& values) {
  ValueSummary summary;
  for (const auto& [number, value] : values) {
    summary.AddRecord(StrCat("http://a/", number), 0, {value});
  }
  return SampleOf(summary);
}

ValueSample Kept(const ValueSample& sample) {
  const auto kept = DecodeSample(EncodeSample(sample));
  EXPECT_TRUE(kept.ok()) << kept.status();
  return *kept;
}

TEST(ValueSampleTest, WhatBecameOfRecords) {
  const Values before = {{1, "a"}, {2, "b"}, {3, ""}, {4, ""}, {5, "e"}};
  struct Case {
    const char* label;
    Values after;
    int64_t kept, changed, lost, gained, blank;
  };
  const Case cases[] = {
      {"the same", before, 3, 0, 0, 0, 2},
      {"another value", {{1, "x"}, {2, "b"}}, 2, 1, 0, 0, 0},
      {"no value", {{1, ""}, {2, "b"}, {3, ""}}, 1, 0, 1, 0, 1},
      {"a value where there was none", {{3, "c"}, {4, ""}}, 0, 0, 0, 1, 1},
      {"other records", {{6, "a"}, {7, ""}}, 0, 0, 0, 0, 0},
      {"nothing", {}, 0, 0, 0, 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const SampleMatch match =
        MatchSamples(Kept(Sample(before)), Sample(c.after));
    EXPECT_EQ(match.kept, c.kept);
    EXPECT_EQ(match.changed, c.changed);
    EXPECT_EQ(match.lost, c.lost);
    EXPECT_EQ(match.gained, c.gained);
    EXPECT_EQ(match.blank, c.blank);
    EXPECT_EQ(match.lost_records.size(), static_cast<size_t>(c.lost));
    EXPECT_EQ(match.changed_records.size(), static_cast<size_t>(c.changed));
  }
}

// What is found by hashes is so of the records: among more than a sample holds,
// whatever share of them has values, nothing is lost that is not, and shares
// are about those of all.
TEST(ValueSampleTest, LossesOfSamplesAreLossesOfAll) {
  Random random(TestSeed(64));
  for (int round = 0; round < 40; ++round) {
    const int64_t count = random.Between(10, 4000);
    const double fill = 0.05 + 0.95 * random.Unit();
    const double loss = random.Chance(0.5) ? 0 : 0.3;
    // Twice as many records, in half of the rounds.
    const int64_t more = random.Chance(0.5) ? count : 0;
    Values before, after;
    for (int i = 0; i < count + more; ++i) {
      const std::string value = random.Chance(fill) ? StrCat("v", i) : "";
      if (i < count) before[i] = value;
      after[i] = random.Chance(loss) ? "" : value;
    }
    const SampleMatch match = MatchSamples(Kept(Sample(before)), Sample(after));
    EXPECT_EQ(match.changed, 0) << "round " << round;
    EXPECT_EQ(match.gained, 0) << "round " << round;
    if (loss == 0) {
      EXPECT_EQ(match.lost, 0) << "round " << round;
    } else {
      const auto had = static_cast<double>(match.kept + match.lost);
      EXPECT_NEAR(static_cast<double>(match.lost), loss * had,
                  3 + 5 * std::sqrt(had * loss))
          << "round " << round;
    }
  }
}

TEST(ValueSampleTest, RecordsThatAreNotThereAreLookedForAgain) {
  ValueSample sample = Kept(Sample({{1, "a"}, {2, "b"}}));
  for (int day = 1; day <= ValueSample::kMaxAge; ++day) {
    ValueSample tonight = Sample({{2, "b"}});
    CarryOver(sample, &tonight);
    sample = Kept(tonight);
    EXPECT_EQ(sample.filled.size(), 2u) << "day " << day;
    EXPECT_EQ(MatchSamples(sample, Sample({{1, ""}, {2, "b"}})).lost, 1);
  }
  ValueSample tonight = Sample({{2, "b"}});
  CarryOver(sample, &tonight);
  EXPECT_EQ(tonight.filled.size(), 1u);
}

TEST(ValueSampleTest, BytesThatAreCutOffAreAnError) {
  const std::string bytes = EncodeSample(Sample({{1, "a"}, {2, ""}, {3, "c"}}));
  EXPECT_TRUE(DecodeSample("").ok());
  for (size_t size = 1; size < bytes.size(); ++size) {
    // Four bytes less are a blank record less.
    if (size + 4 == bytes.size()) continue;
    EXPECT_FALSE(DecodeSample(bytes.substr(0, size)).ok()) << size;
  }
}

TEST(ValueSampleTest, IsBounded) {
  Values values;
  for (int i = 0; i < 5000; ++i) values[i] = i % 2 == 0 ? "a" : "";
  EXPECT_LE(EncodeSample(Sample(values)).size(), 1200u);
}

}  // namespace
}  // namespace trommel::monitor
