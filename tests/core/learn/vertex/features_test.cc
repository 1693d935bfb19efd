#include "core/learn/vertex/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/xpath/matcher.h"
#include "core/xpath/printer.h"
#include "tests/testing/seed.h"

namespace trommel::learn::vertex {
namespace {

using html::NodeId;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

html::Document Parse(const std::string& html) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  EXPECT_EQ(parser->ParseUtf8(html, &document), html::ParseOutcome::kOk);
  return document;
}

NodeId TextNode(const html::Document& document, std::string_view text) {
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.IsText(id) && document.Text(id) == text) return id;
  }
  ADD_FAILURE() << "no text " << text;
  return 0;
}

// III-C, "Combining XPaths for features": the three features of the paper, with
// text() for the node() of the paper, since it is texts that are looked for,
// and [2] for [position()=2].
TEST(FeaturesPaper, MergedXPath) {
  const std::vector<Feature> features = {
      {FeatureKind::kTag, 3, 0, {"div"}},
      {FeatureKind::kSiblingClass, 3, 2, {"c1", "c2"}},
      {FeatureKind::kId, 1, 0, {"i1"}},
  };
  EXPECT_EQ(xpath::ToString(MakeXPath(features, {})),
            "//div[preceding-sibling::node()[2][@class=\"c1\" or "
            "@class=\"c2\"]]/*/*[@id=\"i1\"]/text()");
}

// "//div/*/*/*node()" is a misprint for "//div/*/*/node()".
TEST(FeaturesPaper, OneFeature) {
  EXPECT_EQ(
      xpath::ToString(MakeXPath({{FeatureKind::kTag, 3, 0, {"div"}}}, {})),
      "//div/*/*/text()");
}

TEST(FeaturesPaper, AnchorsAndDisjunctions) {
  const auto text = [](FeatureKind kind, std::vector<std::string> values) {
    return xpath::ToString(MakeXPath({{kind, 0, 0, values}}, {}));
  };
  // [position()=last()] on the preceding axis is a misprint: the nearest is 1.
  EXPECT_EQ(text(FeatureKind::kLeftText, {"Price:"}),
            "//text()[preceding::text()[1][normalize-space(.)=\"Price:\"]]");
  EXPECT_EQ(text(FeatureKind::kRightWord, {"review", "reviews"}),
            "//text()[following::text()[1][starts-with(normalize-space(.), "
            "\"review\") or starts-with(normalize-space(.), \"reviews\")]]");
  EXPECT_EQ(text(FeatureKind::kInsideLeftText, {"Our Price:"}),
            "//text()[starts-with(normalize-space(.), \"Our Price:\")]");
}

