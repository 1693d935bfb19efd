#include "jobs/report/crawled_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/base/text.h"

namespace trommel::jobs::report {
namespace {

std::string Visible(std::string_view bytes, Place place) {
  std::string out;
  AppendVisible(bytes, place, &out);
  return out;
}

TEST(CrawledTextTest, EscapesForItsPlace) {
  struct Case {
    const char* label;
    std::string_view in, text, attribute, source;
  };
  const Case kCases[] = {
      {"plain", "a b", "a b", "a b", "a b"},
      {"markup", "<b a='\"'>&amp;", "&lt;b a=&#39;&quot;&#39;&gt;&amp;amp;",
       "&lt;b a=&#39;&quot;&#39;&gt;&amp;amp;",
       "&lt;b a=&#39;&quot;&#39;&gt;&amp;amp;"},
      {"line end", "a\nb", "a<mark>U+000A</mark>b", "a\u27E8U+000A\u27E9b",
       "a\nb"},
      {"line end of two", "a\r\nb", "a<mark>U+000D</mark><mark>U+000A</mark>b",
       "a\u27E8U+000D\u27E9\u27E8U+000A\u27E9b", "a\nb"},
      {"lone return", "a\rb", "a<mark>U+000D</mark>b", "a\u27E8U+000D\u27E9b",
       "a<mark>U+000D</mark>b"},
      {"override", "\u202Eb", "<mark>U+202E</mark>b", "\u27E8U+202E\u27E9b",
       "<mark>U+202E</mark>b"},
      {"not UTF-8", "a\xFF", "a\uFFFD", "a\uFFFD", "a\uFFFD"},
      {"empty", "", "", "", ""},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Visible(c.in, Place::kText), c.text) << c.label;
    EXPECT_EQ(Visible(c.in, Place::kAttribute), c.attribute) << c.label;
    EXPECT_EQ(Visible(c.in, Place::kSource), c.source) << c.label;
  }
}

TEST(CrawledTextTest, CutsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\u00E9";
  for (size_t max = 8; max < 40; ++max) {
    std::string cut;
    AppendCut(text, max, Place::kText, &cut);
    EXPECT_EQ(ValidUtf8Prefix(cut), cut.size()) << max;
    EXPECT_EQ(cut.find("\uFFFD"), std::string::npos) << max;
    EXPECT_THAT(cut, testing::HasSubstr("\u2026"));
    EXPECT_LE(cut.size(), max + 3) << max;
  }
}

TEST(CrawledTextTest, TipOnlyWhereTextIsCut) {
  std::string tip;
  AppendTip(std::string(kShownBytes, 'x'), &tip);
  EXPECT_EQ(tip, "");
  AppendTip(std::string(kShownBytes, 'x') + "\"", &tip);
  EXPECT_EQ(tip, " title=\"" + std::string(kShownBytes, 'x') + "&quot;\"");
}

TEST(CrawledTextTest, LinksOnlyWhatCanBeFollowed) {
  struct Case {
    const char* label;
    std::string url;
    bool is_link;
  };
  const Case kCases[] = {
      {"http", "http://a.example/?x=1&y=2", true},
      {"https", "https://a.example/", true},
      {"script", "javascript:alert(1)", false},
      {"data", "data:text/html,x", false},
      {"upper case is shown, not followed", "JavaScript:alert(1)", false},
      {"unseen", "https://a.example/\u202Egnp", false},
      {"very long", "https://a.example/" + std::string(2000, 'x'), false},
      {"empty", "", false},
  };
  for (const Case& c : kCases) {
    std::string out;
    AppendUrl(c.url, &out);
    EXPECT_EQ(out.find("<a ") != std::string::npos, c.is_link) << c.label;
  }
}

}  // namespace
}  // namespace trommel::jobs::report
