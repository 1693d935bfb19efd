#include "core/base/civil_date.h"

#include <gtest/gtest.h>

namespace trommel {
namespace {

TEST(CivilDateTest, DatesAreWrittenInFull) {
  struct Case {
    const char* text;
    bool is_date;
  };
  const Case cases[] = {
      {"2026-01-31", true}, {"2024-02-29", true},   {"2026-02-30", false},
      {"2026-1-5", false},  {"2026-01-31 ", false}, {"20260131", false},
      {"", false},          {"yesterday!", false},
  };
  for (const Case& c : cases) {
    absl::CivilDay day;
    EXPECT_EQ(ParseDate(c.text, &day), c.is_date) << c.text;
  }
  absl::CivilDay first, last;
  ASSERT_TRUE(ParseDate("2026-02-27", &first));
  ASSERT_TRUE(ParseDate("2026-03-02", &last));
  EXPECT_EQ(last - first, 3);
}

}  // namespace
}  // namespace trommel
