#include "jobs/cli/text_table.h"

#include <gtest/gtest.h>

namespace trommel::jobs::cli {
namespace {

TEST(TextTable, ColumnsAreAsWideAsWhatIsInThem) {
  TextTable table({TextTable::Left("site"), TextTable::Right("pages", 6),
                   TextTable::Left("why", 0, /*gap=*/2)});
  table.Add("films.example", 12, "new");
  table.AddLine("... and 7 more, which are not shown at all");
  table.Add("a", 1234567, "");
  EXPECT_EQ(table.Text(),
            "site            pages  why\n"
            "films.example      12  new\n"
            "... and 7 more, which are not shown at all\n"
            "a             1234567  \n");
}

TEST(TextTable, RowsMayEndEarlyAndHeadersBeMissing) {
  TextTable table(
      {TextTable::Left(""), TextTable::Left("", 4), TextTable::Right("", 3)});
  table.Add(" ", "ab", 1);
  table.Add(" ", "abc");
  EXPECT_EQ(table.Text(),
            "  ab     1\n"
            "  abc\n");
}

TEST(TextTable, ACellCannotBreakItsRow) {
  TextTable table({TextTable::Left("site"), TextTable::Right("pages")});
  table.Add("a\nforged 1000", 1);
  table.Add("\x1b[2J\u009B", 2);
  EXPECT_EQ(table.Text(),
            "site            pages\n"
            "a\\nforged 1000      1\n"
            "\\u001b[2J\\u009b     2\n");
}

}  // namespace
}  // namespace trommel::jobs::cli
