#include "core/learn/vertex/hypotheses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "tests/core/learn/vertex/annotated_sample.h"

namespace trommel::learn::vertex {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::AnnotatedSample;

std::vector<Hypothesis> Find(AnnotatedSample* sample, bool is_thorough = true) {
  std::string reason;
  std::vector<Hypothesis> found =
      FindHypotheses(sample->Task(), is_thorough, &reason);
  EXPECT_EQ(reason, "");
  return found;
}

std::vector<std::string> XPathsOf(const std::vector<Hypothesis>& hypotheses) {
  std::vector<std::string> xpaths;
  for (const Hypothesis& hypothesis : hypotheses) {
    xpaths.push_back(hypothesis.extractor.xpath());
  }
  return xpaths;
}

// A price that an id, a label in front and what is behind all tell.
AnnotatedSample Prices() {
  AnnotatedSample sample;
  for (int i = 0; i < 6; ++i) {
    sample.Page(
        StrCat("<p>Name: <b>N", i, "</b></p><p>Price: <b id=price>$", i,
               "</b> <s>each</s></p>"),
        i == 0 ? std::vector<std::string>{"$0"} : std::vector<std::string>{});
  }
  return sample;
}

TEST(FindHypothesesTest, FromEvidenceOfSeveralKinds) {
  AnnotatedSample sample = Prices();
  const std::vector<Hypothesis> found = Find(&sample);
  EXPECT_THAT(XPathsOf(found), Contains(HasSubstr("@id=\"price\"")));
  EXPECT_THAT(XPathsOf(found), Contains(HasSubstr("\"Price:\"")));
  EXPECT_THAT(XPathsOf(found), Contains(HasSubstr("[self::s]")));
  std::set<uint32_t> kinds;
  std::set<std::string> keys;
  for (const Hypothesis& hypothesis : found) {
    kinds.insert(hypothesis.kinds);
    EXPECT_TRUE(keys.insert(hypothesis.extractor.SerializeAsString()).second)
        << hypothesis.extractor.ShortDebugString();
  }
  EXPECT_GE(kinds.size(), 3u);
}

TEST(FindHypothesesTest, CluesSayWhatTheXPathGoesBy) {
  AnnotatedSample sample = Prices();
  for (const Hypothesis& hypothesis : Find(&sample)) {
    const std::string& xpath = hypothesis.extractor.xpath();
    const auto has = [&xpath](const char* part) {
      return xpath.find(part) != std::string::npos;
    };
    EXPECT_EQ(hypothesis.clues[Clue::kId] > 0, has("[@id=\"price\"]")) << xpath;
    EXPECT_EQ(hypothesis.clues[Clue::kLabel] > 0, has("\"Price:\"")) << xpath;
  }
}

// Whatever it goes by, it explains the annotation.
TEST(FindHypothesesTest, AllGiveBackTheAnnotatedValue) {
  AnnotatedSample sample = Prices();
  for (const bool is_thorough : {false, true}) {
    for (const Hypothesis& hypothesis : Find(&sample, is_thorough)) {
      EXPECT_THAT(sample.ValuesOf(hypothesis.extractor)[0], ElementsAre("$0"))
          << hypothesis.extractor.ShortDebugString();
    }
  }
}

TEST(FindHypothesesTest, ThoroughFindsMore) {
  AnnotatedSample sample = Prices();
  EXPECT_GT(Find(&sample, true).size(), Find(&sample, false).size());
}

// Both what high support and what low support allow.
TEST(FindHypothesesTest, OfHighAndOfLowSupport) {
  AnnotatedSample sample;
  for (int i = 0; i < 8; ++i) {
    sample.Page(
        StrCat("<h1>T", i, "</h1><i>", i % 2 == 0 ? "Born" : "Height",
               "</i><b class=v>", i, "0</b>"),
        i == 0 ? std::vector<std::string>{"00"} : std::vector<std::string>{});
  }
  std::set<double> supports;
  for (const Hypothesis& hypothesis : Find(&sample)) {
    supports.insert(hypothesis.support);
  }
  EXPECT_THAT(supports, Contains(1.0));
  EXPECT_LT(*supports.begin(), 0.5);
}

// An XPath comes with each way to cut the value out of its text.
TEST(FindHypothesesTest, SeveralRanges) {
  AnnotatedSample sample;
  for (int i = 0; i < 5; ++i) {
    sample.Page(
        StrCat("<p class=about>Engine: V", i, " with ", i, " valves</p>"),
        i == 0 ? std::vector<std::string>{"V0"} : std::vector<std::string>{});
  }
  std::set<std::string> cuts;
  for (const Hypothesis& hypothesis : Find(&sample)) {
    const proto::Extractor& extractor = hypothesis.extractor;
    EXPECT_TRUE(extractor.has_range() || !extractor.regex().empty());
    EXPECT_EQ(hypothesis.clues[Clue::kRange], 1);
    proto::Extractor cut = extractor;
    cut.clear_xpath();
    cuts.insert(cut.SerializeAsString());
    EXPECT_THAT(sample.ValuesOf(extractor)[0], ElementsAre("V0"))
        << extractor.ShortDebugString();
  }
  EXPECT_GE(cuts.size(), 2u);
}

TEST(FindHypothesesTest, WholeTextsAreNotCut) {
  AnnotatedSample sample = Prices();
  for (const Hypothesis& hypothesis : Find(&sample)) {
    EXPECT_FALSE(hypothesis.extractor.has_range());
    EXPECT_EQ(hypothesis.clues[Clue::kRange], 0);
  }
}

TEST(FindHypothesesTest, NothingToGoBy) {
  AnnotatedSample sample("repeated: true");
  sample.Page("<p>x</p><p>y</p><p>z</p><p>w</p><p>v</p><p>u</p><p>t</p>",
              {"w"});
  sample.Page("<p>x</p><p>y</p><p>z</p><p>w</p><p>v</p><p>u</p><p>t</p>",
              {"z"});
  std::string reason;
  EXPECT_THAT(FindHypotheses(sample.Task(), true, &reason), IsEmpty());
  EXPECT_THAT(reason, HasSubstr("nothing tells the annotated nodes"));
}

TEST(FindHypothesesTest, OutOfTime) {
  AnnotatedSample sample = Prices();
  AttributeTask task = sample.Task();
  task.is_out_of_time = [] { return true; };
  std::string reason;
  FindHypotheses(task, true, &reason);  // ends
}

}  // namespace
}  // namespace trommel::learn::vertex