TEST(FeaturesBeyondThePaper, XPaths) {
  struct Case {
    Feature feature;
    const char* xpath;
  };
  const Case kCases[] = {
      {{FeatureKind::kNoClass, 1, 0, {"none"}}, "//*[not(@class)]/text()"},
      {{FeatureKind::kNextTag, 0, 1, {"br"}},
       "//text()[following-sibling::node()[1][self::br]]"},
      {{FeatureKind::kNextId, 1, 2, {"map"}},
       "//*[following-sibling::node()[2][@id=\"map\"]]/text()"},
      {{FeatureKind::kNextClass, 0, 1, {"map"}},
       "//text()[following-sibling::node()[1][@class=\"map\"]]"},
      {{FeatureKind::kFirstChild, 0, 0, {"none"}},
       "//text()[not(preceding-sibling::node())]"},
      {{FeatureKind::kLastChild, 1, 0, {"none"}},
       "//*[not(following-sibling::node())]/text()"},
      {{FeatureKind::kInsideLeftWord, 0, 0, {"MPG"}},
       "//text()[contains(normalize-space(.), \"MPG\")]"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(xpath::ToString(MakeXPath({c.feature}, {})), c.xpath);
  }
}

TEST(Features, OfOneNode) {
  const html::Document document = Parse(
      "<div id=main><p class='fact first'><b>Price:</b> <i "
      "id=p17>$5</i> each</p></div>");
  std::vector<PageFacts> pages;
  pages.emplace_back(document);
  const std::vector<Feature> features =
      GenerateFeatures(pages, {{{0, TextNode(document, "$5")}, ""}});
  const auto has = [&](const Feature& feature) {
    return std::find(features.begin(), features.end(), feature) !=
           features.end();
  };
  EXPECT_TRUE(has({FeatureKind::kTag, 1, 0, {"i"}}));
  EXPECT_TRUE(has({FeatureKind::kId, 1, 0, {"p17"}}));
  EXPECT_TRUE(has({FeatureKind::kIdPrefix, 1, 0, {"p"}}) == false);  // short
  EXPECT_TRUE(has({FeatureKind::kClass, 2, 0, {"fact first"}}));
  EXPECT_TRUE(has({FeatureKind::kClassToken, 2, 0, {"first"}}));
  EXPECT_TRUE(has({FeatureKind::kId, 3, 0, {"main"}}));
  EXPECT_TRUE(has({FeatureKind::kSiblingTag, 1, 1, {"b"}}));
  EXPECT_TRUE(has({FeatureKind::kLeftText, 0, 0, {"Price:"}}));
  EXPECT_TRUE(has({FeatureKind::kLeftWord, 0, 0, {"Price:"}}));
  EXPECT_TRUE(has({FeatureKind::kRightText, 0, 0, {"each"}}));
  EXPECT_TRUE(has({FeatureKind::kFirstText, 2, 0, {"Price:"}}));
}

TEST(Features, DisjunctionsOfThreeAtMost) {
  std::deque<html::Document> documents;
  std::vector<PageFacts> pages;
  std::vector<Example> examples;
  for (const char* css_class : {"a", "b", "c", "d"}) {
    documents.push_back(Parse(StrCat("<p class=", css_class, ">x</p>")));
    examples.push_back({{pages.size(), TextNode(documents.back(), "x")}, ""});
    pages.emplace_back(documents.back());
    std::vector<std::string> classes;
    for (const Feature& f : GenerateFeatures(pages, examples)) {
      if (f.kind == FeatureKind::kClass && f.level == 1) classes = f.values;
    }
    EXPECT_EQ(classes.size(), examples.size() > 3 ? 0 : examples.size());
  }
}

class FeaturesOfPages : public testing::Test {
 protected:
  // Adds a page, and the text as an example.
  void Example(const std::string& html, const std::string& text) {
    documents_.push_back(Parse(html));
    examples_.push_back(
        {{documents_.size() - 1, TextNode(documents_.back(), text)}, ""});
  }
  // The values of the features of a kind, level and offset that all have.
  std::vector<std::string> ValuesOf(FeatureKind kind, int level = 0,
                                    int offset = 0) const {
    std::vector<PageFacts> pages;
    for (const html::Document& document : documents_) {
      pages.emplace_back(document);
    }
    std::vector<std::string> values;
    for (const Feature& f : GenerateFeatures(pages, examples_)) {
      if (f.kind != kind || f.level != level || f.offset != offset) continue;
      values.insert(values.end(), f.values.begin(), f.values.end());
    }
    return values;
  }

  std::deque<html::Document> documents_;
  std::vector<vertex::Example> examples_;
};

TEST_F(FeaturesOfPages, WhatIsBesideIt) {
  Example(
      "<div><p>first</p><p><b>v</b><br><i id=map class=m>x</i></p></div>"
      "<p class=c>y</p>",
      "v");
  EXPECT_THAT(ValuesOf(FeatureKind::kNextTag, 1, 1), ElementsAre("br"));
  EXPECT_THAT(ValuesOf(FeatureKind::kNextTag, 1, 2), ElementsAre("i"));
  EXPECT_THAT(ValuesOf(FeatureKind::kNextId, 1, 2), ElementsAre("map"));
  EXPECT_THAT(ValuesOf(FeatureKind::kNextClass, 1, 2), ElementsAre("m"));
  EXPECT_THAT(ValuesOf(FeatureKind::kFirstChild, 0), SizeIs(1));
  EXPECT_THAT(ValuesOf(FeatureKind::kLastChild, 0), SizeIs(1));
  EXPECT_THAT(ValuesOf(FeatureKind::kFirstChild, 1), SizeIs(1));
  EXPECT_THAT(ValuesOf(FeatureKind::kLastChild, 1), IsEmpty());
  EXPECT_THAT(ValuesOf(FeatureKind::kFirstChild, 2), IsEmpty());
  EXPECT_THAT(ValuesOf(FeatureKind::kLastChild, 2), SizeIs(1));
  EXPECT_THAT(ValuesOf(FeatureKind::kNoClass, 1), SizeIs(1));
}

TEST_F(FeaturesOfPages, NoClassOfElementsOnly) {
  Example("<p class=c>v</p>", "v");
  EXPECT_THAT(ValuesOf(FeatureKind::kNoClass, 0), IsEmpty());  // a text
  EXPECT_THAT(ValuesOf(FeatureKind::kNoClass, 1), IsEmpty());
}

TEST_F(FeaturesOfPages, WhatAllValuesBeginAndEndWith) {
  Example("<p>Engine: 2.5L V6 petrol</p>", "Engine: 2.5L V6 petrol");
  // Of one text only a label.
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftText), ElementsAre("Engine:"));
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideRightText), IsEmpty());
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftWord), IsEmpty());
  Example("<p>Engine: 3.0L petrol</p>", "Engine: 3.0L petrol");
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftText), ElementsAre("Engine:"));
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideRightText), ElementsAre("petrol"));
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftWord),
              UnorderedElementsAre("Engine:", "petrol"));
  Example("<p>3.0L petrol Engine: old</p>", "3.0L petrol Engine: old");
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftText), IsEmpty());
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideRightText), IsEmpty());
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftWord),
              UnorderedElementsAre("Engine:", "petrol"));
}

