#include "core/rule/fields/text_range.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/testing/seed.h"

namespace trommel::rule::fields {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TextRangeTest, Words) {
  EXPECT_THAT(WordsOf("Our Price: $25.99"),
              ElementsAre("Our", "Price:", "$25.99"));
  EXPECT_THAT(WordsOf("one"), ElementsAre("one"));
  EXPECT_THAT(WordsOf(""), IsEmpty());
}

struct Case {
  const char* label;
  int first;
  bool first_from_end;
  int last;
  bool last_from_end;
  const char* text;
  const char* result;
};

TEST(TextRangeTest, Ranges) {
  const Case cases[] = {
      {"word 3 from the start", 3, false, 3, false, "Our Price: $25.99",
       "$25.99"},
      {"is word 1 from the end", 1, true, 1, true, "Our Price: $25.99",
       "$25.99"},
      {"several words", 1, false, 2, false, "Our Price: $25.99", "Our Price:"},
      {"from a word to the end", 2, false, 1, true, "by Ann B. Lee",
       "Ann B. Lee"},
      {"the whole text", 1, false, 1, true, "a b c", "a b c"},
      {"all but the last", 1, false, 2, true, "a b c", "a b"},
      {"too few words", 4, false, 4, false, "a b c", ""},
      {"too few from the end", 4, true, 1, true, "a b c", ""},
      {"ends before it begins", 3, false, 3, true, "a b c", ""},
      {"no words", 1, false, 1, true, "", ""},
  };
  for (const Case& c : cases) {
    proto::TextRange range;
    range.set_first(c.first);
    range.set_first_from_end(c.first_from_end);
    range.set_last(c.last);
    range.set_last_from_end(c.last_from_end);
    ASSERT_TRUE(CheckRange(range).ok()) << c.label;
    const std::vector<std::string_view> values = ApplyRange(range, c.text);
    EXPECT_EQ(values.empty() ? "" : values[0], c.result) << c.label;
    EXPECT_LE(values.size(), 1u) << c.label;
  }
}

proto::TextRange RangeOf(const std::string& text) {
  proto::TextRange range;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &range))
      << text;
  return range;
}

TEST(TextRangeTest, Delimiters) {
  const struct {
    const char* label;
    const char* range;
    const char* text;
    std::vector<std::string> values;
  } cases[] = {
      {"between two",
       "after { literal: 'by ' } before { literal: ',' }",
       "by Anna Smith, editor",
       {"Anna Smith"}},
      {"to the end",
       "after { literal: 'Our Price: ' }",
       "Our Price: $25.99",
       {"$25.99"}},
      {"from the beginning", "before { literal: '/' }", "3.5/5 stars", {"3.5"}},
      {"in brackets",
       "after { literal: '(' } before { literal: ')' }",
       "Alien (1979), thriller (US)",
       {"1979"}},
      {"the last one in front",
       "after { literal: '(' from_end: true } before { literal: ')' }",
       "Alien (1979), thriller (US)",
       {"US"}},
      {"the last one behind",
       "before { literal: ' - ' from_end: true }",
       "Kodak - V530 - Buy.com",
       {"Kodak - V530"}},
      {"the one behind stands behind the one in front",
       "after { literal: 'by ' } before { literal: ',' }",
       "Dune, by Frank Herbert, 1965",
       {"Frank Herbert"}},
      {"without white space around",
       "after { literal: 'Runtime:' } before { literal: 'min' }",
       "Runtime: 112 min",
       {"112"}},
      {"touching digits",
       "after { literal: 'Runtime:' } before { literal: 'min' }",
       "Runtime:112min",
       {"112"}},
      {"not inside of a word",
       "after { literal: 'by ' }",
       "Standby lamp by Philips",
       {"Philips"}},
      {"not inside of a number",
       "before { literal: ',' }",
       "$1,299.00, as new",
       {"$1,299.00"}},
      {"white space may end a value, but not where it begins",
       "after { literal: 'Price:' } before { literal: ' ' }",
       "Price: $5 each",
       {"$5"}},
      {"one in front is missing", "after { literal: 'by ' }", "Ann", {}},
      {"one behind is missing", "before { literal: ',' }", "Ann", {}},
      {"one behind stands in front only",
       "after { literal: 'by ' } before { literal: ',' }",
       "Dune, by Frank Herbert",
       {}},
      {"one in front may be missing",
       "after { literal: 'by ' may_be_missing: true }",
       "Ann",
       {"Ann"}},
      {"one behind may be missing",
       "after { literal: 'by ' } before { literal: ',' may_be_missing: true }",
       "by Ann Lee",
       {"Ann Lee"}},
      {"one that may be missing and is not",
       "after { literal: 'by ' } before { literal: ',' may_be_missing: true }",
       "by Ann Lee, editor",
       {"Ann Lee"}},
      {"nothing between them",
       "after { literal: '(' } before { literal: ')' }",
       "Alien ( )",
       {}},
      {"nothing behind", "after { literal: 'by' }", "by", {}},
      {"no text", "before { literal: ',' may_be_missing: true }", "", {}},
      {"a list",
       "after { literal: 'Authors: ' } separator: ', ' separator: ' and '",
       "Authors: A, B and C",
       {"A", "B", "C"}},
      {"of the separators at one place the longest",
       "separator: ', ' separator: ', and '",
       "A, B, and C",
       {"A", "B", "C"}},
      {"a list of one", "separator: ' / '", "Drama", {"Drama"}},
      {"blank values are none", "separator: ','", "A, , B,", {"A", "B"}},
      {"separators are not inside of words",
       "separator: 'x'",
       "10x20 x box",
       {"10", "20", "box"}},
      {"the list ends",
       "before { literal: '(' } separator: '|'",
       "A | B (C | D)",
       {"A", "B"}},
      {"no-break spaces are gone, thin ones are marks",
       "before { literal: '\u2009km' }",
       "7\u2009km",
       {"7"}},
      {"dashes of all kinds",
       "before { literal: ' \u2014 ' }",
       "Dune \u2013 II \u2014 Shop",
       {"Dune \u2013 II"}},
      {"Chinese",
       "after { literal: '作者：' } before { literal: '著' }",
       "作者：张三著",
       {"张三"}},
      {"Arabic",
       "after { literal: 'السعر: ' }",
       "السعر: ١٢٣ ريال",
       {"١٢٣ ريال"}},
  };
  for (const auto& c : cases) {
    const proto::TextRange range = RangeOf(c.range);
    ASSERT_TRUE(CheckRange(range).ok()) << c.label;
    const std::vector<std::string_view> found = ApplyRange(range, c.text);
    EXPECT_EQ(std::vector<std::string>(found.begin(), found.end()), c.values)
        << c.label;
  }
}

