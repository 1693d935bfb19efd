#include "core/learn/next_page.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/core/learn/sample_pages.h"

namespace trommel::learn {
namespace {

using testing_support::AnnotationOf;
using testing_support::Compiled;
using testing_support::FieldsRule;
using testing_support::PageOf;
using testing_support::ProductSchema;
using testing_support::ValueOf;

using Kind = annotation::Annotation::Kind;

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
  EXPECT_EQ(knowledge[0].longest_value, 7u);
  EXPECT_FALSE(knowledge[1].has_value);
  EXPECT_FALSE(knowledge[1].has_rule);
  EXPECT_TRUE(knowledge[1].may_be_absent);
}

// What a page leaves in doubt, in points.
TEST(FindDoubtsTest, Points) {
  struct Case {
    const char* name;
    const char* html;
    int points;
  };
  const Case kCases[] = {
      {"nothing", "<h1>Dune</h1><b>$5</b><i>$5</i>", 0},
      {"a contradiction", "<h1>Dune</h1><b>$5</b><i>$6</i>", 4},
      {"one is silent", "<h1>Dune</h1><b>$5</b>", 2},
      {"missing", "<h1>Dune</h1>", 2},
      {"missing and mandatory", "<b>$5</b><i>$5</i>", 4},
      {"much longer",
       "<h1>A sentence that is no title at all</h1><b>$5</b><i>$5</i>", 1},
  };
  const auto extractor = Compiled(FieldsRule(
      ProductSchema(), {{"//h1/text()"}, {"//b/text()", "//i/text()"}}));
  std::vector<AttributeKnowledge> knowledge = CollectKnowledge(
      ProductSchema(), {ValueOf("u", "title", "Dune")}, extractor->extracts());
  knowledge[1].longest_value = 2;
  for (const Case& c : kCases) {
    std::vector<LearnPage> pages;
    pages.push_back(PageOf("u", c.html));
    const SampleDoubts doubts = FindDoubts(*extractor, knowledge, pages, {});
    EXPECT_EQ(doubts.worst_points, c.points) << c.name;
    EXPECT_EQ(doubts.counts.pages, 1) << c.name;
  }
  // An attribute that may be absent is not missed.
  knowledge[1].may_be_absent = true;
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("u", "<h1>Dune</h1>"));
  EXPECT_EQ(FindDoubts(*extractor, knowledge, pages, {}).worst_points, 0);
}

TEST(FindDoubtsTest, TheWorstThatIsNotAnnotated) {
  const auto extractor =
      Compiled(FieldsRule(ProductSchema(), {{"//h1/text()"}, {"//b/text()"}}));
  const std::vector<AttributeKnowledge> knowledge =
      CollectKnowledge(ProductSchema(), {}, extractor->extracts());
  std::vector<LearnPage> pages;
  pages.push_back(PageOf("0", ""));
  pages.push_back(PageOf("1", "<h1></h1><b>5</b>"));
  pages.push_back(PageOf("2", ""));
  pages.push_back(PageOf("3", ""));
  EXPECT_EQ(FindDoubts(*extractor, knowledge, pages, {}).worst->url, "0");
  EXPECT_EQ(FindDoubts(*extractor, knowledge, pages, {"0"}).worst->url, "2");
  EXPECT_EQ(FindDoubts(*extractor, knowledge, pages, {"0"}).counts.pages, 3);
  EXPECT_EQ(
      FindDoubts(*extractor, knowledge, pages, {"0", "1", "2", "3"}).worst,
      nullptr);
}

}  // namespace
}  // namespace trommel::learn
