#include "core/eval/calibration.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/records.h"
#include "tests/testing/seed.h"

namespace trommel::eval {
namespace {

using testing_support::FieldLists;
using testing_support::RecordOf;

TEST(ReliabilityTest, BinOfAConfidence) {
  struct Case {
    double stated;
    size_t bin;
    bool is_certain;
  };
  const Case cases[] = {
      {0, 0, false},
      {0.05, 0, false},
      {std::nextafter(0.1, 0), 0, false},
      {0.1, 1, false},
      {0.3, 3, false},
      {std::nextafter(0.3, 0), 2, false},
      {0.6, 6, false},
      {std::nextafter(0.7, 0), 6, false},
      {0.7, 7, false},
      {0.9, 9, false},
      {std::nextafter(0.99, 0), 9, false},
      {0.99, 9, true},
      {1, 9, true},
      {1.5, 9, true},
      {-1, 0, false},
      {std::numeric_limits<double>::quiet_NaN(), 0, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.stated);
    Reliability reliability;
    reliability.Add(c.stated, true);
    EXPECT_EQ(reliability.count(), 1);
    EXPECT_EQ(reliability.certain().count, c.is_certain ? 1 : 0);
    for (size_t i = 0; i < reliability.bins().size(); ++i) {
      EXPECT_EQ(reliability.bins()[i].count, i == c.bin ? 1 : 0) << i;
    }
  }
}

TEST(ReliabilityTest, NothingIsStated) {
  const Reliability reliability;
  EXPECT_FALSE(reliability.ExpectedError().has_value());
  EXPECT_FALSE(reliability.certain().Found().has_value());
  EXPECT_FALSE(reliability.bins()[0].Stated().has_value());
  EXPECT_EQ(reliability.bins()[0].from, 0);
  EXPECT_EQ(reliability.bins()[9].to, 1);
}

// Four of five that are stated at 0.75 are right, and one of three at 0.125;
// 5/8 * |0.75 - 4/5| + 3/8 * |0.125 - 1/3|.
TEST(ReliabilityTest, ExpectedErrorByHand) {
  Reliability reliability;
  for (int i = 0; i < 5; ++i) reliability.Add(0.75, i < 4);
  for (int i = 0; i < 3; ++i) reliability.Add(0.125, i < 1);
  EXPECT_DOUBLE_EQ(*reliability.bins()[7].Stated(), 0.75);
  EXPECT_DOUBLE_EQ(*reliability.bins()[7].Found(), 0.8);
  EXPECT_DOUBLE_EQ(*reliability.ExpectedError(),
                   5.0 / 8 * 0.05 + 3.0 / 8 * (1.0 / 3 - 0.125));
}

// Who is right as often as he says has an error that goes to 0, and who always
// says 0.95 while 7 in 10 are right one of 0.25.
TEST(ReliabilityTest, ErrorOfForecasters) {
  Random random(testing_support::TestSeed(7));
  const auto probability = [&] {
    return static_cast<double>(random.Below(1 << 20)) / (1 << 20);
  };
  Reliability honest, boastful;
  for (int i = 0; i < 100000; ++i) {
    const double stated = probability();
    honest.Add(stated, probability() < stated);
    boastful.Add(0.95, probability() < 0.7);
  }
  EXPECT_LT(*honest.ExpectedError(), 0.01);
  EXPECT_NEAR(*boastful.ExpectedError(), 0.25, 0.01);
}

// Title, price, and genres.
proto::Schema FilmSchema() {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 's' attribute { name: 'title' } attribute { name: 'price' } "
      "attribute { name: 'genre' repeated: true }",
      &schema));
  return schema;
}

// A record that states 0.5 of itself and 0.25, 0.35 and 0.45 of its attributes.
StatedRecord Stated(const FieldLists& values) {
  StatedRecord stated;
  stated.record = RecordOf(values);
  stated.confidence = 0.5;
  for (size_t i = 0; i < values.size(); ++i) {
    stated.record.attributes[i].confidence =
        0.25 + 0.1 * static_cast<double>(i);
  }
  return stated;
}

struct PageCase {
  const char* label;
  std::vector<FieldLists> extracted;
  std::vector<FieldLists> is_true;
  // (count, right) of titles, prices, genres and records.
  std::vector<std::pair<int64_t, int64_t>> expected;
  std::vector<bool> is_known = {true, true, true};
};

