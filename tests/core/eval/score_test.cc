#include "core/eval/score.h"

#include <gtest/gtest.h>

namespace trommel {
namespace {

struct Case {
  const char* label;
  bool is_repeated;
  std::vector<std::string> extracted;
  std::vector<std::string> is_true;
  // right, extracted, true
  std::vector<int64_t> strict, page_hit, value;
};

std::vector<int64_t> Counts(const Tally& tally) {
  return {tally.right, tally.extracted, tally.is_true};
}

TEST(ScoreTest, OnePage) {
  const Case cases[] = {
      {"right", false, {"a"}, {"a"}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
      {"one of several true ones",
       false,
       {"b"},
       {"a", "b"},
       {1, 1, 1},
       {1, 1, 1},
       {1, 1, 2}},
      {"wrong", false, {"x"}, {"a"}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}},
      {"missing", false, {}, {"a"}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
      {"extracted though absent",
       false,
       {"x"},
       {},
       {0, 1, 0},
       {0, 1, 0},
       {0, 1, 0}},
      {"neither", false, {}, {}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
      {"several for one that is not repeated",
       false,
       {"a", "b"},
       {"a", "b"},
       {0, 1, 1},
       {1, 1, 1},
       {2, 2, 2}},
      {"same set",
       true,
       {"b", "a"},
       {"a", "b"},
       {1, 1, 1},
       {1, 1, 1},
       {2, 2, 2}},
      {"part of the set",
       true,
       {"a"},
       {"a", "b"},
       {0, 1, 1},
       {1, 1, 1},
       {1, 1, 2}},
      {"more than the set",
       true,
       {"a", "b", "c"},
       {"a", "b"},
       {0, 1, 1},
       {1, 1, 1},
       {2, 3, 2}},
      {"repetitions count once",
       true,
       {"a", "a", "b"},
       {"b", "a", "b"},
       {1, 1, 1},
       {1, 1, 1},
       {2, 2, 2}},
      {"white space is normalised, empty values are none",
       true,
       {" a  b\n", " "},
       {"a b", ""},
       {1, 1, 1},
       {1, 1, 1},
       {1, 1, 1}},
      {"no-break spaces are white space",
       false,
       {"a\u00a0b"},
       {"a b"},
       {1, 1, 1},
       {1, 1, 1},
       {1, 1, 1}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    AttributeScore score;
    score.Add(record::NormalizedValues(c.extracted),
              record::NormalizedValues(c.is_true), c.is_repeated);
    EXPECT_EQ(Counts(score.strict), c.strict);
    EXPECT_EQ(Counts(score.page_hit), c.page_hit);
    EXPECT_EQ(Counts(score.value), c.value);
  }
}

TEST(ScoreTest, Ratios) {
  const Tally tally = {3, 4, 6};
  EXPECT_DOUBLE_EQ(*tally.Precision(), 0.75);
  EXPECT_DOUBLE_EQ(*tally.Recall(), 0.5);
  EXPECT_DOUBLE_EQ(tally.F1(), 0.6);  // 2 * 0.75 * 0.5 / 1.25
  EXPECT_FALSE((Tally{0, 0, 5}).Precision().has_value());
  EXPECT_FALSE((Tally{0, 5, 0}).Recall().has_value());
  EXPECT_EQ((Tally{0, 0, 5}).F1(), 0);
  EXPECT_EQ((Tally{0, 5, 0}).F1(), 0);
  EXPECT_EQ((Tally{0, 5, 5}).F1(), 0);
}

// Site a: title right on 2 of 2 pages (F1 1), price right on 1, wrong on none,
// missing on 1 (P 1, R 0.5, F1 2/3), rating extracted though it never is true
// (does not occur). Site b: title never extracted (F1 0, no precision).
TEST(ScoreTest, Means) {
  Scores scores;
  scores.Add("a", "title", {"x"}, {"x"}, false);
  scores.Add("a", "title", {"y"}, {"y"}, false);
  scores.Add("a", "price", {"1"}, {"1"}, false);
  scores.Add("a", "price", {}, {"2"}, false);
  scores.Add("a", "rating", {"5"}, {}, false);
  scores.Add("b", "title", {}, {"z"}, false);
  scores.Add("c", "title", {"extracted only"}, {}, false);

  const MeanScore a = scores.OfSite("a");
  EXPECT_EQ(a.count, 2);
  EXPECT_DOUBLE_EQ(a.strict.f1, (1 + 2.0 / 3) / 2);
  EXPECT_DOUBLE_EQ(*a.strict.precision, 1);
  EXPECT_DOUBLE_EQ(a.strict.recall, 0.75);
  const MeanScore b = scores.OfSite("b");
  EXPECT_EQ(b.strict.f1, 0);
  EXPECT_FALSE(b.strict.precision.has_value());
  EXPECT_EQ(scores.OfSite("c").count, 0);

  const MeanScore overall = scores.Overall();
  EXPECT_EQ(overall.count, 2);  // c has nothing that occurs
  EXPECT_DOUBLE_EQ(overall.strict.f1, (1 + 2.0 / 3) / 4);
  EXPECT_DOUBLE_EQ(*overall.strict.precision, 1);
  EXPECT_DOUBLE_EQ(overall.strict.recall, 0.375);

  const MeanScore title = scores.OfAttribute("title");
  EXPECT_EQ(title.count, 2);
  EXPECT_DOUBLE_EQ(title.strict.f1, 0.5);
  EXPECT_EQ(scores.OfAttribute("rating").count, 0);
}

TEST(ScoreTest, NothingAtAll) {
  const MeanScore overall = Scores().Overall();
  EXPECT_EQ(overall.count, 0);
  EXPECT_EQ(overall.strict.f1, 0);
}

}  // namespace
}  // namespace trommel
