#include "core/base/strings.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace trommel {
namespace {

TEST(StringsTest, ConvertsViewsBothWays) {
  const std::string text("a\0b", 3);
  EXPECT_EQ(ToStd(ToAbsl(text)), text);
  EXPECT_EQ(ToStd(absl::string_view()), "");
  EXPECT_EQ(ToAbsl(text).data(), text.data());
}

TEST(StringsTest, StrCatTakesEveryKindOfPart) {
  const std::string string = "s";
  EXPECT_EQ(StrCat(std::string_view("v"), string, "c", 1, uint64_t{2}, 0.5,
                   absl::string_view("a")),
            "vsc120.5a");
  EXPECT_EQ(StrCat(), "");
}

TEST(StringsTest, StrAppendAppends) {
  std::string out = "a";
  StrAppend(&out, std::string_view("b"), 3);
  EXPECT_EQ(out, "ab3");
}

TEST(Counted, PutsOneInTheSingular) {
  EXPECT_EQ(Counted(0, "page"), "0 pages");
  EXPECT_EQ(Counted(1, "page"), "1 page");
  EXPECT_EQ(Counted(2, "page"), "2 pages");
}

TEST(GroupedTest, Table) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(-1234567), "-1,234,567");
  EXPECT_EQ(GroupedCount(1, "page"), "1 page");
  EXPECT_EQ(GroupedCount(12345, "page"), "12,345 pages");
}

}  // namespace
}  // namespace trommel
