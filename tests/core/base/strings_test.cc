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

}  // namespace
}  // namespace trommel
