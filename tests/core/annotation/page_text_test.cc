#include "core/annotation/page_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/html/text.h"

namespace trommel::annotation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

html::Document Parse(const std::string& html) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  EXPECT_EQ(parser->ParseUtf8(html, &document), html::ParseOutcome::kOk);
  return document;
}

std::string Describe(const html::Document& document, const ValuePlace& place) {
  static const char* const kFits[] = {"text", "element", "attribute",
                                      "part of text", "part of element"};
  const html::NodeId element = document.IsText(place.node)
                                   ? document.node(place.node).parent
                                   : place.node;
  return StrCat(kFits[static_cast<int>(place.fit)], " in ",
                document.TagOf(element));
}

TEST(PageTextTest, Find) {
  struct Case {
    const char* label;
    const char* html;
    const char* value;
    std::vector<std::string> places;
  };
  const Case kCases[] = {
      {"whole text", "<p>Fish &amp; Chips</p>", "Fish & Chips", {"text in p"}},
      {"white space",
       "<p>\n Fish\n&amp;&nbsp;Chips </p>",
       " Fish & Chips",
       {"text in p"}},
      {"several nodes",
       "<p><b>12</b> Main <i>St</i></p>",
       "12 Main St",
       {"element in p"}},
      {"a line break without space",
       "<div>12 Main St<br>Springfield</div>",
       "12 Main St Springfield",
       {"element in div"}},
      {"in longer text",
       "<b>Our Price: $25.99</b>",
       "$25.99",
       {"part of text in b"}},
      {"over nodes in longer text",
       "<p>by <b>Ann</b> <i>Lee</i> in 1999</p>",
       "Ann Lee",
       {"part of element in p"}},
      {"several places",
       "<h1>Dune</h1><p>Dune</p><i>about Dune, 1965</i>",
       "Dune",
       {"text in h1", "text in p", "part of text in i"}},
      {"twice in a node", "<p>red, red</p>", "red", {"part of text in p"}},
      {"not inside a word",
       "<p>cart</p><p>art.</p>",
       "art",
       {"part of text in p"}},
      {"nodes end words", "<p><b>c</b><i>art</i></p>", "art", {"text in i"}},
      {"numbers are words", "<p>1999</p>", "99", {}},
      {"the title", "<title>Dune</title>", "Dune", {"text in title"}},
      {"not scripts",
       "<body><script>Dune</script><style>Dune</style>",
       "Dune",
       {}},
      {"not comments", "<p><!--Dune--></p>", "Dune", {}},
      {"nothing", "<p>x</p>", "  ", {}},
      {"letters beyond ASCII", "<p>東京都</p>", "東京", {"part of text in p"}},
      {"not inside a word with other letters",
       "<p>caf\xC3\xA9</p><p>\xC3\xA9"
       "art</p>",
       "caf",
       {}},
      {"case counts", "<p>dune</p>", "Dune", {}},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.label);
    const html::Document document = Parse(c.html);
    std::vector<std::string> found;
    for (const ValuePlace& place : PageText(document).Find(c.value, 100)) {
      found.push_back(Describe(document, place));
    }
    EXPECT_EQ(found, c.places);
  }
}

// Only of texts that say more besides.
TEST(PageTextTest, FindStopsAtTheLimit) {
  std::string html;
  for (int i = 0; i < 50; ++i) html += "<p>x of y</p>";
  for (int i = 0; i < 20; ++i) html += "<p>x</p>";
  const html::Document document = Parse(html);
  EXPECT_EQ(PageText(document).Find("x", 7).size(), 27u);
  EXPECT_TRUE(PageText(document).Find(std::string(30000, 'x'), 7).empty());
}

TEST(PageTextTest, FindAt) {
  const html::Document document =
      Parse("<p>by <b>Ann</b> Lee</p><noscript>Ann</noscript>");
  const PageText text(document);
  html::NodeId p = 0, b = 0;
  for (html::NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) == "p") p = id;
    if (document.TagOf(id) == "b") b = id;
  }
  ValuePlace place;
  EXPECT_TRUE(text.FindAt(b, "Ann", &place));
  EXPECT_EQ(place.fit, ValuePlace::Fit::kWholeElement);
  EXPECT_TRUE(text.FindAt(b + 1, " Ann ", &place));
  EXPECT_EQ(place.fit, ValuePlace::Fit::kWholeText);
  EXPECT_TRUE(text.FindAt(p, "Ann Lee", &place));
  EXPECT_EQ(place.fit, ValuePlace::Fit::kPartOfElement);
  EXPECT_FALSE(text.FindAt(b, "Lee", &place));
  EXPECT_FALSE(text.FindAt(p, "nn Lee", &place));
}

TEST(PageTextTest, NearestTextsShareWords) {
  const html::Document document = Parse(
      "<p>Directed by Ann Lee</p><p>Ann</p><p>Lee, Ann</p><p>nobody</p>"
      "<p>Lee, Ann</p>");
  const PageText text(document);
  EXPECT_THAT(text.Nearest("Ann B. Lee", 2),
              ElementsAre("Lee, Ann", "Directed by Ann Lee"));
  EXPECT_THAT(text.Nearest("zzz", 3), IsEmpty());
  const html::Document long_text = Parse("<p>Ann " + std::string(500, 'x'));
  EXPECT_EQ(PageText(long_text).Nearest("Ann", 1)[0].size(), 103u);
}

}  // namespace
}  // namespace trommel::annotation
