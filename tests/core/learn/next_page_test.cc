#include "core/learn/next_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::AnnotationOf;
using testing_support::Compiled;
using testing_support::FieldsRule;
using testing_support::PageOf;
using testing_support::ProductSchema;
using testing_support::ValueOf;

using Kind = annotation::Annotation::Kind;

std::vector<LearnPage> PagesOf(const std::vector<std::string>& htmls) {
  std::vector<LearnPage> pages;
  for (const std::string& html : htmls) {
    pages.push_back(PageOf(StrCat(pages.size()), html));
  }
  return pages;
}

TEST(CollectKnowledgeTest, FromAnnotationsAndProgram) {
  const std::vector<AttributeKnowledge> knowledge = CollectKnowledge(
      ProductSchema(),
      {ValueOf("u", "title", "Dune"), ValueOf("v", "title", "Solaris"),
       AnnotationOf(Kind::kAbsent, "v", "price", "", 1),
       AnnotationOf(Kind::kComplete, "v")},
      {true, false});
  ASSERT_EQ(knowledge.size(), 2u);
  EXPECT_TRUE(knowledge[0].has_value);
  EXPECT_TRUE(knowledge[0].has_rule);
  EXPECT_FALSE(knowledge[0].may_be_absent);
  EXPECT_THAT(knowledge[0].values, ElementsAre("Dune", "Solaris"));
  EXPECT_FALSE(knowledge[1].has_value);
  EXPECT_FALSE(knowledge[1].has_rule);
  EXPECT_TRUE(knowledge[1].may_be_absent);
  EXPECT_THAT(knowledge[1].values, IsEmpty());
}

// What a page leaves in doubt by itself, the less serious first.
TEST(FindDoubtsTest, WhatTheRuleSays) {
  struct Case {
    const char* name;
    const char* html;
    const char* text;  // empty: no doubt
  };
  const Case kCases[] = {
      {"nothing", "<h1>Dune</h1><b>$5</b><i>$5</i>", ""},
      {"unlike", "<h1>$12.99 and 40</h1><b>$5</b><i>$5</i>",
       "\"$12.99 and 40\" is unlike"},
      {"one is silent", "<h1>Dune</h1><b>$5</b>", "only some alternatives"},
      {"missing", "<h1>Dune</h1>", "nothing is found"},
      {"a contradiction", "<h1>Dune</h1><b>$5</b><i>$6</i>",
       "different values"},
      {"missing and mandatory, and one is silent", "<b>$5</b>",
       "nothing is found"},
  };
  const auto extractor = Compiled(FieldsRule(
      ProductSchema(), {{"//h1/text()"}, {"//b/text()", "//i/text()"}}));
  std::vector<AttributeKnowledge> knowledge = CollectKnowledge(
      ProductSchema(),
      {ValueOf("u", "title", "Dune"), ValueOf("u", "price", "$5")},
      extractor->extracts());
  double last = -1;
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const std::vector<LearnPage> pages = PagesOf({c.html});
    const SampleDoubts doubts =
        FindDoubts(*extractor, knowledge, {}, pages, {});
    EXPECT_GT(doubts.worst_weight, last);
    EXPECT_EQ(doubts.counts.pages, 1);
    EXPECT_EQ(doubts.HasQuestion(), *c.text != '\0');
    if (doubts.HasQuestion()) {
      EXPECT_THAT(doubts.doubts[0].text, HasSubstr(c.text));
      EXPECT_EQ(doubts.doubts[0].page, &pages[0]);
      EXPECT_LE(doubts.doubts[0].weight, 1);
    } else {
      EXPECT_EQ(doubts.worst_weight, 0);
    }
    last = doubts.worst_weight;
  }
  // An attribute that may be absent is not missed.
  knowledge[1].may_be_absent = true;
  const SampleDoubts doubts =
      FindDoubts(*extractor, knowledge, {}, PagesOf({"<h1>Dune</h1>"}), {});
  EXPECT_EQ(doubts.worst_weight, 0);
  EXPECT_FALSE(doubts.HasQuestion());
}

// A rule that finds titles in headings, on pages whose bold text is a rival's.
class RivalsTest : public testing::Test {
 protected:
  // The belief in a rule that is as plausible as given, and in rivals that say
  // something of each page; "" is nothing.
  static AttributeBelief BeliefOf(
      double plausibility,
      const std::vector<std::pair<double, std::vector<std::string>>>& rivals) {
    AttributeBelief belief;
    belief.attribute = "title";
    belief.plausibility = plausibility;
    for (const auto& [rival_plausibility, said] : rivals) {
      Rival& rival = belief.rivals.emplace_back();
      rival.text = "a rival";
      rival.plausibility = rival_plausibility;
      for (const std::string& value : said) {
        rival.values.emplace_back();
        if (!value.empty()) rival.values.back().push_back(value);
      }
    }
    return belief;
  }

