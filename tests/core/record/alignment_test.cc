#include "core/record/alignment.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/random.h"
#include "tests/testing/records.h"
#include "tests/testing/seed.h"

namespace trommel::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::Pointee;
using testing_support::RecordOf;

proto::Schema TwoAttributes() {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 's' attribute { name: 'a' } attribute { name: 'b' }", &schema));
  return schema;
}

std::vector<Record> Titles(const std::vector<std::string>& titles) {
  std::vector<Record> records;
  for (const std::string& title : titles) {
    records.push_back(RecordOf({{title}, {"same"}}));
  }
  return records;
}

TEST(AlignRecords, OneThatIsMissedDoesNotShiftTheOthers) {
  const proto::Schema schema = TwoAttributes();
  EXPECT_THAT(AlignRecords(schema, Titles({"A", "B", "C", "D"}),
                           Titles({"A", "C", "D"})),
              ElementsAre(Pair(0, 0), Pair(2, 1), Pair(3, 2)));
  EXPECT_THAT(AlignRecords(schema, Titles({"B"}), Titles({"A", "B"})),
              ElementsAre(Pair(0, 1)));
}

TEST(AlignRecords, RecordsWithNothingInCommonAreTheSamePlace) {
  const proto::Schema schema = TwoAttributes();
  EXPECT_THAT(AlignRecords(schema, {RecordOf({{"A"}})}, {RecordOf({{"B"}})}),
              ElementsAre(Pair(0, 0)));
  EXPECT_THAT(AlignRecords(schema, {RecordOf({{"A"}}), RecordOf({{"B"}})},
                           {RecordOf({{"X"}}), RecordOf({{"Y"}})}),
              ElementsAre(Pair(0, 0), Pair(1, 1)));
  EXPECT_THAT(AlignRecords(schema, {}, {RecordOf({{"X"}})}), IsEmpty());
}

TEST(CounterpartsOf, RecordsWithoutOneHaveAnEmptyOne) {
  const proto::Schema schema = TwoAttributes();
  const std::vector<Record> second = Titles({"A", "C"});
  EXPECT_THAT(CounterpartsOf(schema, Titles({"A", "B", "C"}), second),
              ElementsAre(&second[0], Pointee(Record()), &second[1]));
  EXPECT_THAT(CounterpartsOf(schema, {}, second), IsEmpty());
}

// All alignments of the two ranges that pair as many as they can.
double BestByHand(size_t i, size_t j, size_t n, size_t m,
                  const std::function<double(size_t, size_t)>& likeness) {
  if (i == n || j == m) return 0;
  return std::max({likeness(i, j) + BestByHand(i + 1, j + 1, n, m, likeness),
                   BestByHand(i + 1, j, n, m, likeness),
                   BestByHand(i, j + 1, n, m, likeness)});
}

TEST(Align, IsTheBestOfAll) {
  Random random(testing_support::TestSeed(11));
  for (int round = 0; round < 300; ++round) {
    const size_t n = random.Below(6);
    const size_t m = random.Below(6);
    std::vector<double> table(36);
    for (double& cell : table) {
      cell = static_cast<double>(random.Below(4)) / 3;
    }
    const auto likeness = [&](size_t i, size_t j) { return table[i * 6 + j]; };
    const Alignment alignment = Align(n, m, likeness);
    double sum = 0;
    for (size_t k = 0; k < alignment.size(); ++k) {
      sum += likeness(alignment[k].first, alignment[k].second);
      if (k == 0) continue;
      EXPECT_LT(alignment[k - 1].first, alignment[k].first);
      EXPECT_LT(alignment[k - 1].second, alignment[k].second);
    }
    EXPECT_NEAR(sum, BestByHand(0, 0, n, m, likeness), 1e-6);
  }
}

// Longer lists than a table is made for: what is the same at both ends is
// paired, and the rest by place.
TEST(Align, LongLists) {
  constexpr size_t kLong = 3000;
  const auto alignment = Align(kLong, kLong + 1, [](size_t i, size_t j) {
    const size_t shift = i < 1500 ? 0 : 1;
    return i + shift == j ? 1.0 : 0.0;
  });
  ASSERT_EQ(alignment.size(), kLong);
  EXPECT_THAT(alignment[1499], Pair(1499, 1499));
  EXPECT_THAT(alignment[1500], Pair(1500, 1501));
  EXPECT_THAT(alignment.back(), Pair(kLong - 1, kLong));
}

}  // namespace
}  // namespace trommel::record
