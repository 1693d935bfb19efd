#include "mapreduce/io/visit_rows.h"

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/strings.h"
#include "mapreduce/io/row_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

TEST(VisitRowsTest, AllFilesInOrderUntilAnError) {
  testing_support::TempDir temp;
  for (int file = 0; file < 2; ++file) {
    auto writer = RowWriter::Create(
        *ResolvePath(StrCat(temp / "table", "/", file)),
        arrow::schema({arrow::field("n", arrow::int64(), false)}), {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    for (int i = 0; i < 3; ++i) {
      (*writer)->Int64(10 * file + i);
      ASSERT_TRUE((*writer)->EndRow().ok());
    }
    ASSERT_TRUE((*writer)->Close().ok());
  }
  const Path table = *ResolvePath(temp / "table");
  std::vector<int64_t> seen;
  const auto visit = [&](const Row& row) {
    seen.push_back(row.int64(0));
    return row.int64(0) == 11 ? absl::AbortedError("enough") : absl::OkStatus();
  };
  const absl::Status status =
      VisitRows(table, {{"n", ColumnType::kInt64}}, visit);
  EXPECT_EQ(status, absl::AbortedError("enough"));
  EXPECT_THAT(seen, testing::ElementsAre(0, 1, 2, 10, 11));
  EXPECT_FALSE(VisitRows(table, {{"m", ColumnType::kInt64}}, visit).ok());
  EXPECT_FALSE(
      VisitRows(table.Child("nowhere"), {{"n", ColumnType::kInt64}}, visit)
          .ok());
}

}  // namespace
}  // namespace trommel::io
