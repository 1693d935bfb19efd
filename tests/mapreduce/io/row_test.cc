#include "mapreduce/io/row.h"

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
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

TEST(RowReader, ReadsFloatingPointNumbersAndListsOfThem) {
  const TempDir dir;
  auto writer = RowWriter::Create(
      *ResolvePath(dir / "t"),
      arrow::schema({arrow::field("share", arrow::float64()),
                     arrow::field("shares", arrow::list(arrow::float64()))}),
      {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  (*writer)->Double(0.1).Doubles({0.25, 1});
  ASSERT_TRUE((*writer)->EndRow().ok());
  (*writer)->Null().Doubles({});
  ASSERT_TRUE((*writer)->EndRow().ok());
  (*writer)->Double(0).Null();
  ASSERT_TRUE((*writer)->EndRow().ok());
  ASSERT_TRUE((*writer)->Close().ok());

  auto reader = RowReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                {{"shares", ColumnType::kDoubleList},
                                 {"share", ColumnType::kDouble},
                                 {"absent", ColumnType::kDouble, false}},
                                {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  Row row;
  ASSERT_TRUE(*(*reader)->Next(&row));
  EXPECT_EQ(row.float64(1), 0.1);
  ASSERT_EQ(row.list_size(0), 2);
  EXPECT_EQ(row.list_float64(0, 0), 0.25);
  EXPECT_EQ(row.list_float64(0, 1), 1);
  EXPECT_TRUE(row.is_null(2));
  EXPECT_EQ(row.float64(2), 0);
  ASSERT_TRUE(*(*reader)->Next(&row));
  EXPECT_TRUE(row.is_null(1));
  EXPECT_EQ(row.float64(1), 0);
  EXPECT_FALSE(row.is_null(0));
  EXPECT_EQ(row.list_size(0), 0);
  ASSERT_TRUE(*(*reader)->Next(&row));
  EXPECT_FALSE(row.is_null(1));
  EXPECT_TRUE(row.is_null(0));
}

struct Weighted {
  std::string signature;
  int64_t importance = 0;
};

// What row `number` of the table below holds, if it is not null. Every other
// row has values of its own, more than fit into a dictionary.
std::vector<Weighted> ListOf(int64_t number) {
  std::vector<Weighted> result;
  Random random(static_cast<uint64_t>(number));
  for (uint64_t i = random.Below(5); i > 0; --i) {
    result.push_back(
        {StrCat("s", random.Below(7)), static_cast<int64_t>(random.Next())});
    if (number % 2 == 1)
      result.back().signature.append(60, 'x') += StrCat(i, " ", number);
  }
  return result;
}

bool IsNullList(int64_t number) { return number % 5 == 0; }

// Columns url, signatures list<struct<signature string, importance int64>> and
// genre list<string>.
Path WriteLists(const TempDir& dir, int64_t num_rows,
                const ShardWriter::Options& options) {
  const auto schema = arrow::schema(
      {arrow::field("url", arrow::utf8()),
       arrow::field("signatures",
                    arrow::list(arrow::struct_(
                        {arrow::field("signature", arrow::utf8()),
                         arrow::field("importance", arrow::int64())}))),
       arrow::field("genre", arrow::list(arrow::utf8()))});
  auto writer = RowWriter::Create(*ResolvePath(dir / "t"), schema, options);
  EXPECT_TRUE(writer.ok()) << writer.status();
  for (int64_t number = 0; number < num_rows; ++number) {
    RowWriter& row = **writer;
    row.Text(StrCat("row ", number));
    if (IsNullList(number)) {
      row.Null().Null();
    } else {
      std::vector<std::string> genre;
      row.BeginList();
      for (const Weighted& w : ListOf(number)) {
        row.BeginStruct().Text(w.signature).Int64(w.importance).EndStruct();
        genre.push_back(w.signature);
      }
      row.EndList().Texts(genre);
    }
    EXPECT_TRUE(row.EndRow().ok());
  }
  const auto shards = (*writer)->Close();
  EXPECT_TRUE(shards.ok() && shards->size() == 1);
  return *ResolvePath(dir / "t/part-00000.parquet");
}

// Reads what WriteLists() wrote and compares.
void ExpectLists(const Path& file, int64_t num_rows,
                 const TableReader::Options& options) {
  auto reader =
      RowReader::Open(file,
                      {{"signatures.importance", ColumnType::kInt64List},
                       {"genre", ColumnType::kBytesList},
                       {"url"},
                       {"absent.field", ColumnType::kBytesList, false},
                       {"signatures.signature", ColumnType::kBytesList}},
                      options);
  ASSERT_TRUE(reader.ok()) << reader.status();
  Row row;
  for (int64_t number = 0; number < num_rows; ++number) {
    const auto more = (*reader)->Next(&row);
    ASSERT_TRUE(more.ok()) << more.status();
    ASSERT_TRUE(*more);
    ASSERT_EQ(row.bytes(2), StrCat("row ", number));
    ASSERT_TRUE(row.is_null(3));
    ASSERT_EQ(row.list_size(3), 0);
    const std::vector<Weighted> expected =
        IsNullList(number) ? std::vector<Weighted>() : ListOf(number);
    for (const size_t column : {0, 1, 4}) {
      ASSERT_EQ(row.is_null(column), IsNullList(number));
      ASSERT_EQ(row.list_size(column), static_cast<int64_t>(expected.size()));
    }
    for (size_t i = 0; i < expected.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      ASSERT_EQ(row.list_int64(0, at), expected[i].importance);
      ASSERT_EQ(row.list_bytes(1, at), expected[i].signature);
      ASSERT_EQ(row.list_bytes(4, at), expected[i].signature);
    }
  }
  const auto more = (*reader)->Next(&row);
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_FALSE(*more);
}

TEST(RowReader, ListsComeBackWhateverTheBatchesAndRowGroups) {
  constexpr int64_t kListRows = 40000;  // three batches of the writer
  struct Case {
    const char* label;
    std::function<void(ShardWriter::Options*)> change;
  };
  const Case cases[] = {
      {"one row group", [](ShardWriter::Options*) {}},
      {"a row group for each batch",
       [](ShardWriter::Options* options) { options->row_group_bytes = 1; }},
      {"no dictionaries",
       [](ShardWriter::Options* options) {
         options->plain_columns = {"signatures.list.element.signature",
                                   "genre.list.element"};
       }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const TempDir dir;
    ShardWriter::Options options;
    c.change(&options);
    const Path file = WriteLists(dir, kListRows, options);
    for (const int64_t max_batch_rows : {97, 4096, 65536}) {
      SCOPED_TRACE(max_batch_rows);
      TableReader::Options reading;
      reading.max_batch_rows = max_batch_rows;
      ExpectLists(file, kListRows, reading);
    }
  }
}

TEST(RowReader, ListsOfNoRows) {
  const TempDir dir;
  ExpectLists(WriteLists(dir, 0, {}), 0, {});
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
