#include "core/rule/fields/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"

namespace trommel::rule::fields {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr size_t kNone = std::string_view::npos;

TEST(TokensTest, TokensOf) {
  EXPECT_THAT(TokensOf("by Ann, 3.5/5"),
              ElementsAre("by", " ", "Ann", ",", " ", "3.5", "/", "5"));
  EXPECT_THAT(TokensOf("$1,299.00!"), ElementsAre("$", "1,299.00", "!"));
  EXPECT_THAT(TokensOf("12,a.5"), ElementsAre("12", ",", "a", ".", "5"));
  EXPECT_THAT(TokensOf("112min"), ElementsAre("112", "min"));
  EXPECT_THAT(TokensOf("a - b"), ElementsAre("a", " ", "-", " ", "b"));
  EXPECT_THAT(TokensOf("--"), ElementsAre("-", "-"));
  EXPECT_THAT(TokensOf("caf\u00E9\u2014\u00FCber"),
              ElementsAre("caf\u00E9", "\u2014", "\u00FCber"));
  EXPECT_THAT(TokensOf("作者：张三"),
              ElementsAre("作", "者", "：", "张", "三"));
  EXPECT_THAT(TokensOf("السعر: ١٢٣"), ElementsAre("السعر", ":", " ", "١٢٣"));
  EXPECT_THAT(TokensOf(""), IsEmpty());
}

TEST(TokensTest, FindLiteral) {
  const struct {
    const char* label;
    const char* text;
    const char* literal;
    size_t first;
    size_t last;
  } cases[] = {
      {"once", "by Ann", "by", 0, 0},
      {"several", "by Ann by Bo", "by ", 0, 7},
      {"not inside of a word", "standby Ann by Bo", "by", 12, 12},
      {"nor at the beginning of one", "bygone by Bo", "by", 7, 7},
      {"a mark beside words", "a,b,c", ",", 1, 3},
      {"not inside of a number", "1,299.00, sold", ",", 8, 8},
      {"a number that ends the literal", "5 of 55 of 5", "of 5", 8, 8},
      {"a number that goes on with a point", "of 5.5, of 5.", "of 5", 8, 8},
      {"a number that begins before", "3.5 stars 5 stars", "5 stars", 10, 10},
      {"digits beside letters", "112min", "min", 3, 3},
      {"ideographs may stand beside letters", "价格USD格", "格", 3, 9},
      {"letters not beside ideographs", "价格USD", "USD", kNone, kNone},
      {"accents are letters", "caf\u00E9s caf\u00E9", "caf", kNone, kNone},
      {"overlapping", "- - -", "- -", 0, 2},
      {"none", "abc", "x", kNone, kNone},
      {"longer than the text", "a", "a b", kNone, kNone},
      {"empty", "a", "", kNone, kNone},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(FindLiteral(c.text, c.literal, 0, false), c.first) << c.label;
    EXPECT_EQ(FindLiteral(c.text, c.literal, 0, true), c.last) << c.label;
  }
  EXPECT_EQ(FindLiteral("by by", "by", 1, false), 3u);
  EXPECT_EQ(FindLiteral("by by", "by", 4, true), kNone);
}

TEST(TokensTest, TokensMakeTheTextWhateverItIs) {
  Random random(testing_support::TestSeed(911));
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int64_t i = random.Between(0, 12); i > 0; --i) {
      constexpr std::string_view kBytes = "a1., \xC2\xA9\xE4\xBD\xA0";
      text.push_back(random.Chance(0.5) ? static_cast<char>(random.Below(256))
                                        : kBytes[random.Below(kBytes.size())]);
    }
    std::string joined;
    for (const std::string_view token : TokensOf(text)) {
      EXPECT_FALSE(token.empty());
      joined += token;
    }
    ASSERT_EQ(joined, text);
    // And a literal is where it is found.
    const std::string_view literal = std::string_view(text)
                                         .substr(random.Below(text.size() + 1))
                                         .substr(0, 2);
    for (const bool last : {false, true}) {
      const size_t place = FindLiteral(text, literal, 0, last);
      if (place == kNone) continue;
      ASSERT_EQ(std::string_view(text).substr(place, literal.size()), literal);
    }
  }
}

}  // namespace
}  // namespace trommel::rule::fields
