#include "core/html/text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/html/parser.h"

namespace trommel::html {
namespace {

Document Parse(std::string_view html) {
  Document document;
  EXPECT_EQ(MakeParser(ParserKind::kLexbor, {})->ParseUtf8(html, &document),
            ParseOutcome::kOk);
  return document;
}

TEST(TextTest, Table) {
  struct Case {
    const char* label;
    std::string_view html, normalized, visible;
  };
  const Case kCases[] = {
      {"empty", "", "", ""},
      {"plain", "<p>one two</p>", "one two", "one two"},
      {"collapsed", "<p>  one \n two\t</p>", "one two", "one two"},
      {"inline elements join", "<p>a<b>b</b>c</p>", "abc", "abc"},
      {"blocks separate visible text only", "<div>a</div><div>b</div>", "ab",
       "a b"},
      {"a gap between elements separates", "<b>a</b> <b>b</b>", "a b", "a b"},
      {"line break", "a<br>b", "ab", "a b"},
      {"cells", "<table><tr><td>a<td>b</table>", "ab", "a b"},
      {"end of a block", "<div>a</div>b", "ab", "a b"},
      {"nested blocks end together", "<ul><li>a</li></ul>b", "ab", "a b"},
      {"script and style", "a<script>x</script><style>y</style>b", "axyb",
       "ab"},
      {"space before a hidden element", "a <script>x</script>b", "a xb", "a b"},
      {"gap after a hidden element", "a<script>x</script> <b>b</b>", "ax b",
       "a b"},
      {"head", "<title>t</title><body>b", "tb", "b"},
      {"template", "a<template>t</template>b", "atb", "ab"},
      {"noscript", "a<noscript><p>n</p></noscript>b", "anb", "ab"},
      {"comments are no text", "a<!-- x -->b", "ab", "ab"},
      {"no-break space", "a&nbsp;&nbsp;b&nbsp;", "a b", "a b"},
      {"entity", "a &lt; b", "a < b", "a < b"},
      {"image separates", "a<img>b", "ab", "a b"},
  };
  for (const Case& c : kCases) {
    const Document document = Parse(c.html);
    EXPECT_EQ(NormalizedText(document, 0), c.normalized) << c.label;
    EXPECT_EQ(VisibleText(document, 0), c.visible) << c.label;
  }
}

TEST(TextTest, OfOneNode) {
  const Document document =
      Parse("<body><p>a <b> b </b>c</p><script>s</script>");
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) == "b") {
      EXPECT_EQ(NormalizedText(document, id), "b");
      EXPECT_EQ(NormalizedText(document, id + 1), "b");
      EXPECT_EQ(VisibleText(document, id + 1), "b");
    }
    // The root itself may be hidden.
    if (document.TagOf(id) == "script") {
      EXPECT_EQ(VisibleText(document, id), "s");
    }
  }
}

TEST(TextTest, SpaceBeforeTheRootDoesNotCount) {
  const Document document = Parse("<p>a</p> <p>b</p>");
  for (NodeId id = 1; id < document.num_nodes(); ++id) {
    if (document.TagOf(id) == "p") {
      EXPECT_EQ(NormalizedText(document, id).size(), 1u);
      EXPECT_EQ(VisibleText(document, id).size(), 1u);
    }
  }
}

TEST(TextTest, HiddenElements) {
  EXPECT_TRUE(IsHiddenElement(names::k_script));
  EXPECT_TRUE(IsHiddenElement(names::k_head));
  EXPECT_FALSE(IsHiddenElement(names::k_p));
  EXPECT_FALSE(IsHiddenElement(names::kNone));
}

}  // namespace
}  // namespace trommel::html
