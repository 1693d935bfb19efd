#include "core/learn/vertex/attribute_learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
using testing::Not;
using testing_support::AnnotatedSample;

using PageValues = std::vector<std::vector<std::string>>;

// A title in a heading and in the trail, where it is cut off on some pages; by
// class, by label and by place.
AnnotatedSample Titles(int num_annotated) {
  AnnotatedSample sample;
  for (int i = 0; i < 8; ++i) {
    const std::string title = StrCat("The Film ", i);
    sample.Page(StrCat("<ul><li>Films</li><li class=here>",
                       i % 4 == 3 ? StrCat("The F ", i) : title,
                       "</li></ul><p>Title:", "</p><h1 class=title>", title,
                       "</h1><p>Year: <b>19", 10 + i, "</b></p>"),
                i < num_annotated ? std::vector<std::string>{title}
                                  : std::vector<std::string>{});
  }
  return sample;
}

// What the alternatives say of all pages, which is the same for all.
PageValues ValuesOfRule(const AnnotatedSample& sample,
                        const LearntAttribute& learnt) {
  EXPECT_FALSE(learnt.rule.alternative().empty()) << learnt.reason;
  PageValues values;
  for (const proto::Extractor& alternative : learnt.rule.alternative()) {
    PageValues said = sample.ValuesOf(alternative);
    if (!values.empty()) {
      EXPECT_EQ(said, values) << alternative.ShortDebugString();
    }
    values = std::move(said);
  }
  return values;
}

TEST(LearnAttributeTest, AlternativesSayTheSameOfAllPages) {
  AnnotatedSample sample = Titles(1);
  const LearntAttribute learnt = LearnAttribute(sample.Ways());
  EXPECT_GE(learnt.rule.alternative_size(), 2);
  EXPECT_LE(learnt.rule.alternative_size(), 4);
  const PageValues values = ValuesOfRule(sample, learnt);
  ASSERT_EQ(values.size(), 8u);
  EXPECT_THAT(values[7], ElementsAre("The Film 7"));
  EXPECT_EQ(learnt.reason, "");
  EXPECT_EQ(learnt.rule.name(), "a");
  EXPECT_EQ(learnt.belief.attribute, "a");
  EXPECT_GT(learnt.belief.plausibility, 0.5);
}

TEST(LearnAttributeTest, RivalsDifferFromTheRuleAndFromEachOther) {
  AnnotatedSample sample = Titles(1);
  const LearntAttribute learnt = LearnAttribute(sample.Ways());
  std::set<PageValues> said = {ValuesOfRule(sample, learnt)};
  ASSERT_FALSE(learnt.belief.rivals.empty());
  double last = learnt.belief.plausibility;
  bool has_trail = false;
  for (const Rival& rival : learnt.belief.rivals) {
    EXPECT_TRUE(said.insert(rival.values).second) << rival.text;
    EXPECT_THAT(rival.values[0], ElementsAre("The Film 0")) << rival.text;
    EXPECT_LE(rival.plausibility, last) << rival.text;
    EXPECT_FALSE(rival.text.empty());
    last = rival.plausibility;
    has_trail |= rival.values[3] == std::vector<std::string>{"The F 3"};
  }
  EXPECT_TRUE(has_trail);
}

// An annotation of a page on which they differ excludes rivals.
TEST(LearnAttributeTest, AnnotationsExcludeRivals) {
  AnnotatedSample one = Titles(1);
  AnnotatedSample four = Titles(4);
  const LearntAttribute before = LearnAttribute(one.Ways());
  const LearntAttribute after = LearnAttribute(four.Ways());
  EXPECT_LT(after.belief.rivals.size(), before.belief.rivals.size());
  for (const Rival& rival : after.belief.rivals) {
    EXPECT_THAT(rival.values[3], ElementsAre("The Film 3")) << rival.text;
  }
}

TEST(LearnAttributeTest, ExplanationsAreRightAndHoldTheRule) {
  AnnotatedSample sample = Titles(2);
  const std::vector<AttributeTask> ways = sample.Ways();
  const std::vector<Hypothesis> all = ExplainAnnotations(ways);
  for (const Hypothesis& hypothesis : all) {
    EXPECT_THAT(sample.ValuesOf(hypothesis.extractor)[1],
                ElementsAre("The Film 1"))
        << hypothesis.extractor.ShortDebugString();
  }
  const LearntAttribute learnt = LearnAttribute(ways);
  for (const proto::Extractor& alternative : learnt.rule.alternative()) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Hypothesis& h) {
      return h.extractor.SerializeAsString() == alternative.SerializeAsString();
    })) << alternative.ShortDebugString();
  }
}

TEST(LearnAttributeTest, HypothesesOfOtherPlacesSaySo) {
  AnnotatedSample sample = Titles(1);
  bool has_own = false, has_other = false;
  for (const Hypothesis& h : ExplainAnnotations(sample.Ways())) {
    (h.clues[Clue::kOtherPlace] > 0 ? has_other : has_own) = true;
  }
  EXPECT_TRUE(has_own);
  EXPECT_TRUE(has_other);
}

