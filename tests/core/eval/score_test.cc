#include "core/eval/score.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/record/value_set.h"
#include "tests/testing/records.h"

namespace trommel::eval {
namespace {

using testing_support::RecordOf;

// Title, price and rating; none is repeated.
proto::Schema ProductSchema() {
  proto::Schema schema;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "name: 's' attribute { name: 'title' } attribute { name: 'price' } "
      "attribute { name: 'rating' }",
      &schema));
  return schema;
}

// A record of the three; empty texts are no values.
record::Record Product(const std::string& title, const std::string& price,
                       const std::string& rating) {
  return RecordOf({{title}, {price}, {rating}});
}

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
  const proto::Schema schema = ProductSchema();
  Scores scores;
  scores.AddPage("a", schema, {Product("x", "1", "5")},
                 {Product("x", "1", "")});
  scores.AddPage("a", schema, {Product("y", "", "")}, {Product("y", "2", "")});
  scores.AddPage("b", schema, {}, {Product("z", "", "")});
  scores.AddPage("c", schema, {Product("extracted only", "", "")}, {});
  EXPECT_FALSE(scores.has_several_records());

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

// Three true records, of which the second is missed and the third has a wrong
// price and a rating that is not there:
//   strict     title 2 of 2 extracted and 3 true, price 1 of 2 and 3
//   whole      1 right, 2 extracted, 3 true: P 1/2, R 1/3, F1 2/5
//   share      P (1 + 1/3) / 2 = 2/3, R (1 + 1/2) / 3 = 1/2, F1 4/7
TEST(ScoreTest, SeveralRecords) {
  Scores scores;
  scores.AddPage(
      "a", ProductSchema(), {Product("x", "1", ""), Product("z", "4", "5")},
      {Product("x", "1", ""), Product("y", "2", ""), Product("z", "3", "")});
  EXPECT_TRUE(scores.has_several_records());
  const SiteScore& site = scores.sites().at("a");
  EXPECT_EQ(Counts(site.attributes.at("title").strict),
            (std::vector<int64_t>{2, 2, 3}));
  EXPECT_EQ(Counts(site.attributes.at("price").strict),
            (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(Counts(site.attributes.at("rating").strict),
            (std::vector<int64_t>{0, 1, 0}));
  EXPECT_EQ(Counts(site.records.whole), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(site.records.whole.F1(), 2.0 / 5);
  const MeanFigure share = site.records.Share();
  EXPECT_DOUBLE_EQ(*share.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(share.recall, 0.5);
  EXPECT_DOUBLE_EQ(share.f1, 4.0 / 7);
}

// A record split in two: the title in one, the price in the other. One half is
// the record, with all its attributes right and half of the true ones; the
// other has no counterpart. P (1 + 0) / 2, R (1/2) / 1.
TEST(ScoreTest, RecordSplitInTwo) {
  Scores scores;
  scores.AddPage("a", ProductSchema(),
                 {Product("x", "", ""), Product("", "1", "")},
                 {Product("x", "1", "")});
  EXPECT_TRUE(scores.has_several_records());
  const RecordScore& records = scores.sites().at("a").records;
  EXPECT_EQ(Counts(records.whole), (std::vector<int64_t>{0, 2, 1}));
  EXPECT_DOUBLE_EQ(*records.Share().precision, 0.5);
  EXPECT_DOUBLE_EQ(records.Share().recall, 0.5);
  EXPECT_DOUBLE_EQ(records.Share().f1, 0.5);
}

// Two swapped records: one of them is right.
TEST(ScoreTest, SwappedRecords) {
  Scores scores;
  scores.AddPage("a", ProductSchema(),
                 {Product("y", "2", ""), Product("x", "1", "")},
                 {Product("x", "1", ""), Product("y", "2", "")});
  const RecordScore& records = scores.sites().at("a").records;
  EXPECT_EQ(Counts(records.whole), (std::vector<int64_t>{1, 2, 2}));
  EXPECT_DOUBLE_EQ(records.Share().f1, 0.5);
}

// Records count the same whatever page they are on, sites whatever their size.
// Site a: a page with one right record, and one with three true records of
// which none is extracted: R 1/4. Site b: nothing is extracted. Site c has no
// true record and is no site.
TEST(ScoreTest, MeansOfRecords) {
  const proto::Schema schema = ProductSchema();
  const record::Record product = Product("x", "1", "");
  Scores scores;
  scores.AddPage("a", schema, {product}, {product});
  scores.AddPage("a", schema, {}, {product, product, product});
  scores.AddPage("b", schema, {}, {product});
  scores.AddPage("c", schema, {product}, {});
  const MeanFigure a = scores.sites().at("a").records.Share();
  EXPECT_DOUBLE_EQ(*a.precision, 1);
  EXPECT_DOUBLE_EQ(a.recall, 0.25);
  EXPECT_DOUBLE_EQ(a.f1, 0.4);
  EXPECT_FALSE(scores.sites().at("b").records.Share().precision.has_value());
  EXPECT_EQ(scores.sites().at("c").records.Share().f1, 0);
  const MeanRecordScore overall = scores.OverallRecords();
  EXPECT_DOUBLE_EQ(*overall.share.precision, 1);
  EXPECT_DOUBLE_EQ(overall.share.recall, 0.125);
  EXPECT_DOUBLE_EQ(overall.share.f1, 0.2);
  EXPECT_DOUBLE_EQ(overall.whole.f1, 0.2);
}

TEST(ScoreTest, RecordsWithoutValuesAreNone) {
  Scores scores;
  scores.AddPage("a", ProductSchema(), {Product(" ", "", "")},
                 {Product("", "", ""), Product("", "\n", "")});
  EXPECT_TRUE(scores.sites().empty());
  scores.AddPage("a", ProductSchema(),
                 {Product("", "", ""), Product("x", "", "")},
                 {Product("x", "", "")});
  EXPECT_FALSE(scores.has_several_records());
  EXPECT_EQ(Counts(scores.sites().at("a").records.whole),
            (std::vector<int64_t>{1, 1, 1}));
}

TEST(ScoreTest, NothingAtAll) {
  const MeanScore overall = Scores().Overall();
  EXPECT_EQ(overall.count, 0);
  EXPECT_EQ(overall.strict.f1, 0);
  EXPECT_EQ(Scores().OverallRecords().share.f1, 0);
}

}  // namespace
}  // namespace trommel::eval
