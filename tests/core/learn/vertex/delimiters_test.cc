#include "core/learn/vertex/delimiters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/rule/fields/text_range.h"

namespace trommel::learn::vertex {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(DelimitersTest, OrderValues) {
  AnnotatedText text{"by Cy, Ann and Bo", {"Bo", "Cy", "Ann"}};
  ASSERT_TRUE(OrderValues(&text));
  EXPECT_THAT(text.values, ElementsAre("Cy", "Ann", "Bo"));
  AnnotatedText inside{"Anna and Ann", {"Ann", "Anna"}};
  ASSERT_TRUE(OrderValues(&inside));
  EXPECT_THAT(inside.values, ElementsAre("Anna", "Ann"));
  AnnotatedText missing{"Ann and Bo", {"Ann", "Cy"}};
  EXPECT_FALSE(OrderValues(&missing));
  AnnotatedText overlapping{"Ann Lee", {"Ann", "Ann Lee"}};
  EXPECT_FALSE(OrderValues(&overlapping));
}

// Text by text what each of the ranges cuts out, in no order.
std::set<std::vector<std::string>> Cut(
    const std::vector<proto::TextRange>& ranges,
    const std::vector<std::string>& texts) {
  std::set<std::vector<std::string>> all;
  for (const proto::TextRange& range : ranges) {
    std::vector<std::string> cut;
    for (const std::string& text : texts) {
      const auto values = rule::fields::ApplyRange(range, text);
      cut.push_back(values.empty() ? "" : std::string(values[0]));
    }
    all.insert(std::move(cut));
  }
  return all;
}

// Each of the ranges does something else to the texts that it was found by.
TEST(DelimitersTest, RangesThatDoTheSameAreOne) {
  const std::vector<AnnotatedText> annotated = {
      {"List Price: $9 Our Price: $7", {"$7"}}};
  const std::vector<std::string> others = {"List Price: $5 Our Price: $4",
                                           "Our Price: $3", "Price: $2",
                                           "List Price: $6 Price: $1"};
  const auto ranges = FindDelimiters(annotated, others);
  const auto cut = Cut(ranges, others);
  EXPECT_EQ(cut.size(), ranges.size());
  EXPECT_EQ(cut.count({"$4", "$3", "", ""}), 1u);      // after "Our Price: "
  EXPECT_EQ(cut.count({"$4", "$3", "$2", "$1"}), 1u);  // the last "Price: "
}

TEST(DelimitersTest, TheLastOneIsTriedWhereThereAreSeveral) {
  for (const proto::TextRange& range :
       FindDelimiters({{"a: b", {"b"}}}, {"c: d"})) {
    EXPECT_FALSE(range.after().from_end()) << range.ShortDebugString();
  }
  const auto ranges = FindDelimiters({{"a: b", {"b"}}}, {"a: c: d"});
  EXPECT_TRUE(std::any_of(ranges.begin(), ranges.end(), [](const auto& range) {
    return range.after().from_end();
  }));
}

TEST(DelimitersTest, WhatMayBeMissingIsMissingInAnAnnotatedText) {
  const std::vector<AnnotatedText> with = {{"by Ann, editor", {"Ann"}},
                                           {"by Bo, author", {"Bo"}}};
  for (const proto::TextRange& range : FindDelimiters(with, {"by Cy"})) {
    EXPECT_FALSE(range.before().may_be_missing()) << range.ShortDebugString();
  }
  std::vector<AnnotatedText> without = with;
  without.push_back({"by Cy", {"Cy"}});
  const auto ranges = FindDelimiters(without, {});
  EXPECT_FALSE(ranges.empty());
  for (const proto::TextRange& range : ranges) {
    EXPECT_TRUE(range.before().may_be_missing()) << range.ShortDebugString();
    EXPECT_FALSE(range.after().may_be_missing()) << range.ShortDebugString();
  }
}

TEST(DelimitersTest, Separators) {
  const auto ranges =
      FindDelimiters({{"A, B and C", {"A", "B", "C"}}, {"D", {"D"}}}, {});
  ASSERT_THAT(ranges, SizeIs(1));
  EXPECT_THAT(ranges[0].separator(), ElementsAre(" and ", ", "));
  EXPECT_FALSE(ranges[0].has_after() || ranges[0].has_before());
  // A whole text without separators is no range.
  EXPECT_THAT(FindDelimiters({{"A", {"A"}}}, {}), IsEmpty());
}

TEST(DelimitersTest, LengthRank) {
  const std::vector<std::string> texts = {"Our Price: $5", "Sale Price: $6"};
  // Two texts have these: the longer one is better.
  EXPECT_LT(LengthRank("Price: ", texts), LengthRank(": ", texts));
  // One text has these: the shorter one is.
  EXPECT_LT(LengthRank("Our ", texts), LengthRank("Our Price: ", texts));
  EXPECT_LT(LengthRank(": ", texts), LengthRank("Our ", texts));
}

}  // namespace
}  // namespace trommel::learn::vertex