// The annotated page has one value, others have several. Whether all of them
// are meant, one page does not tell; but both are known, and two pages tell.
TEST(LearnAttributeTest, AListOfWhichOneValueIsKnown) {
  for (const int num_annotated : {1, 2}) {
    SCOPED_TRACE(num_annotated);
    AnnotatedSample sample("repeated: true");
    for (int n = 1; n <= 5; ++n) {
      std::vector<std::string> genres;
      std::string html = "<ul><li>Director: <a>Ann</a></li><li>Genres: ";
      for (int i = 0; i < n; ++i) {
        genres.push_back(StrCat("G", n, i));
        StrAppend(&html, i == 0 ? "" : ", ", "<a>", genres.back(), "</a>");
      }
      sample.Page(html + "</li></ul>",
                  n <= num_annotated ? genres : std::vector<std::string>{});
    }
    const LearntAttribute learnt = LearnAttribute(sample.Ways());
    const PageValues values = ValuesOfRule(sample, learnt);
    ASSERT_EQ(values.size(), 5u);
    std::vector<std::vector<std::string>> said = {values[2]};
    if (num_annotated == 1) {
      for (const Rival& rival : learnt.belief.rivals) {
        said.push_back(rival.values[2]);
      }
    }
    EXPECT_THAT(said, Contains(ElementsAre("G30", "G31", "G32")));
  }
}

// Values in places that have nothing in common: a union.
TEST(LearnAttributeTest, PlacesThatHaveNothingInCommon) {
  AnnotatedSample sample("repeated: true");
  for (int i = 0; i < 6; ++i) {
    const std::vector<std::string> values = {StrCat(i, " Elm St"),
                                             StrCat("Town ", i)};
    sample.Page(StrCat("<h1 class=name>N", i, "</h1><p class=street>",
                       values[0], "</p><div><b class=city>", values[1],
                       "</b></div><ul><li class=tel>555-", i, "</li></ul>"),
                i < 2 ? values : std::vector<std::string>{});
  }
  const LearntAttribute learnt = LearnAttribute(sample.Ways());
  const PageValues all = ValuesOfRule(sample, learnt);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_THAT(all[5], ElementsAre("5 Elm St", "Town 5"));
  EXPECT_TRUE(std::any_of(learnt.rule.alternative().begin(),
                          learnt.rule.alternative().end(),
                          [](const proto::Extractor& alternative) {
                            return !alternative.also().empty();
                          }))
      << learnt.rule.DebugString();
}

// Pages that say "n/a" where they have no value.
TEST(LearnAttributeTest, StopValues) {
  AnnotatedSample sample;
  for (int i = 0; i < 8; ++i) {
    const bool is_absent = i % 4 == 1;
    const std::string value = is_absent ? "n/a" : StrCat("T", i);
    const std::string html = StrCat("<p>Type - <b class=t>", value,
                                    "</b></p><p>Size - <b>S", i, "</b></p>");
    if (i == 1) {
      sample.AbsentPage(html);
    } else {
      sample.Page(html, i == 0 ? std::vector<std::string>{value}
                               : std::vector<std::string>{});
    }
  }
  const LearntAttribute learnt = LearnAttribute(sample.Ways());
  const PageValues values = ValuesOfRule(sample, learnt);
  ASSERT_EQ(values.size(), 8u);
  EXPECT_THAT(values[5], IsEmpty());
  EXPECT_THAT(values[6], ElementsAre("T6"));
  ASSERT_FALSE(learnt.rule.alternative().empty());
  ASSERT_EQ(learnt.rule.alternative(0).stop_value_size(), 1);
  EXPECT_EQ(learnt.rule.alternative(0).stop_value(0), "n/a");
}

TEST(LearnAttributeTest, WhereNothingIsLearntTheReasonSaysWhy) {
  AnnotatedSample nowhere;
  nowhere.Page("<b>Dune</b>", {"Ran"});
  LearntAttribute learnt = LearnAttribute(nowhere.Ways());
  EXPECT_THAT(learnt.rule.alternative(), IsEmpty());
  EXPECT_THAT(learnt.reason, HasSubstr("no annotated value was found"));
  AnnotatedSample nothing("repeated: true");
  for (const char* const value : {"w", "z"}) {
    nothing.Page("<p>x</p><p>y</p><p>z</p><p>w</p><p>v</p><p>u</p><p>t</p>",
                 {value});
  }
  learnt = LearnAttribute(nothing.Ways());
  EXPECT_THAT(learnt.rule.alternative(), IsEmpty());
  EXPECT_THAT(learnt.reason, Not(IsEmpty()));
  EXPECT_THAT(learnt.belief.rivals, IsEmpty());
}

}  // namespace
}  // namespace trommel::learn::vertex
