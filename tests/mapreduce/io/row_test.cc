#include "mapreduce/io/row.h"

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "mapreduce/io/row_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing::HasSubstr;
using testing_support::TempDir;

constexpr int kRows = 1000;

// Columns text, count, time and nothing (all null); every third row has nulls.
Path WriteSample(const TempDir& dir, int num_rows) {
  const auto schema = arrow::schema(
      {arrow::field("text", arrow::utf8()),
       arrow::field("count", arrow::int64()),
       arrow::field("time", arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
       arrow::field("nothing", arrow::utf8())});
  auto writer = RowWriter::Create(*ResolvePath(dir / "t"), schema, {});
  EXPECT_TRUE(writer.ok()) << writer.status();
  for (int i = 0; i < num_rows; ++i) {
    if (i % 3 == 0) {
      (*writer)->Null().Null().Null().Null();
    } else {
      (*writer)->Text(StrCat("row ", i)).Int64(-i).Time(i).Null();
    }
    EXPECT_TRUE((*writer)->EndRow().ok());
  }
  EXPECT_TRUE((*writer)->Close().ok());
  return *ResolvePath(dir / "t/part-00000.parquet");
}

TEST(RowReader, ReadsEveryRowWhateverTheBatches) {
  const TempDir dir;
  const Path file = WriteSample(dir, kRows);
  for (const int64_t max_batch_rows : {1, 7, 999, 1000, 65536}) {
    SCOPED_TRACE(max_batch_rows);
    TableReader::Options options;
    options.max_batch_rows = max_batch_rows;
    // In another order than the file's, with a column that it lacks.
    auto reader = RowReader::Open(file,
                                  {{"time", ColumnType::kTimestamp},
                                   {"absent", ColumnType::kInt64, false},
                                   {"text"},
                                   {"nothing"},
                                   {"count", ColumnType::kInt64}},
                                  options);
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ((*reader)->num_rows(), kRows);
    Row row;
    for (int i = 0; i < kRows; ++i) {
      const auto more = (*reader)->Next(&row);
      ASSERT_TRUE(more.ok()) << more.status();
      ASSERT_TRUE(*more);
      const bool null = i % 3 == 0;
      EXPECT_EQ(row.is_null(0), null);
      EXPECT_EQ(row.int64(0), null ? 0 : i);
      EXPECT_TRUE(row.is_null(1));
      EXPECT_EQ(row.int64(1), 0);
      EXPECT_EQ(row.is_null(2), null);
      EXPECT_EQ(row.bytes(2), null ? "" : StrCat("row ", i));
      EXPECT_TRUE(row.is_null(3));
      EXPECT_EQ(row.bytes(3), "");
      EXPECT_EQ(row.is_null(4), null);
      EXPECT_EQ(row.int64(4), null ? 0 : -i);
    }
    for (int again = 0; again < 2; ++again) {
      const auto more = (*reader)->Next(&row);
      ASSERT_TRUE(more.ok()) << more.status();
      EXPECT_FALSE(*more);
    }
  }
}

TEST(RowReader, EmptyTable) {
  const TempDir dir;
  auto reader = RowReader::Open(WriteSample(dir, 0), {{"text"}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->num_rows(), 0);
  Row row;
  EXPECT_FALSE(*(*reader)->Next(&row));
}

TEST(RowReader, ErrorsNameFileAndColumn) {
  const TempDir dir;
  const Path file = WriteSample(dir, 3);
  struct Case {
    const char* label;
    ColumnRequest request;
    std::string expected;
  };
  const Case cases[] = {
      {"missing", {"url"}, "\"url\" is missing"},
      {"text as a number", {"text", ColumnType::kInt64}, "\"text\""},
      {"a number as text", {"count"}, "\"count\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const auto reader = RowReader::Open(file, {c.request}, {});
    ASSERT_FALSE(reader.ok());
    EXPECT_THAT(
        std::string(reader.status().message()),
        testing::AllOf(HasSubstr("part-00000.parquet"), HasSubstr(c.expected)));
  }
}

}  // namespace
}  // namespace trommel::io
