#include "core/learn/vertex/sample_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "tests/core/learn/vertex/annotated_sample.h"

namespace trommel::learn::vertex {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing_support::AnnotatedSample;

// Of an XPath, from evidence of some kinds.
Hypothesis HypothesisOf(const std::string& xpath, uint32_t kinds = 1) {
  Hypothesis hypothesis;
  hypothesis.extractor.set_xpath(xpath);
  hypothesis.kinds = kinds;
  return hypothesis;
}

// The clues of one XPath, which nothing else is compared with.
Clues CluesOf(AnnotatedSample* sample, const std::string& xpath) {
  const AttributeTask task = sample->Task();
  std::vector<Hypothesis> hypotheses = {HypothesisOf(xpath)};
  EXPECT_TRUE(ReadSample(task, &hypotheses)[0].is_right) << xpath;
  return hypotheses[0].clues;
}

TEST(SampleReadingTest, ValuesAndWhetherTheyAreRight) {
  AnnotatedSample sample;
  sample.Page("<b>Dune</b><i>Ran</i>", {"Dune"});
  sample.Page("<b>Solaris</b>");
  sample.AbsentPage("<u>x</u>");
  const AttributeTask task = sample.Task();
  std::vector<Hypothesis> hypotheses = {
      HypothesisOf("//b/text()"), HypothesisOf("//i/text()"),
      HypothesisOf("//*[self::b or self::u]/text()")};
  const std::vector<SampleReading> readings = ReadSample(task, &hypotheses);
  ASSERT_EQ(readings.size(), 3u);
  EXPECT_THAT(
      readings[0].values,
      ElementsAre(ElementsAre("Dune"), ElementsAre("Solaris"), IsEmpty()));
  EXPECT_TRUE(readings[0].is_right);
  EXPECT_FALSE(readings[1].is_right);
  // It says something of the page that has nothing.
  EXPECT_THAT(readings[2].values[2], ElementsAre("x"));
  EXPECT_FALSE(readings[2].is_right);
}

TEST(SampleReadingTest, NoHypothesis) {
  AnnotatedSample sample;
  sample.Page("<b>Dune</b>", {"Dune"});
  std::vector<Hypothesis> none;
  EXPECT_THAT(ReadSample(sample.Task(), &none), IsEmpty());
}

TEST(SampleReadingTest, CluesOfOneByItself) {
  AnnotatedSample sample;
  sample.Page("<b>v0</b><i>v0</i><u>v0</u><s>v0</s><em>v0</em><q>v0</q>",
              {"v0"});
  for (int i = 1; i <= 4; ++i) {
    sample.Page(StrCat("<b>v", i, "</b>",
                       i <= 2 ? StrCat("<i>v", i, "</i>") : "", "<s>v", i,
                       "</s>", i == 1 ? "<s>w</s>" : "", "<em>v9</em><q>",
                       i == 1 ? "***" : "v1", "</q>"));
  }
  struct Case {
    const char* xpath;
    Clue clue;
    double expected;
  };
  const Case kCases[] = {
      {"//b/text()", Clue::kSilent, 0},
      {"//b/text()", Clue::kUseless, 0},
      {"//b/text()", Clue::kSeveral, 0},
      {"//b/text()", Clue::kSame, 0},
      {"//b/text()", Clue::kRecurring, 0},
      {"//b/text()", Clue::kUnlike, 0},
      {"//b/text()", Clue::kPages, 1},
      {"//b/text()", Clue::kMore, 0},
      {"//b/text()", Clue::kSingle, 0},
      {"//i/text()", Clue::kSilent, 0.5},
      {"//i/text()", Clue::kUseless, 0},
      {"//u/text()", Clue::kSilent, 1},
      {"//u/text()", Clue::kUseless, 1},
      {"//s/text()", Clue::kSeveral, 0.25},
      {"//em/text()", Clue::kSame, 1},
      {"//em/text()", Clue::kRecurring, 0.75},
      {"//q/text()", Clue::kVeryUnlike, 0.25},
  };
  for (const Case& c : kCases) {
    EXPECT_NEAR(CluesOf(&sample, c.xpath)[c.clue], c.expected, 1e-9)
        << c.xpath << " " << ClueName(c.clue);
  }
  EXPECT_GT(CluesOf(&sample, "//q/text()")[Clue::kUnlike], 0.1);
}

// Silence means less where an editor has said that the attribute may be absent.
TEST(SampleReadingTest, SilenceWhereItMayBeAbsent) {
  AnnotatedSample sample;
  sample.Page("<b>v0</b>", {"v0"});
  sample.AbsentPage("");
  sample.Page("<b>v2</b>");
  sample.Page("");
  const Clues clues = CluesOf(&sample, "//b/text()");
  EXPECT_EQ(clues[Clue::kSilent], 0);
  EXPECT_EQ(clues[Clue::kSilentAbsent], 0.5);
}

TEST(SampleReadingTest, WeakEvidenceCountsByAnnotatedPage) {
  AnnotatedSample sample;
  for (int i = 0; i < 3; ++i) {
    sample.Page(StrCat("<b>v", i, "</b>"), {StrCat("v", i)});
  }
  std::vector<Hypothesis> hypotheses = {HypothesisOf("//b/text()")};
  hypotheses[0].clues[Clue::kWeak] = 2;
  hypotheses[0].clues[Clue::kDisjunction] = 1;
  ReadSample(sample.Task(), &hypotheses);
  EXPECT_EQ(hypotheses[0].clues[Clue::kPages], 2);
  EXPECT_EQ(hypotheses[0].clues[Clue::kWeakOfPages], 1);
  // All pages are annotated, so nothing is said of others.
  EXPECT_EQ(hypotheses[0].clues[Clue::kUseless], 0);
}

TEST(SampleReadingTest, RepeatedAttributes) {
  AnnotatedSample sample("repeated: true");
  sample.Page("<p><b>v</b><i>v</i>", {"v"});
  sample.Page("<p><b>x</b><b>y</b><i>x</i>");
  sample.Page("<p><b>z</b><i>z</i>");
  const Clues many = CluesOf(&sample, "//b/text()");
  EXPECT_EQ(many[Clue::kMore], 0.5);
  EXPECT_EQ(many[Clue::kSingle], 0);
  EXPECT_EQ(many[Clue::kSeveral], 0);
  const Clues one = CluesOf(&sample, "//i/text()");
  EXPECT_EQ(one[Clue::kMore], 0);
  EXPECT_EQ(one[Clue::kSingle], 1);
}

TEST(SampleReadingTest, LinksInAnotherSpelling) {
  AnnotatedSample sample("type: IMAGE");
  sample.Page("<img src=/0.png>", {"http://a.example/0.png"});
  sample.Page("<img src=/1.png>", {"/1.png"});
  sample.Page("<img src=/2.png>");
  EXPECT_EQ(CluesOf(&sample, "//img/@src")[Clue::kInexact], 0.5);
}

class WitnessesTest : public testing::Test {
 protected:
  // What each XPath is told by the others, of the kinds given.
  std::vector<Clues> Compare(
      const std::vector<std::pair<std::string, uint32_t>>& xpaths) {
    std::vector<Hypothesis> hypotheses;
    for (const auto& [xpath, kinds] : xpaths) {
      hypotheses.push_back(HypothesisOf(xpath, kinds));
    }
    ReadSample(sample_.Task(), &hypotheses);
    std::vector<Clues> clues;
    for (const Hypothesis& hypothesis : hypotheses) {
      clues.push_back(hypothesis.clues);
    }
    return clues;
  }