  SampleDoubts Doubts(const AttributeBelief& belief,
                      const std::set<std::string>& annotated = {}) const {
    return FindDoubts(*extractor_, knowledge_, {belief}, pages_, annotated);
  }

  const std::unique_ptr<rule::PageExtractor> extractor_ =
      Compiled(FieldsRule(ProductSchema(), {{"//h1/text()"}, {}}));
  const std::vector<AttributeKnowledge> knowledge_ = CollectKnowledge(
      ProductSchema(), {ValueOf("u", "title", "T")}, extractor_->extracts());
  const std::vector<LearnPage> pages_ =
      PagesOf({"<h1>A</h1>", "<h1>B</h1>", "<h1>C</h1>"});
};

TEST_F(RivalsTest, OneThatSaysTheSameIsNoDoubt) {
  const SampleDoubts doubts = Doubts(BeliefOf(0.9, {{0.8, {"A", "B", "C"}}}));
  EXPECT_FALSE(doubts.HasQuestion());
  EXPECT_EQ(doubts.worst_weight, 0);
}

TEST_F(RivalsTest, OneThatDiffersIsADoubtOfThatPage) {
  const SampleDoubts doubts = Doubts(BeliefOf(0.9, {{0.8, {"A", "X", "C"}}}));
  ASSERT_EQ(doubts.doubts.size(), 1u);
  EXPECT_EQ(doubts.doubts[0].page, &pages_[1]);
  EXPECT_EQ(doubts.doubts[0].attribute, 0u);
  EXPECT_THAT(doubts.doubts[0].text,
              AllOf(HasSubstr("\"X\""), HasSubstr("\"B\"")));
  EXPECT_EQ(doubts.worst, &pages_[1]);
  // The odds are 4 to 9.
  EXPECT_NEAR(doubts.doubts[0].weight, 4.0 / 13, 1e-9);
  EXPECT_NEAR(doubts.worst_weight, 4.0 / 13, 1e-9);
}

TEST_F(RivalsTest, SilentOnesWeighLess) {
  const double differs =
      Doubts(BeliefOf(0.9, {{0.8, {"A", "X", "C"}}})).worst_weight;
  const SampleDoubts silent = Doubts(BeliefOf(0.9, {{0.8, {"A", "", "C"}}}));
  EXPECT_GT(silent.worst_weight, 0);
  EXPECT_LT(silent.worst_weight, differs / 2);
  EXPECT_FALSE(silent.HasQuestion());
  EXPECT_EQ(silent.worst, &pages_[1]);
}

TEST_F(RivalsTest, ImplausibleOnesAreNoQuestion) {
  const SampleDoubts doubts = Doubts(BeliefOf(0.95, {{0.3, {"A", "X", "C"}}}));
  EXPECT_FALSE(doubts.HasQuestion());
  EXPECT_GT(doubts.worst_weight, 0);
}

TEST_F(RivalsTest, ThoseThatSayTheSameAreOne) {
  const std::vector<std::string> said = {"A", "X", "C"};
  const double one = Doubts(BeliefOf(0.9, {{0.8, said}})).worst_weight;
  const double two =
      Doubts(BeliefOf(0.9, {{0.8, said}, {0.7, said}})).worst_weight;
  EXPECT_EQ(two, one);
  const double others =
      Doubts(BeliefOf(0.9, {{0.8, said}, {0.7, {"A", "Y", "C"}}})).worst_weight;
  EXPECT_GT(others, one);
}

// On the second page one rival differs, on the third both do.
TEST_F(RivalsTest, ThePageWithMostIsAsked) {
  const AttributeBelief belief =
      BeliefOf(0.9, {{0.8, {"A", "X", "Y"}}, {0.7, {"A", "B", "Z"}}});
  const SampleDoubts doubts = Doubts(belief);
  EXPECT_EQ(doubts.worst, &pages_[2]);
  EXPECT_EQ(doubts.doubts[0].page, &pages_[2]);
  // The most plausible is named.
  EXPECT_THAT(doubts.doubts[0].text, HasSubstr("\"Y\""));
  EXPECT_EQ(Doubts(belief, {pages_[2].url}).worst, &pages_[1]);
  EXPECT_FALSE(Doubts(belief, {pages_[1].url, pages_[2].url}).HasQuestion());
}

