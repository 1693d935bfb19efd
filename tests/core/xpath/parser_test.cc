#include "core/xpath/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/xpath/printer.h"
#include "tests/testing/seed.h"

namespace trommel::xpath {
namespace {

using ::testing::HasSubstr;

std::string Repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// What an expression is in canonical spelling, or the error.
std::string Canonical(std::string_view expression) {
  const absl::StatusOr<LocationPath> path = Parse(expression);
  if (!path.ok()) return std::string(ToStd(path.status().message()));
  const std::string printed = ToString(*path);
  const absl::StatusOr<LocationPath> again = Parse(printed);
  EXPECT_TRUE(again.ok()) << printed << ": " << again.status();
  if (again.ok()) {
    EXPECT_TRUE(*again == *path) << printed;
    EXPECT_EQ(ToString(*again), printed);
  }
  return printed;
}

TEST(ParserTest, CanonicalSpellingsStay) {
  for (const std::string_view expression : {
           "/html",
           "/html/body/div[3]/table[1]/tr[last()]",
           "//div",
           "//node()",
           "//text()",
           "//*",
           "//td/img/@src",
           "//@*",
           "/*//a",
           "(//a)[2]",
           "(//a)[last()]",
           "(td/a/@href)[1]",
           ".",
           "..",
           "../a",
           ".//a",
           "a//b",
           "self::a",
           "self::node()[a]",
           "parent::tr",
           "ancestor::node()",
           "ancestor::div[1]/@id",
           "descendant::a",
           "descendant-or-self::a",
           "/descendant-or-self::node()",
           "//descendant-or-self::node()/a",
           "preceding::text()[1]",
           "following::text()[1]",
           "//text",
           "//or[and or or]",
           "//div[div and not(not)]",
           "//position[position()=1 or last]",
           "//*[@id]",
           "//*[@class=\"x\"]",
           "//*[@class != \"x\"]",
           "//*[@class=\"a\" or @class=\"b\" or @class=\"c\"]",
           "//*[(@a or @b) and @c]",
           "//*[@a and @b or @c]",
           "//*[(@a or @b) or @c]",
           "//*[(@a and @b) and @c]",
           "//*[not(@a and position()=2)]",
           "//*[position()=last() or @a]",
           "//*[.=\"t\"]",
           "//*[text()=\"t\"]",
           "//*[normalize-space(.)=\"t\"]",
           "//*[normalize-space(text()) != \"\"]",
           "//*[contains(text(), \"w\")]",
           "//*[starts-with(normalize-space(.), \"w\")]",
           "//*[substring(., string-length(.) - string-length(\"w\") + 1) = "
           "\"w\"]",
           "//*[contains(concat(\" \", normalize-space(@class), \" \"), "
           "\" tok \")]",
           "//*[.='a\"b']",
           "//*[.=concat(\"a'\", '\"b')]",
           "//a_x003A_b[@xlink_x003A_href=\"x\"]/@_x0078_mlns",
           "//*[preceding::text()[normalize-space(.) != \"\"][1][.=\"P:\"]]",
           "//*[../preceding-sibling::td[1]/b[2]/text()=\"x\"]",
       }) {
    EXPECT_EQ(Canonical(expression), expression);
  }
}

TEST(ParserTest, OtherSpellings) {
  struct Case {
    std::string_view expression, canonical;
  };
  const Case kCases[] = {
      {" // td [ @class = 'navbar' ] / * / text ( ) ",
       "//td[@class=\"navbar\"]/*/text()"},
      {"/child::html/child::*", "/html/*"},
      {"//img/attribute::src", "//img/@src"},
      {"/descendant-or-self::node()/child::a", "//a"},
      {"self::node()/descendant-or-self::node()/a", ".//a"},
      {"a/parent::node()/b", "a/../b"},
      {"//a[position()=3]", "//a[3]"},
      {"//a[position()=last()]", "//a[last()]"},
      {"//a[007]", "//a[7]"},
      {"//a[((@b))]", "//a[@b]"},
      {"//a[not((@b))]", "//a[not(@b)]"},
      {"//a[normalize-space()=\"b\"]", "//a[normalize-space(.)=\"b\"]"},
      {"//a[.=concat(\"b\", 'c')]", "//a[.=\"bc\"]"},
      {"//a[.!='b']", "//a[. != \"b\"]"},
      {"(//a)[position]",
       "XPath, column 7: expected a position or last(), "
       "found 'position'"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(Canonical(c.expression), c.canonical) << c.expression;
  }
}

TEST(ParserTest, ErrorsNameTheColumnAndWhatWasExpected) {
  struct Case {
    std::string_view expression, message;
  };
  const Case kCases[] = {
      {"", "column 1: expected a name, '*', node() or text(), found the end"},
      {"/", "column 2: expected a name"},
      {"//", "column 3: expected a name"},
      {"///a", "column 3: expected a name"},
      {"//a/", "column 5: expected a name"},
      {"//a b", "column 5: expected '/', '[' or the end, found 'b'"},
      {"//a | //b", "column 5: a character that has no meaning here"},
      {"//a[", "column 5: expected a name"},
      {"//a[]", "column 5: expected a name"},
      {"//a[1", "column 6: expected ']', found the end of the expression"},
      {"//a[1 or 2]", "column 7: expected ']', found 'or'"},
      {"//a[@b or 2]", "column 11: expected a relative path"},
      {"//a[@b or last()]", "column 11: expected a relative path"},
      {"//a[0]", "column 5: expected a position from 1 to 999999999"},
      {"//a[99999999999999999999]", "column 5: expected a position from 1"},
      {"//a[1.5]", "column 6: expected ']', found '.'"},
      {"//a[-1]", "column 5: expected a name"},
      {"//a[position()<3]", "column 15: a character that has no meaning"},
      {"//a[position()=x]", "column 16: expected a position or last()"},
      {"//a[position()]", "column 15: expected '='"},
      {"//a[count(b)=1]", "column 5: expected a relative path, contains()"},
      {"//a[\"b\"=.]", "column 5: expected a relative path"},
      {"//a[@b=c]", "column 8: expected a string, found 'c'"},
      {"//a[@b=\"c]", "column 8: a string without its closing quote"},
      {"//a[@b=concat(\"c\")]", "column 18: expected ','"},
      {"//a[@b=concat(\"c\", d)]", "column 20: expected a string"},
      {"//a[//b]", "column 5: expected a relative path"},
      {"//a[/b]", "column 5: expected a relative path"},
      {"//a[not @b]", "column 9: expected ']', found '@'"},
      {"//a[not(@b]", "column 11: expected ')'"},
      {"//a[(@b]", "column 8: expected ')'"},
      {"//a[normalize-space(.)]", "column 23: expected '=' or '!='"},
      {"//a[contains(b)]", "column 15: expected ','"},
      {"//a[contains(concat(\" \", @c, \" \"), \" d \")]",
       "column 26: expected normalize-space("},
      {"//a[contains(concat(\" \", normalize-space(@c), \" \"), \"d\")]",
       "column 53: expected a word between two spaces"},
      {"//a[substring(., 2) = \"b\"]", "column 18: expected string-length("},
      {"//a[substring(., string-length(b) - string-length(\"c\") + 1) = \"c\"]",
       "column 18: expected the value and the string of substring() again"},
      {"//a[substring(., string-length(.) - string-length(\"b\") + 1) = \"c\"]",
       "column 18: expected the value and the string of substring() again"},
      {"//a[substring(., string-length(.) - string-length(\"b\") + 2) = \"b\"]",
       "column 58: expected 1, found '2'"},
      {"//@a/b", "column 5: expected nothing after an attribute"},
      {"//@a[b]", "column 5: expected nothing after an attribute"},
      {"//@text()", "column 4: expected an attribute's name or '*'"},
      {"//.[a]", "column 4: expected no predicate after '.' or '..'"},
      {"//a:b", "column 4: a character that has no meaning here"},
      {"//comment()", "column 3: expected a name, '*', node() or text()"},
      {"//namespace::a", "column 3: expected an axis such as child"},
      {"//caf\xC3\xA9", "column 3: expected a name as in the XML of a page"},
      {"//a_xfoo", "column 3: expected a name as in the XML of a page"},
      {"//@xmlns", "column 4: expected a name as in the XML of a page"},
      {"//a[@b=\"\xC3\xA9\" x", "column 12: expected ']', found 'x'"},
      {"//a[.=\"\xFF\"]", "column 8: bytes that are no UTF-8"},
      {"//a[.=\"\x01\"]", "column 8: bytes that are no UTF-8, or a character"},
      {"(//a)", "column 6: expected '['"},
      {"(//a", "column 5: expected ')'"},
      {"(//a)[1]/b", "column 9: expected the end after (...)[...]"},
      {"((//a)[1])[1]", "column 2: expected a name"},
  };
  for (const Case& c : kCases) {
    const absl::StatusOr<LocationPath> path = Parse(c.expression);
    ASSERT_FALSE(path.ok()) << c.expression;
    EXPECT_EQ(path.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(path.status().message()), HasSubstr(c.message))
        << c.expression;
  }
}

TEST(ParserTest, NestingIsBounded) {
  for (const std::string_view open : {"//a[not(", "(", "not("}) {
    for (const int count : {10, 31, 32, 33, 1000, 200000}) {
      const std::string inner = open == "//a[not("
                                    ? ""
                                    : StrCat("//a[", Repeat(open, count), "b",
                                             Repeat(")", count), "]");
      const std::string text =
          inner.empty() ? StrCat("//a", Repeat("[a", count), Repeat("]", count))
                        : inner;
      const absl::StatusOr<LocationPath> path = Parse(text);
      EXPECT_EQ(path.ok(), count < (inner.empty() ? 33 : 32)) << count;
      if (!path.ok()) {
        EXPECT_THAT(std::string(path.status().message()),
                    HasSubstr("nested deeper than 32"));
      }
    }
  }
}

TEST(ParserTest, LongExpressionsAreFine) {
  const absl::StatusOr<LocationPath> steps = Parse(Repeat("/a", 100000));
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(steps->steps.size(), 100000u);
  const absl::StatusOr<LocationPath> operands =
      Parse(StrCat("//a[b", Repeat(" or b", 100000), "]"));
  ASSERT_TRUE(operands.ok());
  EXPECT_EQ(operands->steps[1].predicates[0].operands.size(), 100001u);
  EXPECT_TRUE(Parse(StrCat("//a", Repeat("[1]", 100000))).ok());
}

// Pieces of expressions in any order: a path or an error, and what is accepted
// prints as something that is accepted as the same.
TEST(ParserTest, AnyTokensAreAPathOrAnError) {
  Random random(testing_support::TestSeed(703));
  constexpr std::string_view kPieces[] = {"/",          "//",
                                          "[",          "]",
                                          "(",          ")",
                                          ".",          "..",
                                          "@",          "*",
                                          "::",         "=",
                                          "!=",         ",",
                                          "1",          "a",
                                          "\"b\"",      "'c'",
                                          " and ",      " or ",
                                          "not(",       "-",
                                          "+",          "text()",
                                          "node()",     "last()",
                                          "position()", "contains(",
                                          "substring(", "string-length(",
                                          "concat(",    "normalize-space(",
                                          "self"};
  int accepted = 0;
  for (int round = 0; round < 200000; ++round) {
    std::string text = random.Chance(0.5) ? "//a[" : "";
    for (uint64_t count = random.Below(9); count > 0; --count) {
      text += kPieces[random.Below(std::size(kPieces))];
    }
    if (text.starts_with("//a[") && random.Chance(0.7)) text += "]";
    const absl::StatusOr<LocationPath> path = Parse(text);
    if (!path.ok()) continue;
    ++accepted;
    const std::string printed = ToString(*path);
    const absl::StatusOr<LocationPath> again = Parse(printed);
    ASSERT_TRUE(again.ok()) << text << " printed as " << printed;
    ASSERT_TRUE(*again == *path) << text << " printed as " << printed;
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace trommel::xpath
