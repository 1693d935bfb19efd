#include "core/rule/literal_prefix.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/seed.h"

namespace trommel::rule {
namespace {

TEST(LiteralPrefix, EndsWhereTextEnds) {
  const struct {
    const char* regex;
    const char* prefix;
  } cases[] = {
      {"", ""},
      {"abc", "abc"},
      {R"(http://a\.example/item/[0-9]+)", "http://a.example/item/"},
      {"ab+", "a"},
      {"ab*c", "a"},
      {"ab?", "a"},
      {"ab{2}", "a"},
      {"a.b", "a"},
      {"a(?:b|c)d", "a"},
      {"a|b", ""},
      {"a[|]b", "a"},
      {R"(a\|b)", "a|b"},
      {R"(a\d)", "a"},
      {R"(\Qa.b\E)", ""},
      {"(?i)abc", ""},
      {"^abc", ""},
      {"ab\xC3\xA9", "ab"},
      {R"(a\?b)", "a?b"},
      {R"(a\\?b)", "a"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(LiteralPrefixOf(one.regex).text, one.prefix) << one.regex;
  }
}

// Any expression, cut anywhere in its prefix, matches as the whole does.
TEST(LiteralPrefix, WhatRemainsMatchesWhatRemains) {
  Random random(testing_support::TestSeed(41));
  const char* const parts[] = {"a",     "b",   R"(\.)",   ".", "a*",   "b?",
                               "[ab]",  "[|]", "(?:a|b)", "/", "a{2}", "|",
                               R"(\d)", "(a)", "]",       "}"};
  int64_t matches = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string regex;
    for (uint64_t i = random.Below(7); i > 0; --i) {
      regex += parts[random.Below(std::size(parts))];
    }
    const RE2 whole(regex, RE2::Quiet);
    if (!whole.ok()) continue;
    const LiteralPrefix prefix = LiteralPrefixOf(regex);
    ASSERT_EQ(prefix.ends.size(), prefix.text.size());
    const size_t cut = random.Below(prefix.text.size() + 1);
    const RE2 rest(cut == 0 ? regex : regex.substr(prefix.ends[cut - 1]),
                   RE2::Quiet);
    ASSERT_TRUE(rest.ok()) << regex;
    for (int i = 0; i < 20; ++i) {
      std::string text = random.Chance(0.7) ? prefix.text : "";
      for (uint64_t k = random.Below(5); k > 0; --k) {
        text += "ab.|/1]}"[random.Below(8)];
      }
      const bool by_parts = text.compare(0, cut, prefix.text, 0, cut) == 0 &&
                            text.size() >= cut &&
                            RE2::FullMatch(text.substr(cut), rest);
      ASSERT_EQ(RE2::FullMatch(text, whole), by_parts)
          << regex << " on " << text << ", cut at " << cut;
      matches += by_parts ? 1 : 0;
    }
  }
  EXPECT_GT(matches, 1000);
}

}  // namespace
}  // namespace trommel::rule
