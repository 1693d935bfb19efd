#include "core/html/names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trommel::html {
namespace {

TEST(NamesTest, EveryFrequentNameHasItsId) {
  std::set<std::string> seen;
  for (NameId id = 1; id < names::kFirstDynamic; ++id) {
    const std::string name(FrequentNameOf(id));
    EXPECT_EQ(FrequentName(name), id) << name;
    EXPECT_TRUE(seen.insert(name).second) << name << " is listed twice";
    for (const char c : name) {
      EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) << name;
    }
  }
  EXPECT_EQ(FrequentName("div"), NameId{names::k_div});
  EXPECT_EQ(FrequentNameOf(names::k_class), "class");
}

TEST(NamesTest, OtherNamesHaveNone) {
  for (const char* name : {"", "DIV", "divx", "di", "data-x", "xlink:href"}) {
    EXPECT_EQ(FrequentName(name), NameId{names::kNone}) << name;
  }
  EXPECT_EQ(FrequentNameOf(names::kNone), "");
}

}  // namespace
}  // namespace trommel::html
