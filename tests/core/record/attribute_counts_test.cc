#include "core/record/attribute_counts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace trommel::record {
namespace {

using Values = std::vector<std::string>;

TEST(AttributeCounts, OneRecord) {
  struct Case {
    const char* label;
    Values before;
    Values now;
    AttributeCounts counts;
  };
  const Case cases[] = {
      {"nothing", {}, {}, {}},
      {"gained", {}, {"a"}, {.gained = 1}},
      {"lost", {"a"}, {}, {.had = 1, .lost = 1}},
      {"blank is lost", {"a"}, {" "}, {.had = 1, .lost = 1}},
      {"same", {"a"}, {"a"}, {.had = 1, .same = 1, .alike = 1}},
      {"same but for space",
       {"a  b"},
       {" a b"},
       {.had = 1, .same = 1, .alike = 1}},
      {"same in another order",
       {"a", "b"},
       {"b", "a"},
       {.had = 1, .same = 1, .alike = 1}},
      {"alike", {"$9.50"}, {"$17.25"}, {.had = 1, .alike = 1}},
      {"another", {"$9.50"}, {"sold out"}, {.had = 1}},
      {"one of two", {"$9.50", "new"}, {"$9.50"}, {.had = 1}},
  };
  for (const Case& test : cases) {
    AttributeCounts counts;
    counts.Add(test.before, test.now);
    EXPECT_EQ(counts, test.counts) << test.label;
  }
}

TEST(AttributeCounts, AddUp) {
  AttributeCounts counts;
  counts.Add({"a"}, {"a"});
  counts.Add({"a"}, {});
  counts.Add({}, {"a"});
  EXPECT_EQ(counts,
            (AttributeCounts{
                .had = 2, .lost = 1, .gained = 1, .same = 1, .alike = 1}));
  EXPECT_EQ(counts.kept(), 1);
}

TEST(LayoutOf, RunsOfDigitsAndLetters) {
  EXPECT_EQ(LayoutOf("$1,299.95"), "$9,9.9");
  EXPECT_EQ(LayoutOf("May 22, 2015"), "a 9, 9");
  EXPECT_EQ(LayoutOf("Zoë"), "a");
  EXPECT_EQ(LayoutOf(""), "");
}

}  // namespace
}  // namespace trommel::record
