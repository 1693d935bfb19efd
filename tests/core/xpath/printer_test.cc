#include "core/xpath/printer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/xpath/parser.h"

namespace trommel::xpath {
namespace {

TEST(PrinterTest, Literals) {
  struct Case {
    std::string_view text, printed;
  };
  const Case kCases[] = {
      {"", "\"\""},
      {"a", "\"a\""},
      {"it's", "\"it's\""},
      {"5\" disk", "'5\" disk'"},
      {"a'b\"c", "concat(\"a'b\", '\"c')"},
      {"\"'", "concat('\"', \"'\")"},
      {"'\"'\"", "concat(\"'\", '\"', \"'\", '\"')"},
  };
  for (const Case& c : kCases) EXPECT_EQ(QuoteLiteral(c.text), c.printed);
}

// All strings of quotes and a letter, up to six long, come back.
TEST(PrinterTest, LiteralsAreReadBack) {
  std::vector<std::string> texts = {""};
  for (size_t i = 0; i < texts.size(); ++i) {
    const LocationPath path =
        Anywhere({ChildStep("a", {AttributeIs("b", texts[i])})});
    const absl::StatusOr<LocationPath> parsed = Parse(ToString(path));
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_TRUE(*parsed == path) << texts[i];
    if (texts[i].size() == 6) continue;
    for (const char c : {'\'', '"', 'a'}) texts.push_back(texts[i] + c);
  }
  EXPECT_EQ(texts.size(), 1093u);
}

TEST(PrinterTest, WhatXmlForbidsIsReplaced) {
  const LocationPath path =
      Anywhere({ChildStep("a", {AttributeIs("b", "x\x01\xFF")})});
  EXPECT_EQ(ToString(path), "//a[@b=\"x\xEF\xBF\xBD\xEF\xBF\xBD\"]");
  EXPECT_TRUE(Parse(ToString(path)).ok());
}

TEST(PrinterTest, Helpers) {
  struct Case {
    LocationPath path;
    std::string_view printed;
  };
  const Case kCases[] = {
      {Anywhere({ChildStep("td"), ChildStep("img"), AttributeStep("src")}),
       "//td/img/@src"},
      {Anywhere({ChildStep("td", {HasAttribute("id"), AtPosition(2)})}),
       "//td[@id][2]"},
      {Anywhere({ChildStep("td", {HasClass("a")})}),
       "//td[contains(concat(\" \", normalize-space(@class), \" \"), \" a "
       "\")]"},
      {Anywhere({ChildStep(
           "td", {AnyOf({AttributeIs("a", "1"), Not(HasAttribute("b"))})})}),
       "//td[@a=\"1\" or not(@b)]"},
      {Anywhere({ChildStep("td", {AllOf({AtPosition(1), AtPosition(kLast)})})}),
       "//td[position()=1 and position()=last()]"},
      {LocationPath{false, {ChildStep("td")}, kLast}, "(td)[last()]"},
      {Anywhere({ChildStep("a:b"), AttributeStep("xmlns")}),
       "//a_x003A_b/@_x0078_mlns"},
      {Anywhere({ChildStep("xmlns")}), "//xmlns"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(ToString(c.path), c.printed);
    const absl::StatusOr<LocationPath> parsed = Parse(c.printed);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    EXPECT_TRUE(*parsed == c.path) << c.printed;
  }
}

}  // namespace
}  // namespace trommel::xpath
