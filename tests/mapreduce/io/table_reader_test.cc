#include "mapreduce/io/table_reader.h"

#include <arrow/array.h>
#include <arrow/array/util.h>
#include <arrow/builder.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/io/shard_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

// A file with columns text, number and three row groups; returns its path.
std::string WriteSample(const TempDir& dir) {
  const auto schema = arrow::schema({arrow::field("text", arrow::utf8()),
                                     arrow::field("number", arrow::int32())});
  ShardWriter::Options options;
  options.row_group_bytes = 1;  // a row group per batch
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, options);
  EXPECT_TRUE(writer.ok()) << writer.status();
  Random random(3);
  for (int batch = 0; batch < 3; ++batch) {
    arrow::StringBuilder text;
    arrow::Int32Builder number;
    for (int i = 0; i < 1000; ++i) {
      std::string value(100, ' ');
      for (char& c : value) c = static_cast<char>('a' + random.Below(26));
      EXPECT_TRUE(text.Append(value).ok());
      EXPECT_TRUE(number.Append(batch * 1000 + i).ok());
    }
    EXPECT_TRUE(
        (*writer)
            ->Write(*arrow::RecordBatch::Make(
                schema, 1000,
                {text.Finish().ValueOrDie(), number.Finish().ValueOrDie()}))
            .ok());
  }
  EXPECT_TRUE((*writer)->Close().ok());
  return dir / "t/part-00000.parquet";
}

// Reads everything; the first error ends it.
absl::StatusOr<std::vector<int64_t>> ReadNumbers(
    const std::string& file, const std::vector<ColumnRequest>& requests,
    TableReader::Options options = {}) {
  auto path = ResolvePath(file);
  if (!path.ok()) return path.status();
  auto reader = TableReader::Open(*path, requests, options);
  if (!reader.ok()) return reader.status();
  std::vector<int64_t> numbers;
  TableReader::Batch batch;
  while (true) {
    const auto more = (*reader)->Next(&batch);
    if (!more.ok()) return more.status();
    if (!*more) return numbers;
    const Int64Column column(batch.columns[0]);
    for (int64_t row = 0; row < batch.num_rows; ++row) {
      numbers.push_back(column[row]);
    }
  }
}

TEST(TableReader, ReadsAllRowsInOrderWhateverTheBatchSize) {
  const TempDir dir;
  const std::string file = WriteSample(dir);
  for (const int64_t bytes : {1, 1000, 1 << 20}) {
    TableReader::Options options;
    options.batch_bytes = bytes;
    const auto numbers =
        ReadNumbers(file, {{"number", ColumnType::kInt64}}, options);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    ASSERT_EQ(numbers->size(), 3000u);
    EXPECT_TRUE(std::is_sorted(numbers->begin(), numbers->end()));
  }
}

TEST(TableReader, ReadsChosenRowGroups) {
  const TempDir dir;
  TableReader::Options options;
  options.first_row_group = 1;
  options.last_row_group = 2;
  const auto numbers =
      ReadNumbers(WriteSample(dir), {{"number", ColumnType::kInt64}}, options);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_EQ(numbers->size(), 1000u);
  EXPECT_EQ(numbers->front(), 1000);
}

TEST(TableReader, OptionalColumnMayBeAbsent) {
  const TempDir dir;
  auto reader = TableReader::Open(
      *ResolvePath(WriteSample(dir)),
      {{"absent", ColumnType::kBytes, false}, {"text", ColumnType::kBytes}},
      {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  TableReader::Batch batch;
  ASSERT_TRUE(*(*reader)->Next(&batch));
  EXPECT_EQ(batch.columns[0], nullptr);
  EXPECT_EQ(BytesColumn(batch.columns[1])[0].size(), 100u);
}

TEST(TableReader, ColumnOfNullsIsLikeAnAbsentOne) {
  const TempDir dir;
  const auto schema = arrow::schema({arrow::field("number", arrow::null())});
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)
                  ->Write(*arrow::RecordBatch::Make(
                      schema, 3,
                      {arrow::MakeArrayOfNull(arrow::null(), 3).ValueOrDie()}))
                  .ok());
  ASSERT_TRUE((*writer)->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"number", ColumnType::kInt64, false}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
}