TEST_F(FeaturesOfPages, ValuesThatAreTheSameHaveNoWordsInCommon) {
  Example("<p>red wine</p>", "red wine");
  Example("<p>red wine</p>", "red wine");
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftText), IsEmpty());
  EXPECT_THAT(ValuesOf(FeatureKind::kInsideLeftWord), IsEmpty());
}

// Four words, but three of them begin with the fourth.
TEST_F(FeaturesOfPages, RightWordsThatBeginAlike) {
  for (const char* const word : {"(Author),", "(Author)", "(Author):", "by"}) {
    Example(StrCat("<b>v</b><i>", word, " Ann</i>"), "v");
  }
  EXPECT_THAT(ValuesOf(FeatureKind::kRightWord), ElementsAre("(Author)", "by"));
}

// A feature holds where the XPath made of it selects.
TEST(Features, TestsAgreeWithTheirXPaths) {
  Random random(testing_support::TestSeed(703));
  static const char* const kTags[] = {"div", "p", "span", "b", "td"};
  static const char* const kWords[] = {"Price:", "$5",       "by Ann",
                                       "x y",    "\xC2\xA0", "Price: $5 each"};
  int compared = 0;
  std::set<FeatureKind> kinds;
  for (int round = 0; round < 300; ++round) {
    std::string html = "<body>";
    std::vector<std::string> open;
    for (int i = 0; i < 40; ++i) {
      const uint64_t what = random.Below(4);
      if (what == 0 && !open.empty()) {
        StrAppend(&html, "</", open.back(), ">");
        open.pop_back();
      } else if (what <= 1) {
        open.push_back(kTags[random.Below(5)]);
        StrAppend(&html, "<", open.back());
        if (random.Chance(0.4)) StrAppend(&html, " id=row_", random.Below(3));
        if (random.Chance(0.4)) {
          StrAppend(&html, " class='c", random.Below(2), " d", random.Below(2),
                    "'");
        }
        html += ">";
      } else {
        StrAppend(&html, kWords[random.Below(6)],
                  random.Chance(0.5) ? " " : "");
        if (random.Chance(0.2)) html += "<!--c--><br>";
      }
    }
    const html::Document document = Parse(html);
    std::vector<PageFacts> pages;
    pages.emplace_back(document);
    std::vector<NodeId> texts;
    for (NodeId id = 1; id < document.num_nodes(); ++id) {
      if (document.IsText(id)) texts.push_back(id);
    }
    if (texts.empty()) continue;
    std::vector<Example> examples = {{{0, texts[random.Below(texts.size())]},
                                      random.Chance(0.5) ? "$5" : ""}};
    if (random.Chance(0.5)) {
      examples.push_back({{0, texts[random.Below(texts.size())]}, ""});
    }
    for (const Feature& feature : GenerateFeatures(pages, examples)) {
      const xpath::LocationPath path = MakeXPath({feature}, {});
      const auto matcher = xpath::Matcher::Compile(path);
      ASSERT_TRUE(matcher.ok()) << matcher.status();
      std::vector<xpath::Match> matches;
      matcher->Select(document, &matches);
      std::vector<NodeId> selected, tested;
      for (const xpath::Match& match : matches) selected.push_back(match.node);
      FeatureTest test(feature, pages[0]);
      for (const NodeId id : texts) {
        if (test(id)) tested.push_back(id);
      }
      ASSERT_EQ(tested, selected) << xpath::ToString(path) << "\n" << html;
      ++compared;
      kinds.insert(feature.kind);
    }
  }
  EXPECT_GT(compared, 3000);
  EXPECT_EQ(kinds.size(),
            static_cast<size_t>(FeatureKind::kInsideRightWord) + 1);
}