TEST_F(RivalsTest, ARuleThatIsHardlyPlausibleIsInDoubtEverywhere) {
  const SampleDoubts doubts = Doubts(BeliefOf(0.2, {}));
  ASSERT_TRUE(doubts.HasQuestion());
  EXPECT_THAT(doubts.doubts[0].text, HasSubstr("little speaks for"));
  EXPECT_EQ(doubts.worst, &pages_[0]);
  EXPECT_FALSE(Doubts(BeliefOf(0.6, {})).HasQuestion());
}

// A belief of nothing at all, as a learner without estimates may have it.
TEST_F(RivalsTest, NoPlausibilityAndNoRivals) {
  const SampleDoubts doubts = Doubts(BeliefOf(0, {}));
  EXPECT_GT(doubts.worst_weight, 0);
  EXPECT_LE(doubts.worst_weight, 1);
  EXPECT_TRUE(doubts.HasQuestion());
}

TEST_F(RivalsTest, BeliefsOfOtherAttributesDoNotMatter) {
  AttributeBelief belief = BeliefOf(0.9, {{0.8, {"X", "X", "X"}}});
  belief.attribute = "price";
  EXPECT_EQ(Doubts(belief).worst_weight, 0);
}

// Each attribute's, the worst first whatever their order in the schema.
TEST(FindDoubtsTest, TheWorstDoubtComesFirst) {
  const auto extractor =
      Compiled(FieldsRule(ProductSchema(), {{"//h1/text()", "//h2/text()"},
                                            {"//b/text()", "//i/text()"}}));
  const std::vector<AttributeKnowledge> knowledge =
      CollectKnowledge(ProductSchema(), {}, extractor->extracts());
  const std::vector<LearnPage> pages = PagesOf({"<h1>A</h1><b>5</b><i>6</i>"});
  const SampleDoubts doubts = FindDoubts(*extractor, knowledge, {}, pages, {});
  ASSERT_EQ(doubts.doubts.size(), 2u);
  EXPECT_EQ(doubts.doubts[0].attribute, 1u);
  EXPECT_GT(doubts.doubts[0].weight, doubts.doubts[1].weight);
}

// An editor annotates a whole page: doubts of several attributes add up.
TEST(FindDoubtsTest, DoubtsOfAPageAddUp) {
  const auto extractor =
      Compiled(FieldsRule(ProductSchema(), {{"//h1/text()", "//h2/text()"},
                                            {"//b/text()", "//i/text()"}}));
  const std::vector<AttributeKnowledge> knowledge =
      CollectKnowledge(ProductSchema(), {}, extractor->extracts());
  const std::vector<LearnPage> pages = PagesOf(
      {"<h1>A</h1><h2>A</h2><b>5</b><i>6</i>", "<h1>A</h1><h2>B</h2><b>5</b>"});
  const SampleDoubts doubts = FindDoubts(*extractor, knowledge, {}, pages, {});
  EXPECT_EQ(doubts.worst, &pages[1]);
  ASSERT_EQ(doubts.doubts.size(), 2u);
  EXPECT_EQ(doubts.doubts[0].page, &pages[1]);  // of the title
  EXPECT_EQ(doubts.doubts[1].page, &pages[0]);  // of the price
}

TEST(FindDoubtsTest, TheWorstThatIsNotAnnotated) {
  const auto extractor =
      Compiled(FieldsRule(ProductSchema(), {{"//h1/text()"}, {"//b/text()"}}));
  const std::vector<AttributeKnowledge> knowledge =
      CollectKnowledge(ProductSchema(), {}, extractor->extracts());
  const std::vector<LearnPage> pages =
      PagesOf({"", "<h1></h1><b>5</b>", "", ""});
  EXPECT_EQ(FindDoubts(*extractor, knowledge, {}, pages, {}).worst->url, "0");
  EXPECT_EQ(FindDoubts(*extractor, knowledge, {}, pages, {"0"}).worst->url,
            "2");
  EXPECT_EQ(FindDoubts(*extractor, knowledge, {}, pages, {"0"}).counts.pages,
            3);
  EXPECT_EQ(
      FindDoubts(*extractor, knowledge, {}, pages, {"0", "1", "2", "3"}).worst,
      nullptr);
}

}  // namespace
}  // namespace trommel::learn