TEST(TableReader, RepeatedLongValuesStayBounded) {
  const TempDir dir;
  // One page of 100 KB twenty thousand times: 2 GB when expanded, some
  // kilobytes in the file. Without dictionaries kept this would not fit.
  const auto schema = arrow::schema({arrow::field("text", arrow::utf8())});
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  const std::string page(100000, 'x');
  for (int batch = 0; batch < 20; ++batch) {
    arrow::StringBuilder text;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(text.Append(page).ok());
    ASSERT_TRUE((*writer)
                    ->Write(*arrow::RecordBatch::Make(
                        schema, 1000, {text.Finish().ValueOrDie()}))
                    .ok());
  }
  ASSERT_TRUE((*writer)->Close().ok());
  auto reader = TableReader::Open(*ResolvePath(dir / "t/part-00000.parquet"),
                                  {{"text"}}, {});
  ASSERT_TRUE(reader.ok()) << reader.status();
  const int64_t before = arrow::default_memory_pool()->bytes_allocated();
  TableReader::Batch batch;
  int64_t rows = 0;
  int64_t peak = 0;
  while (*(*reader)->Next(&batch)) {
    rows += batch.num_rows;
    EXPECT_EQ(BytesColumn(batch.columns[0])[batch.num_rows - 1], page);
    peak = std::max(peak,
                    arrow::default_memory_pool()->bytes_allocated() - before);
  }
  EXPECT_EQ(rows, 20000);
  EXPECT_LT(peak, 32 << 20);
}

TEST(TableReader, MissingColumnIsNamedWithWhatThereIs) {
  const TempDir dir;
  const auto numbers = ReadNumbers(WriteSample(dir), {{"url"}});
  ASSERT_FALSE(numbers.ok());
  EXPECT_EQ(numbers.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(numbers.status().message()),
              testing::AllOf(HasSubstr("part-00000.parquet"),
                             HasSubstr("\"url\" is missing"),
                             HasSubstr("text, number")));
}

TEST(TableReader, WrongTypeIsNamed) {
  const TempDir dir;
  const auto numbers =
      ReadNumbers(WriteSample(dir), {{"text", ColumnType::kInt64}});
  ASSERT_FALSE(numbers.ok());
  EXPECT_THAT(std::string(numbers.status().message()),
              testing::AllOf(HasSubstr("\"text\" has type string"),
                             HasSubstr("expected an integer")));
}

TEST(TableReader, EveryTruncationIsAnErrorThatNamesTheFile) {
  const TempDir dir;
  const std::string bytes = ReadWholeFile(WriteSample(dir));
  for (const size_t size :
       {size_t{0}, size_t{3}, size_t{4}, size_t{11}, bytes.size() / 2,
        bytes.size() - 9, bytes.size() - 1}) {
    SCOPED_TRACE(size);
    WriteWholeFile(dir / "cut.parquet", bytes.substr(0, size));
    const auto numbers =
        ReadNumbers(dir / "cut.parquet", {{"number", ColumnType::kInt64}});
    ASSERT_FALSE(numbers.ok());
    EXPECT_THAT(std::string(numbers.status().message()),
                HasSubstr("cut.parquet"));
  }
}

TEST(TableReader, DamagedDataNamesTheRowGroup) {
  const TempDir dir;
  std::string bytes = ReadWholeFile(WriteSample(dir));
  // A byte in the middle of the data lies in the second row group.
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  WriteWholeFile(dir / "bad.parquet", bytes);
  const auto numbers = ReadNumbers(dir / "bad.parquet",
                                   {{"number", ColumnType::kInt64}, {"text"}});
  ASSERT_FALSE(numbers.ok());
  EXPECT_THAT(
      std::string(numbers.status().message()),
      testing::AllOf(HasSubstr("bad.parquet"), HasSubstr("row group 1")));
}

TEST(TableReader, RandomDamageNeverCrashes) {
  const TempDir dir;
  const std::string good = ReadWholeFile(WriteSample(dir));
  constexpr uint64_t kSeed = 20260101;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  Random random(kSeed);
  int errors = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    // Mostly the footer, where damage does the most.
    const size_t low = round % 2 == 0 ? bytes.size() - 1200 : 0;
    for (int i = 0; i < 3; ++i) {
      bytes[low + random.Below(bytes.size() - low)] =
          static_cast<char>(random.Next());
    }
    WriteWholeFile(dir / "bad.parquet", bytes);
    const auto numbers = ReadNumbers(
        dir / "bad.parquet", {{"number", ColumnType::kInt64}, {"text"}});
    if (!numbers.ok()) ++errors;
  }
  EXPECT_GT(errors, 100);
}

}  // namespace
}  // namespace trommel::io
