#include "core/words/page_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "tests/testing/markup_soup.h"
#include "tests/testing/seed.h"
#include "tests/testing/walls.h"

namespace trommel::words {
namespace {

using std::string_view_literals::operator""sv;

PageWords WordsOf(std::string_view html, std::string_view url = "",
                  std::string_view charset = "utf-8") {
  // In memory of its own size, for sanitizers to see who reads behind it.
  const auto copy = std::make_unique<char[]>(html.size());
  std::copy(html.begin(), html.end(), copy.get());
  const std::string_view page(copy.get(), html.size());
  WordCollector collector;
  collector.Begin(url, page);
  html::ScanTags(page, collector);
  return collector.Take(html::Encoding::FromLabel(charset));
}

TEST(PageWordsTest, WhatCounts) {
  struct Case {
    const char* label;
    std::string_view html;
    int64_t words;
    std::string_view url = "";
  };
  const Case kCases[] = {
      {"nothing", "", 0},
      {"tags alone", "<p></p> \n <br>", 0},
      {"words", "<p>one two three</p>", 3},
      {"the same twice", "<p>one</p><p>ONE one, (one) one's</p>", 2},
      {"across tags", "<p>one<b>two</b>three", 3},
      {"without end", "<p>one two", 2},
      {"less-than", "<p>one < two <3 three", 4},
      {"comments, scripts and styles do not",
       "<!-- a b --><script>c d</script><style>e</style><textarea>f</textarea>"
       "one",
       1},
      {"noscript counts", "<noscript>one two</noscript>", 2},
      {"numbers that stand alone", "<p>17 and 25.99 and 1,234", 6},
      {"long numbers", "<p>123456 and 9780141439518", 1},
      {"times and dates", "<p>2026-11-18T20:12:19.250Z 20:12 1/2/2026", 0},
      {"addresses", "<p>10.20.30.40 version 1.2", 3},
      {"ids", "<p>7d3fabef99 a1 b2c3 #77 x_12", 1},
      {"ids of letters", "<p>kqzvxwrtplmnhj aBcDeFgHiJkLmN", 0},
      {"long runs of letters", "<p>abababababababababababababababa", 0},
      {"long words", "<p>internationally straightforward", 2},
      {"words of the URL", "<p>Blue Widget shop", 1,
       "http://www.a.example/blue-widget?x=1"},
      {"words of the URL, escaped", "<p>caf\xC3\xA9 noir", 1,
       "http://a.example/caf%C3%A9"},
      {"words of the title", "<title>Blue Widget</title><p>BLUE widget shop",
       1},
      {"other scripts", "<p>\xD0\xB4\xD0\xB0 \xD0\xBD\xD0\xB5\xD1\x82", 2},
      {"numbers within other scripts",
       "<p>\xE4\xB8\xAD\xE6\x96\x87"
       "12"
       "\xE4\xB8\xAD\xE6\x96\x87",
       1},
      {"characters by number", "<p>&#20013;&#25991; &#20013;", 2},
  };
  for (const Case& c : kCases) {
    const PageWords words = WordsOf(c.html, c.url);
    EXPECT_EQ(words.count, c.words) << c.label;
    EXPECT_EQ(words.sample.size(), static_cast<size_t>(c.words)) << c.label;
  }
}

TEST(PageWordsTest, Openings) {
  struct Case {
    const char* label;
    std::string html;
    std::string opening;
    std::string_view charset = "utf-8";
  };
  std::string long_text, numbers;
  for (int i = 0; i < 40; ++i) long_text += "verify ";
  Random random(3);
  const Case kCases[] = {
      {"nothing", "<p> </p>", ""},
      {"text", "<title>T</title><h1> Please \n verify</h1><p>now",
       "Please verify now"},
      {"within a line", "<p>very<b>ify</b> <i>1</i>2", "veryify 12"},
      {"behind blocks of white space", "<div>\n  <p>a</p>\n  <p>b</p>", "a b"},
      {"references", "<p>R&amp;D &lt;b&gt; caf&eacute;&nbsp;x",
       "R&D <b> caf\xC3\xA9 x"},
      {"another charset", "<p>caf\xE9", "caf\xC3\xA9", "windows-1252"},
      {"bad UTF-8", "<p>caf\xC3 x", "caf\xEF\xBF\xBD x"},
      {"whole words", StrCat("<p>", long_text),
       long_text.substr(0, 7 * 17 - 1)},
      {"one long word", StrCat("<p>", std::string(300, 'x'), " a"),
       std::string(120, 'x')},
      {"too many words",
       StrCat("<p>", testing_support::RandomWords(&random, 2000)), ""},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(WordsOf(c.html, "", c.charset).opening, c.opening) << c.label;
  }
}

TEST(PageWordsTest, TheSampleIsTheSmallestHashesOfAllWords) {
  Random random(testing_support::TestSeed(32));
  std::string html;
  std::vector<uint32_t> hashes;
  for (int i = 0; i < 900; ++i) {
    const std::string word = StrCat(testing_support::RandomWord(&random),
                                    testing_support::RandomWord(&random));
    StrAppend(&html, "<p>", word);
    const PageWords alone = WordsOf("<p>" + word);
    ASSERT_EQ(alone.count, 1) << word;
    hashes.push_back(alone.sample[0]);
  }
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  const PageWords words = WordsOf(html);
  EXPECT_EQ(words.count, static_cast<int64_t>(hashes.size()));
  hashes.resize(PageWords::kSampledWords);
  EXPECT_EQ(words.sample, hashes);
}

TEST(PageWordsTest, ManyWordsAreEstimated) {
  Random random(testing_support::TestSeed(33));
  for (const int pairs : {1000, 5000, 40000}) {
    std::string html;
    for (int i = 0; i < pairs; ++i) {
      StrAppend(&html, testing_support::RandomWord(&random),
                testing_support::RandomWord(&random), " ");
    }
    const PageWords words = WordsOf(html);
    EXPECT_NEAR(static_cast<double>(words.count), pairs, 0.2 * pairs);
    EXPECT_EQ(words.sample.size(), PageWords::kSampledWords);
  }
}

TEST(PageWordsTest, SamplesAreStored) {
  const PageWords words = WordsOf("<p>one two three");
  const auto read =
      PageWords::FromParts(words.count, words.SampleBytes(), words.opening);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, words);
  EXPECT_FALSE(PageWords::FromParts(3, "12345", "").ok());
  EXPECT_FALSE(PageWords::FromParts(1, "12345678", "").ok());
  EXPECT_FALSE(PageWords::FromParts(-1, "", "").ok());
  EXPECT_FALSE(PageWords::FromParts(900, std::string(400, 'x'), "").ok());
}

// Samples are compared with those of other days and releases.
TEST(PageWordsTest, HashesAreStable) {
  EXPECT_EQ(WordsOf("<p>Please verify you are human").sample,
            std::vector<uint32_t>(
                {918095370, 1681662032, 1937058490, 3395394682, 4244134016}));
}

TEST(PageWordsProperty, AnyBytesGiveWordsAndAnOpeningInUtf8) {
  Random random(testing_support::TestSeed(34));
  WordCollector collector;
  for (int round = 0; round < 3000; ++round) {
    const std::string html =
        testing_support::MarkupSoup(&random, 1 + random.Below(60));
    const PageWords words = WordsOf(html, html);
    EXPECT_EQ(ValidUtf8Prefix(words.opening), words.opening.size());
    EXPECT_TRUE(std::is_sorted(words.sample.begin(), words.sample.end()));
    EXPECT_LE(words.sample.size(), static_cast<size_t>(words.count));
    // A collector forgets its last page.
    collector.Begin(html, html);
    html::ScanTags(html, collector);
    EXPECT_EQ(collector.Take(html::Encoding::FromLabel("utf-8")), words);
  }
}

}  // namespace
}  // namespace trommel::words
