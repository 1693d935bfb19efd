#include "core/rule/fields/text_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    EXPECT_EQ(ApplyRange(range, c.text), c.result) << c.label;
  }
}

}  // namespace
}  // namespace trommel::rule::fields