TEST(Features, StrengthAndFragility) {
  EXPECT_TRUE(IsStrong({FeatureKind::kClass, 1, 0, {"price"}}));
  EXPECT_TRUE(IsStrong({FeatureKind::kLeftText, 0, 0, {"Price:"}}));
  EXPECT_FALSE(IsStrong({FeatureKind::kLeftText, 0, 0, {"|"}}));
  EXPECT_TRUE(IsStrong(
      {FeatureKind::kLeftText, 0, 0, {"\xD0\xA6\xD0\xB5\xD0\xBD\xD0\xB0:"}}));
  EXPECT_TRUE(
      IsStrong({FeatureKind::kLeftText, 0, 0, {"\xE4\xBE\xA1\xE6\xA0\xBC"}}));
  EXPECT_FALSE(IsStrong({FeatureKind::kLeftText, 0, 0, {"\xC2\xA0\xC2\xA0"}}));
  EXPECT_FALSE(IsStrong({FeatureKind::kClass, 1, 0, {"a", "b"}}));
  EXPECT_FALSE(IsStrong({FeatureKind::kSiblingTag, 1, 1, {"b"}}));
  EXPECT_FALSE(IsStrong({FeatureKind::kNextClass, 1, 1, {"map"}}));
  EXPECT_FALSE(IsStrong({FeatureKind::kFirstChild, 0, 0, {"none"}}));
  EXPECT_TRUE(IsStrong({FeatureKind::kInsideLeftText, 0, 0, {"Engine:"}}));
  EXPECT_LT(Fragility({FeatureKind::kId, 1, 0, {"price"}}),
            Fragility({FeatureKind::kId, 1, 0, {"ctl00_17"}}));
  EXPECT_TRUE(TellsNeighbours({FeatureKind::kLeftText, 0, 0, {"Price:"}}));
  EXPECT_FALSE(TellsNeighbours({FeatureKind::kClass, 1, 0, {"genre"}}));
  EXPECT_TRUE(TellsNeighbours({FeatureKind::kLastChild, 1, 0, {"none"}}));
  EXPECT_TRUE(TellsNeighbours({FeatureKind::kNextTag, 1, 1, {"br"}}));
  EXPECT_TRUE(HasDigits({FeatureKind::kClass, 1, 0, {"a", "b7"}}));
  EXPECT_FALSE(HasDigits({FeatureKind::kClass, 1, 0, {"a", "b"}}));
}

}  // namespace
}  // namespace trommel::learn::vertex