TEST(TextRangeTest, RangesThatSayNothingOrTooMuch) {
  const struct {
    const char* range;
    const char* problem;
  } cases[] = {
      {"", "counts words from 1"},
      {"first: 1", "counts words from 1"},
      {"first: -1 last: 1", "counts words from 1"},
      {"last: 2", "counts words from 1"},
      {"first: 1 last: 1 after { literal: 'x' }", "not of both"},
      {"first: 1 last: 1 separator: ','", "not of both"},
      {"after { }", "empty"},
      {"after { literal: 'x' } before { from_end: true }", "empty"},
      {"separator: ''", "empty"},
  };
  for (const auto& c : cases) {
    const absl::Status status = CheckRange(RangeOf(c.range));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.range;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.problem))
        << c.range;
  }
}

// Whatever the range and the text, values are parts of the text, in its order,
// with nothing of the one in the other and no white space around.
TEST(TextRangeTest, ValuesArePartsOfTheText) {
  Random random(testing_support::TestSeed(912));
  const auto any_text = [&](int64_t max_pieces) {
    const std::vector<std::string> pieces = {
        "a", "by", ",", ".", " ", "12", "-", "\u2014", "价", "é", "\xFF"};
    std::string text;
    for (int64_t i = random.Between(1, max_pieces); i > 0; --i) {
      text += pieces[random.Below(pieces.size())];
    }
    return text;
  };
  size_t num_values = 0;
  for (int round = 0; round < 20000; ++round) {
    proto::TextRange range;
    const auto add = [&](proto::Delimiter* delimiter) {
      delimiter->set_literal(any_text(2));
      delimiter->set_from_end(random.Chance(0.5));
      delimiter->set_may_be_missing(random.Chance(0.5));
    };
    if (random.Chance(0.6)) add(range.mutable_after());
    if (random.Chance(0.6)) add(range.mutable_before());
    while (random.Chance(0.3)) range.add_separator(any_text(2));
    if (!CheckRange(range).ok()) continue;
    const std::string text = any_text(20);
    size_t end = 0;
    for (const std::string_view value : ApplyRange(range, text)) {
      ASSERT_FALSE(value.empty());
      const size_t begin = static_cast<size_t>(value.data() - text.data());
      ASSERT_GE(begin, end) << text << "\n" << range.DebugString();
      end = begin + value.size();
      ASSERT_LE(end, text.size());
      ASSERT_NE(value.front(), ' ');
      ASSERT_NE(value.back(), ' ');
      ++num_values;
    }
  }
  EXPECT_GT(num_values, 5000u);
}

// A list that has one of its separators only at the end is not looked through
// again for every value.
TEST(TextRangeTest, LongListsTakeNoLongerThanTheyAre) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "a, ";
  text += "b and c";
  EXPECT_EQ(
      ApplyRange(RangeOf("separator: ', ' separator: ' and ' separator: '|'"),
                 text)
          .size(),
      200002u);
}

}  // namespace
}  // namespace trommel::rule::fields
