#include "core/learn/validity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/learn/list_program.h"
#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing_support::AnnotationOf;
using testing_support::Compiled;
using testing_support::FieldsRule;
using testing_support::ListProgram;
using testing_support::PageOf;
using testing_support::Product;
using testing_support::ProductSchema;
using testing_support::RegisterListProgram;
using testing_support::SchemaOf;
using testing_support::ValueOf;

using Kind = annotation::Annotation::Kind;

struct Counts {
  int64_t extracted;
  int64_t agreed;
  int64_t expected;
  int64_t came_out;
};

void ExpectCounts(const ExtractionCounts& counts, const Counts& expected) {
  EXPECT_EQ(counts.extracted, expected.extracted);
  EXPECT_EQ(counts.agreed, expected.agreed);
  EXPECT_EQ(counts.expected, expected.expected);
  EXPECT_EQ(counts.came_out, expected.came_out);
}

class OneRecordTest : public testing::Test {
 protected:
  OneRecordTest() {
    pages_.push_back(PageOf("u", Product(1)));
    pages_.push_back(PageOf("v", Product(2)));
  }

  ExtractionCounts Compare(
      const std::vector<annotation::Annotation>& annotations) const {
    return CompareWithAnnotations(
        *Compiled(
            FieldsRule(ProductSchema(), {{"//h1/text()"}, {"//b/text()"}})),
        pages_, annotations);
  }

  std::vector<LearnPage> pages_;
};

TEST_F(OneRecordTest, RightWrongMissingAndUnknown) {
  ExpectCounts(
      Compare({ValueOf("u", "title", "Title  1"), ValueOf("u", "price", "$1")}),
      {2, 2, 2, 2});
  EXPECT_EQ(Compare({ValueOf("u", "title", "Title 1")}).pages, 1);
  ExpectCounts(Compare({ValueOf("u", "title", "Other")}), {1, 0, 1, 0});
  // The page has it although it is absent.
  ExpectCounts(Compare({AnnotationOf(Kind::kAbsent, "u", "price")}),
               {1, 0, 0, 0});
  // Of one that is not repeated, one spelling is enough.
  ExpectCounts(Compare({ValueOf("u", "title", "T. 1"),
                        ValueOf("u", "title", "Title 1")}),
               {1, 1, 1, 1});
  // What is said of other attributes, or of what it is not, says nothing.
  ExpectCounts(Compare({AnnotationOf(Kind::kNegative, "u", "price", "$1")}),
               {0, 0, 0, 0});
  ExpectCounts(Compare({}), {0, 0, 0, 0});
}

TEST_F(OneRecordTest, CompletePagesHaveOneRecordOrNone) {
  ExpectCounts(Compare({ValueOf("u", "title", "Title 1"),
                        AnnotationOf(Kind::kComplete, "u")}),
               {1, 1, 1, 1});
  const ExtractionCounts none = Compare({AnnotationOf(Kind::kComplete, "u")});
  ExpectCounts(none, {2, 0, 0, 0});
  EXPECT_FALSE(JudgeValidity(none, {}).valid());
}

// Editors copy links as the page has them.
TEST(ValidityTest, LinksAreNotCompared) {
  const proto::Schema schema =
      SchemaOf("name: 's' attribute { name: 'image' type: IMAGE }");
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("http://a/u", "<img src=x.png>"));
  ExpectCounts(
      CompareWithAnnotations(*Compiled(FieldsRule(schema, {{"//img/@src"}})),
                             pages, {ValueOf("http://a/u", "image", "x.png")}),
      {0, 0, 0, 0});
}

class SeveralRecordsTest : public testing::Test {
 protected:
  SeveralRecordsTest() {
    RegisterListProgram();
    pages_.push_back(
        PageOf("u",
               "<ul><li><b class=title>Dune</b><i class=price>$5</i>"
               "<li><b class=title>Solaris</b>"
               "<li><b class=title>Stalker</b><i class=price>$5</i>"
               "<li><s>no record</s></ul>"));
  }

  ExtractionCounts Compare(
      const std::vector<annotation::Annotation>& annotations) const {
    proto::Rule rule;
    *rule.mutable_schema() = ProductSchema();
    *rule.mutable_program() = ListProgram();
    return CompareWithAnnotations(*Compiled(rule), pages_, annotations);
  }

  const std::vector<annotation::Annotation> all_ = {
      ValueOf("u", "title", "Dune", 0),
      ValueOf("u", "price", "$5", 0),
      ValueOf("u", "title", "Solaris", 1),
      AnnotationOf(Kind::kAbsent, "u", "price", "", 1),
      ValueOf("u", "title", "Stalker", 2),
      ValueOf("u", "price", "$5", 2),
      AnnotationOf(Kind::kComplete, "u"),
  };
  std::vector<LearnPage> pages_;
};

TEST_F(SeveralRecordsTest, EachIsComparedWithItsOwn) {
  ExpectCounts(Compare(all_), {5, 5, 5, 5});
  EXPECT_TRUE(JudgeValidity(Compare(all_), {}).valid());
  // Records that nobody annotated are unknown, unless the page is complete.
  ExpectCounts(Compare({all_[4], all_[5]}), {2, 2, 2, 2});
  ExpectCounts(Compare({all_[4], all_[5], all_[6]}), {5, 2, 2, 2});
}

TEST_F(SeveralRecordsTest, WrongMissingAndSurplus) {
  std::vector<annotation::Annotation> wrong = all_;
  wrong[5].value = "$7";
  ExpectCounts(Compare(wrong), {5, 4, 5, 4});
  // A record that does not come out.
  std::vector<annotation::Annotation> more = all_;
  for (int i = 4; i < 6; ++i) more[static_cast<size_t>(i)].record = 3;
  more.push_back(ValueOf("u", "title", "Alien", 2));
  more.push_back(ValueOf("u", "price", "$9", 2));
  const ExtractionCounts counts = Compare(more);
  EXPECT_EQ(counts.expected, 7);
  EXPECT_EQ(counts.came_out, 5);
  EXPECT_EQ(counts.agreed, counts.extracted);
}

TEST(JudgeValidityTest, PrecisionRecallAndWhatItWasLearntFrom) {
  const ExtractionCounts right = {1, 2, 2, 2, 2};
  struct Case {
    const char* name;
    ExtractionCounts known;
    ExtractionCounts others;
    bool valid;
    bool truth_known;
  };
  const Case kCases[] = {
      {"all is well", right, {9, 18, 18, 18, 18}, true, false},
      {"a contradiction", right, {9, 18, 17, 18, 18}, false, false},
      {"recall above 0.85", right, {9, 17, 17, 20, 18}, true, false},
      {"recall of 0.85", right, {9, 17, 17, 20, 17}, false, false},
      {"wrong where annotated", {1, 2, 1, 2, 1}, {9, 9, 9, 9, 9}, false, false},
      {"all annotated", right, {}, true, true},
      {"one missing of all annotated", {1, 1, 1, 2, 1}, {}, false, true},
  };
  for (const Case& c : kCases) {
    const proto::Validity validity = JudgeValidity(c.known, c.others);
    EXPECT_EQ(validity.valid(), c.valid) << c.name;
    EXPECT_EQ(validity.truth_known(), c.truth_known) << c.name;
    EXPECT_EQ(validity.pages(), c.truth_known ? c.known.pages : c.others.pages)
        << c.name;
  }
}

}  // namespace
}  // namespace trommel::learn
