#include "core/eval/record_match.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::eval {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

proto::Schema MovieSchema() {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 's' attribute { name: 'title' } attribute { name: 'year' } "
      "attribute { name: 'genre' repeated: true }",
      &schema));
  return schema;
}

// "A": a title, a year and a genre that are no other movie's.
RecordValues Movie(const std::string& name) {
  return {{name}, {"year of " + name}, {"genre of " + name}};
}
std::vector<RecordValues> Movies(const std::vector<std::string>& names) {
  std::vector<RecordValues> movies;
  for (const std::string& name : names) movies.push_back(Movie(name));
  return movies;
}

TEST(MatchRecords, ByHand) {
  struct Case {
    const char* label;
    RecordValues extracted;
    RecordValues is_true;
    int64_t right;
    double precision;
    double recall;
    bool is_right;
  };
  const RecordValues truth = {{"A", "The A"}, {"1999"}, {"War", "Drama"}};
  const Case cases[] = {
      {"all", {{"A"}, {"1999"}, {"Drama", "War"}}, truth, 3, 1, 1, true},
      {"one missing", {{"A"}, {"1999"}, {}}, truth, 2, 1, 2.0 / 3, false},
      {"one wrong",
       {{"A"}, {"2000"}, {"Drama", "War"}},
       truth,
       2,
       2.0 / 3,
       2.0 / 3,
       false},
      {"a part of a repeated one is wrong",
       {{"A"}, {}, {"War"}},
       truth,
       1,
       0.5,
       1.0 / 3,
       false},
      {"two values of one that is not repeated",
       {{"A", "The A"}, {}, {}},
       truth,
       0,
       0,
       0,
       false},
      {"extracted though absent",
       {{"A"}, {"1999"}, {}},
       {{"A"}, {}, {}},
       1,
       0.5,
       1,
       false},
      {"nothing extracted", {{}, {}, {}}, truth, 0, 0, 0, false},
      {"nothing true", truth, {{}, {}, {}}, 0, 0, 0, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const Tally match = MatchRecords(MovieSchema(), c.extracted, c.is_true);
    EXPECT_EQ(match.right, c.right);
    EXPECT_DOUBLE_EQ(match.Precision().value_or(0), c.precision);
    EXPECT_DOUBLE_EQ(match.Recall().value_or(0), c.recall);
    EXPECT_EQ(match.IsRight(), c.is_right);
  }
}

TEST(AlignWithTruth, MissedRecordDoesNotShiftTheOthers) {
  EXPECT_THAT(AlignWithTruth(MovieSchema(), Movies({"A", "C", "D"}),
                             Movies({"A", "B", "C", "D"})),
              ElementsAre(Pair(0, 0), Pair(1, 2), Pair(2, 3)));
  EXPECT_THAT(AlignWithTruth(MovieSchema(), Movies({"A", "x", "B"}),
                             Movies({"A", "B"})),
              ElementsAre(Pair(0, 0), Pair(2, 1)));
}

// The paper aligns "because a ground-truth record might be falsely extracted as
// two records": the half with more of it is it.
TEST(AlignWithTruth, RecordSplitInTwo) {
  const std::vector<RecordValues> extracted = {
      Movie("A"),
      {{"B"}, {}, {}},
      {{}, {"year of B"}, {"genre of B"}},
      Movie("C")};
  EXPECT_THAT(AlignWithTruth(MovieSchema(), extracted, Movies({"A", "B", "C"})),
              ElementsAre(Pair(0, 0), Pair(2, 1), Pair(3, 2)));
}

// Both lists are in document order, so one of two swapped records is lost.
TEST(AlignWithTruth, SwappedRecords) {
  const record::Alignment alignment =
      AlignWithTruth(MovieSchema(), Movies({"A", "C", "B", "D"}),
                     Movies({"A", "B", "C", "D"}));
  ASSERT_EQ(alignment.size(), 3);
  EXPECT_THAT(alignment.front(), Pair(0, 0));
  EXPECT_THAT(alignment.back(), Pair(3, 3));
}

TEST(AlignWithTruth, EmptySides) {
  EXPECT_THAT(AlignWithTruth(MovieSchema(), {}, Movies({"A"})), IsEmpty());
  EXPECT_THAT(AlignWithTruth(MovieSchema(), Movies({"A"}), {}), IsEmpty());
  EXPECT_THAT(AlignWithTruth(MovieSchema(), {}, {}), IsEmpty());
}

// The precision and recall of a page, by the paper's formulas.
struct PageFigures {
  double precision = 0;
  double recall = 0;

  double Sum() const { return precision + recall; }
  double F1() const { return Sum() == 0 ? 0 : 2 * precision * recall / Sum(); }
};
PageFigures Figures(const proto::Schema& schema,
                    const std::vector<RecordValues>& extracted,
                    const std::vector<RecordValues>& is_true,
                    const record::Alignment& alignment) {
  if (alignment.empty()) return {};
  PageFigures mean;
  const auto num_aligned = static_cast<double>(alignment.size());
  for (const auto& [e, t] : alignment) {
    const Tally match = MatchRecords(schema, extracted[e], is_true[t]);
    mean.precision += match.Precision().value_or(0) / num_aligned;
    mean.recall += match.Recall().value_or(0) / num_aligned;
  }
  return {mean.precision * num_aligned / static_cast<double>(extracted.size()),
          mean.recall * num_aligned / static_cast<double>(is_true.size())};
}

void VisitAlignments(
    size_t e, size_t num_extracted, size_t t, size_t num_true,
    record::Alignment* alignment,
    const std::function<void(const record::Alignment&)>& visit) {
  visit(*alignment);
  for (size_t i = e; i < num_extracted; ++i) {
    for (size_t j = t; j < num_true; ++j) {
      alignment->emplace_back(i, j);
      VisitAlignments(i + 1, num_extracted, j + 1, num_true, alignment, visit);
      alignment->pop_back();
    }
  }
}

// Of all alignments the one that is chosen has the largest P + R, and an F1
// that is short of the largest one by no more than (P - R)^2 / (2 (P + R)).
TEST(AlignWithTruth, IsTheBestOfAll) {
  const proto::Schema schema = MovieSchema();
  Random random(testing_support::TestSeed(12));
  int num_less_f1 = 0;
  for (int round = 0; round < 500; ++round) {
    const auto make_records = [&] {
      std::vector<RecordValues> records(random.Below(6));
      for (RecordValues& record : records) {
        record.resize(3);
        // At least one attribute has a value.
        const size_t certain = random.Below(3);
        for (size_t i = 0; i < 3; ++i) {
          if (i == certain || random.Below(3) > 0) {
            record[i] = {std::to_string(random.Below(3))};
          }
        }
      }
      return records;
    };
    const std::vector<RecordValues> extracted = make_records();
    const std::vector<RecordValues> is_true = make_records();
    const PageFigures found = Figures(
        schema, extracted, is_true, AlignWithTruth(schema, extracted, is_true));
    double best_sum = 0;
    double best_f1 = 0;
    record::Alignment begun;
    VisitAlignments(0, extracted.size(), 0, is_true.size(), &begun,
                    [&](const record::Alignment& alignment) {
                      const PageFigures figures =
                          Figures(schema, extracted, is_true, alignment);
                      best_sum = std::max(best_sum, figures.Sum());
                      best_f1 = std::max(best_f1, figures.F1());
                    });
    EXPECT_NEAR(found.Sum(), best_sum, 1e-6);
    const double difference = found.precision - found.recall;
    const double loss =
        best_sum == 0 ? 0 : difference * difference / (2 * found.Sum());
    EXPECT_LE(best_f1, found.F1() + loss + 1e-6);
    num_less_f1 += found.F1() < best_f1 - 1e-6 ? 1 : 0;
  }
  // Even where all records share their values.
  EXPECT_LT(num_less_f1, 500 / 20);
}

}  // namespace
}  // namespace trommel::eval
