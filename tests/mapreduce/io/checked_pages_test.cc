#include "mapreduce/io/checked_pages.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/io/file.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <memory>
#include <string>
#include <vector>

#include "mapreduce/io/row.h"
#include "mapreduce/io/shard_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

constexpr int64_t kMegabyte = int64_t{1} << 20;

// A table of row groups, each of the texts given; returns its file.
std::string WriteTexts(const TempDir& dir, bool nullable, bool dictionary,
                       const std::vector<std::vector<std::string>>& groups) {
  const auto schema =
      arrow::schema({arrow::field("text", arrow::utf8(), nullable)});
  ShardWriter::Options options;
  options.row_group_bytes = 1;
  if (!dictionary) options.plain_columns = {"text"};
  auto writer = ShardWriter::Create(*ResolvePath(dir / "t"), schema, options);
  EXPECT_TRUE(writer.ok()) << writer.status();
  for (const std::vector<std::string>& group : groups) {
    arrow::StringBuilder text;
    for (const std::string& value : group) {
      EXPECT_TRUE(text.Append(value).ok());
    }
    const std::shared_ptr<arrow::Array> array = text.Finish().ValueOrDie();
    EXPECT_TRUE(
        (*writer)
            ->Write(*arrow::RecordBatch::Make(schema, array->length(), {array}))
            .ok());
  }
  EXPECT_TRUE((*writer)->Close().ok());
  return dir / "t/part-00000.parquet";
}

// The sizes of all values; that of one withheld is negative.
absl::StatusOr<std::vector<int64_t>> ReadSizes(const std::string& file,
                                               const PageLimits& limits) {
  TableReader::Options options;
  options.limits = limits;
  auto reader = RowReader::Open(*ResolvePath(file), {{"text"}}, options);
  if (!reader.ok()) return reader.status();
  std::vector<int64_t> sizes;
  Row row;
  while (true) {
    const auto more = (*reader)->Next(&row);
    if (!more.ok()) return more.status();
    if (!*more) return sizes;
    sizes.push_back(row.withheld_bytes(0) > 0
                        ? -row.withheld_bytes(0)
                        : static_cast<int64_t>(row.bytes(0).size()));
  }
}

// The footer of such files counts their pages as those of version 1.
TEST(CheckedPages, PagesOfVersion2AreRead) {
  const TempDir dir;
  arrow::StringBuilder text;
  for (const char* const value : {"a", "a", "bcd"}) {
    ASSERT_TRUE(text.Append(value).ok());
  }
  const auto table = arrow::Table::Make(
      arrow::schema({arrow::field("text", arrow::utf8())}), {*text.Finish()});
  for (const bool has_dictionary : {false, true}) {
    parquet::WriterProperties::Builder properties;
    properties.data_page_version(parquet::ParquetDataPageVersion::V2);
    if (!has_dictionary) properties.disable_dictionary();
    const std::string file = dir / "v2.parquet";
    const auto sink = *arrow::io::FileOutputStream::Open(file);
    ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(),
                                           sink, 100, properties.build())
                    .ok());
    ASSERT_TRUE(sink->Close().ok());
    const auto sizes = ReadSizes(file, {});
    ASSERT_TRUE(sizes.ok()) << sizes.status();
    EXPECT_EQ(*sizes, (std::vector<int64_t>{1, 1, 3}));
  }
}

TEST(CheckedPages, APageOfAnUnknownTypeIsMissed) {
  const TempDir dir;
  const std::string file = WriteTexts(dir, false, false, {{"a", "b", "c"}});
  std::string bytes = ReadWholeFile(file);
  ASSERT_EQ(bytes[5], 0);  // the type of the first page
  bytes[5] = 0x10;
  WriteWholeFile(file, bytes);
  const auto sizes = ReadSizes(file, {});
  ASSERT_FALSE(sizes.ok());
  EXPECT_EQ(sizes.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(
      std::string(sizes.status().message()),
      AllOf(HasSubstr(file), HasSubstr("row group 0"), HasSubstr("column text"),
            HasSubstr("the footer promises 3 values, its pages have 0")));
}

TEST(CheckedPages, AValueThatIsAloneInItsPageIsWithheld) {
  const std::string large(static_cast<size_t>(20 * kMegabyte), 'x');
  for (const bool nullable : {false, true}) {
    for (const bool dictionary : {false, true}) {
      SCOPED_TRACE(testing::Message() << nullable << dictionary);
      const TempDir dir;
      const std::string file =
          WriteTexts(dir, nullable, dictionary, {{"a", "bc"}, {large}, {"d"}});
      const int64_t before = arrow::default_memory_pool()->bytes_allocated();
      const int64_t max_before = arrow::default_memory_pool()->max_memory();
      const auto sizes = ReadSizes(file, {0, kMegabyte});
      ASSERT_TRUE(sizes.ok()) << sizes.status();
      ASSERT_EQ(sizes->size(), 4u);
      EXPECT_EQ((*sizes)[0], 1);
      EXPECT_EQ((*sizes)[1], 2);
      EXPECT_LE((*sizes)[2], -20 * kMegabyte);
      EXPECT_GE((*sizes)[2], -20 * kMegabyte - 64);
      EXPECT_EQ((*sizes)[3], 1);
      // Nothing of that size was ever in memory, but for the file's writer.
      EXPECT_EQ(arrow::default_memory_pool()->bytes_allocated(), before);
      EXPECT_EQ(arrow::default_memory_pool()->max_memory(), max_before);
      // Who has the memory for it reads it.
      EXPECT_THAT(*ReadSizes(file, {0, 0}),
                  ElementsAre(1, 2, 20 * kMegabyte, 1));
      EXPECT_THAT(*ReadSizes(file, {0, 20 * kMegabyte}),
                  ElementsAre(1, 2, 20 * kMegabyte, 1));
    }
  }
}

TEST(CheckedPages, APageOfManyThatIsTooLargeIsAnErrorThatNamesTheFlag) {
  const std::string large(static_cast<size_t>(20 * kMegabyte), 'x');
  const TempDir dir;
  const std::string file = WriteTexts(dir, true, false, {{"a", large, "b"}});
  const auto sizes = ReadSizes(file, {10 * kMegabyte, kMegabyte});
  ASSERT_FALSE(sizes.ok());
  EXPECT_THAT(std::string(sizes.status().message()),
              AllOf(HasSubstr(file), HasSubstr("row group 0"),
                    HasSubstr("page of 3 values inflates to"),
                    HasSubstr("--task-memory-mb=63")));
  EXPECT_THAT(*ReadSizes(file, {30 * kMegabyte, kMegabyte}),
              ElementsAre(1, 20 * kMegabyte, 1));
}

TEST(CheckedPages, AHeaderIsNotBelievedMoreThanTheFooter) {
  const TempDir dir;
  const std::string file =
      WriteTexts(dir, false, false, {{std::string(100, 'x')}});
  std::string bytes = ReadWholeFile(file);
  // Type, and the uncompressed size, 104, in two bytes.
  ASSERT_EQ(bytes.substr(4, 5), std::string("\x15\x00\x15\xd0\x01", 5));
  bytes[8] = 0x41;
  WriteWholeFile(file, bytes);
  const auto sizes = ReadSizes(file, {0, 1000});
  ASSERT_FALSE(sizes.ok());
  EXPECT_THAT(std::string(sizes.status().message()),
              AllOf(HasSubstr(file), HasSubstr("a page claims 4200 bytes")));
}

}  // namespace
}  // namespace trommel::io