TEST(CalibrationTest, Pages) {
  const PageCase cases[] = {
      {"all is right",
       {{{"A"}, {"1"}, {"War", "Drama"}}},
       {{{"A"}, {"1"}, {"Drama", "War"}}},
       {{1, 1}, {1, 1}, {1, 1}, {1, 1}}},
      {"a missing value does not make the record wrong",
       {{{"A"}, {}, {}}},
       {{{"A"}, {"1"}, {"War"}}},
       {{1, 1}, {0, 0}, {0, 0}, {1, 1}}},
      {"a wrong one does",
       {{{"A"}, {"2"}, {}}},
       {{{"A"}, {"1"}, {}}},
       {{1, 1}, {1, 0}, {0, 0}, {1, 0}}},
      {"extracted though absent",
       {{{"A"}, {"2"}, {}}},
       {{{"A"}, {}, {}}},
       {{1, 1}, {1, 0}, {0, 0}, {1, 0}}},
      {"one of several true ones, with other white space",
       {{{" A\n film"}, {}, {}}},
       {{{"B", "A film"}, {}, {}}},
       {{1, 1}, {0, 0}, {0, 0}, {1, 1}}},
      {"a part of the set is wrong",
       {{{}, {}, {"War"}}},
       {{{}, {}, {"Drama", "War"}}},
       {{0, 0}, {0, 0}, {1, 0}, {1, 0}}},
      {"white space is no value",
       {{{" "}, {}, {""}}},
       {{{"A"}, {}, {}}},
       {{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
      {"what the truth does not tell of is left out",
       {{{"A"}, {"2"}, {}}},
       {{{"A"}, {}, {}}},
       {{1, 1}, {0, 0}, {0, 0}, {1, 1}},
       {true, false, true}},
      {"a record of nothing else states nothing",
       {{{}, {"2"}, {}}},
       {{{"A"}, {}, {}}},
       {{0, 0}, {0, 0}, {0, 0}, {0, 0}},
       {true, false, true}},
      {"a record that is missed does not shift the others",
       {{{"B"}, {"2"}, {}}, {{"C"}, {"3"}, {}}},
       {{{"A"}, {"1"}, {}}, {{"B"}, {"2"}, {}}, {{"C"}, {"4"}, {}}},
       {{2, 2}, {2, 1}, {0, 0}, {2, 1}}},
      {"a record too many is wrong",
       {{{"A"}, {"1"}, {}}, {{"X"}, {}, {}}},
       {{{"A"}, {"1"}, {}}},
       {{2, 1}, {1, 1}, {0, 0}, {2, 1}}},
      {"a page without records",
       {{{"A"}, {}, {}}},
       {},
       {{1, 0}, {0, 0}, {0, 0}, {1, 0}}},
      {"nothing is extracted",
       {},
       {{{"A"}, {"1"}, {}}},
       {{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
  };
  for (const PageCase& c : cases) {
    SCOPED_TRACE(c.label);
    std::vector<StatedRecord> extracted;
    for (const FieldLists& values : c.extracted) {
      extracted.push_back(Stated(values));
    }
    std::vector<record::Record> is_true;
    for (const FieldLists& values : c.is_true) {
      is_true.push_back(RecordOf(values));
    }
    Calibration calibration(c.is_known);
    calibration.AddPage(FilmSchema(), extracted, is_true);
    const ReliabilityBin bins[] = {
        calibration.values().bins()[2], calibration.values().bins()[3],
        calibration.values().bins()[4], calibration.records().bins()[5]};
    for (size_t i = 0; i < c.expected.size(); ++i) {
      EXPECT_EQ(std::make_pair(bins[i].count, bins[i].right), c.expected[i])
          << i;
    }
  }
}

// Records without a value are left out; what is stated of the others stays
// theirs.
TEST(CalibrationTest, ConfidenceStaysWithItsRecord) {
  StatedRecord blank = Stated({{" "}, {}, {}});
  blank.confidence = 0.95;
  blank.record.attributes[0].confidence = 0.95;
  Calibration calibration({true, true, true});
  calibration.AddPage(FilmSchema(), {blank, Stated({{"A"}, {}, {}})},
                      {RecordOf({{"A"}, {}, {}})});
  EXPECT_EQ(calibration.values().bins()[2].right, 1);
  EXPECT_EQ(calibration.records().bins()[5].right, 1);
  EXPECT_EQ(calibration.values().count(), 1);
  EXPECT_EQ(calibration.records().count(), 1);
}

}  // namespace
}  // namespace trommel::eval