  AnnotatedSample sample_;
};

TEST_F(WitnessesTest, OtherKindsThatAgree) {
  sample_.Page("<b>v0</b><i>v0</i><u>v0</u>", {"v0"});
  sample_.Page("<b>v1</b><i>v1</i><u>w1</u>");
  sample_.Page("<b>v2</b><i>v2</i><u>w2</u>");
  const std::vector<Clues> clues =
      Compare({{"//b/text()", 1}, {"//i/text()", 2}, {"//u/text()", 4}});
  EXPECT_NEAR(clues[0][Clue::kConsensus], 0.5, 0.01);
  EXPECT_NEAR(clues[1][Clue::kConsensus], 0.5, 0.01);
  EXPECT_EQ(clues[2][Clue::kConsensus], 0);
  for (const Clues& each : clues) {
    EXPECT_EQ(each[Clue::kMisses], 0);
    EXPECT_EQ(each[Clue::kInvents], 0);
  }
}

TEST_F(WitnessesTest, TheSameKindIsNoWitness) {
  sample_.Page("<b>v0</b><i>v0</i>", {"v0"});
  sample_.Page("<b>v1</b><i>v1</i>");
  const std::vector<Clues> same =
      Compare({{"//b/text()", 1}, {"//i/text()", 1}});
  EXPECT_EQ(same[0][Clue::kConsensus], 0);
  const std::vector<Clues> others =
      Compare({{"//b/text()", 1}, {"//i/text()", 2}});
  EXPECT_EQ(others[0][Clue::kConsensus], 1);
}

TEST_F(WitnessesTest, WhoIsWrongOnAnnotatedPagesHasNoSay) {
  sample_.Page("<b>v0</b><i>v0</i><u>w0</u>", {"v0"});
  sample_.Page("<b>v1</b><i>v1</i><u>w1</u>");
  const std::vector<Clues> clues =
      Compare({{"//b/text()", 1}, {"//i/text()", 2}, {"//u/text()", 4}});
  EXPECT_EQ(clues[0][Clue::kConsensus], 1);
}

TEST_F(WitnessesTest, WhoMissesAndWhoInvents) {
  sample_.Page("<b>v0</b><i>v0</i><u>v0</u>", {"v0"});
  sample_.Page("<b>v1</b><i>v1</i>");
  sample_.Page("<u>w2</u>");
  const std::vector<Clues> clues =
      Compare({{"//b/text()", 1}, {"//i/text()", 2}, {"//u/text()", 4}});
  EXPECT_EQ(clues[0][Clue::kMisses], 0);
  EXPECT_EQ(clues[0][Clue::kInvents], 0);
  EXPECT_EQ(clues[2][Clue::kMisses], 0.5);
  EXPECT_EQ(clues[2][Clue::kInvents], 0.5);
}

}  // namespace
}  // namespace trommel::learn::vertex
