#include "core/monitor/drift.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"

namespace trommel::monitor {
namespace {

using testing_support::TestSeed;

// The value of a record; empty: none.
using ValueOf = std::function<std::string(int64_t)>;

ValueSummary Summary(int64_t records, const ValueOf& value_of) {
  ValueSummary summary;
  for (int64_t i = 0; i < records; ++i) {
    const std::string value = value_of(i);
    summary.AddRecord(StrCat("http://a/", i), 0, {value});
  }
  return summary;
}

using Reasons = std::vector<std::string>;

TEST(DriftTest, WhatIsFlagged) {
  const ValueOf price = [](int64_t i) {
    return StrCat("$", 10 + i % 90, ".99");
  };
  const ValueOf none = [](int64_t) { return std::string(); };
  struct Case {
    const char* label;
    int64_t before_count;
    ValueOf before;
    int64_t after_count;
    ValueOf after;
    DriftState state;
    Reasons reasons;
  };
  const Case cases[] = {
      {"the same", 1000, price, 1000, price, DriftState::kFine, {}},
      {"more records, the same shapes",
       1000,
       price,
       5000,
       price,
       DriftState::kFine,
       {}},
      {"other prices",
       1000,
       price,
       1000,
       [](int64_t i) { return StrCat("$", 10 + i % 80, ".49"); },
       DriftState::kFine,
       {}},
      {"fewer are filled",
       1000,
       price,
       1000,
       [&](int64_t i) { return i % 2 == 0 ? price(i) : none(i); },
       DriftState::kDrifted,
       {"filled: 100% before, 50% after"}},
      {"fewer by less than the margin",
       100000,
       price,
       100000,
       [&](int64_t i) { return i % 20 == 0 ? none(i) : price(i); },
       DriftState::kFine,
       {}},
      {"fewer of too few to be sure",
       5,
       price,
       5,
       [&](int64_t i) { return i % 2 == 0 ? price(i) : none(i); },
       DriftState::kFine,
       {}},
      {"nothing is filled any more",
       1000,
       price,
       1000,
       none,
       DriftState::kDrifted,
       {"filled: 100% before, 0% after"}},
      {"another currency behind the price",
       1000,
       price,
       1000,
       [](int64_t i) { return StrCat(10 + i % 90, ",99 €"); },
       DriftState::kDrifted,
       {"shapes: $9$9 100% before, 9$9a 100% after",
        "median length: 6 before, 9 after"}},
      {"a label in place of the value",
       1000,
       price,
       1000,
       [](int64_t) { return std::string("$10.00"); },
       DriftState::kDrifted,
       {"distinct values: 34% before, 0% after"}},
      {"longer",
       1000,
       [](int64_t i) { return StrCat("Name", i % 3 == 0 ? "a" : "b"); },
       1000,
       [](int64_t i) {
         return StrCat("Nameofsomethingelsealtogether", i % 3 == 0 ? "a" : "b");
       },
       DriftState::kDrifted,
       {"median length: 5 before, 28 after"}},
      {"no records after",
       1000,
       price,
       0,
       price,
       DriftState::kUnknown,
       {"no records after"}},
      {"no records before",
       0,
       price,
       1000,
       price,
       DriftState::kUnknown,
       {"no records before"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const Drift drift =
        CompareSummaries(Summary(c.before_count, c.before),
                         Summary(c.after_count, c.after), DriftThresholds());
    EXPECT_EQ(drift.state, c.state) << DriftStateName(drift.state);
    EXPECT_EQ(drift.reasons, c.reasons);
  }
}

// A random distribution of values: some missing, several kinds with any
// weights, many or few distinct.
std::string RandomValue(double fill, int kinds, uint64_t distinct,
                        Random* random) {
  if (!random->Chance(fill)) return "";
  const uint64_t number = random->Below(distinct);
  switch (static_cast<int>(random->Below(static_cast<uint64_t>(kinds)))) {
    case 0:
      return StrCat("$", number, ".99");
    case 1:
      return StrCat("Some Title ", number);
    case 2:
      return StrCat(number, " reviews");
    case 3:
      return std::string(1 + number % 300, 'x');
    default:
      return StrCat("(", number, ") ", number);
  }
}

// With no margins at all the bounds alone keep what has not changed from being
// flagged, whatever the counts.
TEST(DriftTest, SameDistributionIsNeverFlagged) {
  Random random(TestSeed(2009));
  const DriftThresholds only_noise = {0, 0, 1e-6};
  for (int round = 0; round < 400; ++round) {
    const double fill = random.Unit();
    const int kinds = static_cast<int>(random.Between(1, 5));
    const uint64_t distinct = static_cast<uint64_t>(random.Between(1, 2000));
    const auto draw = [&](int64_t first, int64_t count) {
      ValueSummary summary;
      for (int64_t i = first; i < first + count; ++i) {
        const std::string value = RandomValue(fill, kinds, distinct, &random);
        summary.AddRecord(StrCat("http://a/", i), 0, {value});
      }
      return summary;
    };
    const ValueSummary before = draw(0, random.Between(1, 1500));
    // The same pages or others.
    const ValueSummary after =
        draw(round % 2 == 0 ? 0 : 1000000, random.Between(1, 1500));
    const Drift drift = CompareSummaries(before, after, only_noise);
    EXPECT_EQ(drift.state, DriftState::kFine)
        << "round " << round << ": " << drift.reasons[0];
  }
}

TEST(DriftTest, SummariesDoNotDependOnOrderAndGrouping) {
  Random random(TestSeed(7));
  for (int round = 0; round < 20; ++round) {
    ValueSummary whole;
    std::vector<ValueSummary> parts(5);
    for (int64_t i = 0; i < 2000; ++i) {
      // Some URLs come twice, with other values.
      const std::string url = StrCat("http://a/", i % 1500);
      const std::string value = RandomValue(0.8, 5, 500, &random);
      whole.AddRecord(url, i % 2, {value});
      parts[random.Below(parts.size())].AddRecord(url, i % 2, {value});
    }
    ValueSummary merged;
    for (size_t i = parts.size(); i-- > 0;) merged.Merge(parts[i]);
    EXPECT_EQ(merged.records, whole.records);
    EXPECT_EQ(merged.filled, whole.filled);
    EXPECT_EQ(merged.values, whole.values);
    EXPECT_EQ(merged.shapes, whole.shapes);
    EXPECT_EQ(merged.lengths, whole.lengths);
    EXPECT_EQ(merged.sample, whole.sample);
    EXPECT_EQ(merged.sample.size(), ValueSummary::kMaxSample);
  }
}

TEST(DriftTest, Shapes) {
  const std::pair<const char*, const char*> cases[] = {
      {"$25.99", "$9$9"},
      {"The Matrix", "AaAa"},
      {"The Matrix Reloaded", "AaAa+"},
      {"3 May 2009", "9Aa9"},
      {"3 May 2009!", "9Aa9+"},
      {"", ""},
      {" \n\u00a0", ""},
      {"été", "a"},
      {"USD", "A"},
      {"(212) 555-0100", "$9$9+"},
  };
  for (const auto& [value, shape] : cases) EXPECT_EQ(ShapeOf(value), shape);
}

TEST(DriftTest, LengthBuckets) {
  size_t last = 0;
  for (size_t length = 0; length < 5000; ++length) {
    const size_t bucket = LengthBucket(length);
    ASSERT_LE(LengthOfBucket(bucket), static_cast<int64_t>(length));
    ASSERT_GE(bucket, last);
    ASSERT_LE(bucket, last + 1);
    last = bucket;
  }
  EXPECT_EQ(LengthBucket(size_t{1} << 40), kLengthBuckets - 1);
}

// By enumeration, on all small tables.
TEST(DriftTest, FisherProbability) {
  const auto choose = [](int64_t n, int64_t k) {
    double product = 1;
    for (int64_t i = 0; i < k; ++i) {
      product *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    }
    return product;
  };
  for (int64_t n = 1; n <= 6; ++n) {
    for (int64_t m = 1; m <= 6; ++m) {
      for (int64_t a = 0; a <= n; ++a) {
        for (int64_t b = 0; b <= m; ++b) {
          double lower = 0, upper = 0;
          for (int64_t x = 0; x <= n; ++x) {
            if (a + b - x < 0 || a + b - x > m) continue;
            const double p =
                choose(n, x) * choose(m, a + b - x) / choose(n + m, a + b);
            lower += x <= a ? p : 0;
            upper += x >= a ? p : 0;
          }
          EXPECT_NEAR(FisherProbability(a, n, b, m),
                      std::min(1.0, 2 * std::min(lower, upper)), 1e-9)
              << a << " of " << n << ", " << b << " of " << m;
        }
      }
    }
  }
}

// Where even the first term is too small for a number, none of the billions
// that follow is looked at.
TEST(DriftTest, FisherProbabilityOfLargeTables) {
  constexpr int64_t kBillion = 1000000000;
  EXPECT_EQ(FisherProbability(6 * kBillion, 10 * kBillion, 3 * kBillion,
                              10 * kBillion),
            0);
  EXPECT_EQ(FisherProbability(3 * kBillion, 10 * kBillion, 6 * kBillion,
                              10 * kBillion),
            0);
}

}  // namespace
}  // namespace trommel::monitor
