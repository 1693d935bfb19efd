#include "mapreduce/io/shard_writer.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/base/random.h"
#include "mapreduce/io/table_reader.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing_support::ReadWholeFile;
using testing_support::TempDir;

std::shared_ptr<arrow::Schema> OneColumn() {
  return arrow::schema({arrow::field("text", arrow::utf8())});
}

// Rows of random letters, which do not compress away.
std::shared_ptr<arrow::RecordBatch> RandomBatch(Random* random, int rows,
                                                int length) {
  arrow::StringBuilder builder;
  std::string text(static_cast<size_t>(length), ' ');
  for (int i = 0; i < rows; ++i) {
    for (char& c : text) c = static_cast<char>('a' + random->Below(26));
    EXPECT_TRUE(builder.Append(text).ok());
  }
  return arrow::RecordBatch::Make(OneColumn(), rows,
                                  {builder.Finish().ValueOrDie()});
}

TEST(ShardWriter, CutsFilesAndRowGroupsBySize) {
  const TempDir dir;
  ShardWriter::Options options;
  options.max_file_bytes = 400000;
  options.row_group_bytes = 200000;
  auto writer =
      ShardWriter::Create(*ResolvePath(dir / "out"), OneColumn(), options);
  ASSERT_TRUE(writer.ok()) << writer.status();
  Random random(1);
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE((*writer)->Write(*RandomBatch(&random, 100, 500)).ok());
  }
  const auto shards = (*writer)->Close();
  ASSERT_TRUE(shards.ok()) << shards.status();
  ASSERT_GE(shards->size(), 2u);
  int64_t rows = 0;
  for (size_t i = 0; i < shards->size(); ++i) {
    const ShardInfo& shard = (*shards)[i];
    const std::string file = dir / ("out/" + shard.file);
    EXPECT_EQ(shard.file, "part-0000" + std::to_string(i) + ".parquet");
    const std::string bytes = ReadWholeFile(file);
    EXPECT_EQ(shard.num_bytes, static_cast<int64_t>(bytes.size()));
    EXPECT_EQ(shard.digest, ContentDigest(bytes));
    rows += shard.num_rows;
    auto reader = TableReader::Open(*ResolvePath(file), {{"text"}}, {});
    ASSERT_TRUE(reader.ok()) << reader.status();
    EXPECT_EQ((*reader)->num_rows(), shard.num_rows);
    if (i + 1 < shards->size()) {
      EXPECT_GE((*reader)->num_row_groups(), 2);
    }
  }
  EXPECT_EQ(rows, 4000);
}

TEST(ShardWriter, SameRowsSameBytes) {
  const TempDir dir;
  std::vector<std::string> digests;
  for (const char* name : {"a", "b"}) {
    auto writer =
        ShardWriter::Create(*ResolvePath(dir / name), OneColumn(), {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    Random random(5);
    ASSERT_TRUE((*writer)->Write(*RandomBatch(&random, 1000, 50)).ok());
    digests.push_back((*writer)->Close()->front().digest);
  }
  EXPECT_EQ(digests[0], digests[1]);
}

TEST(ShardWriter, AbandonedShardLeavesNothing) {
  const TempDir dir;
  {
    auto writer =
        ShardWriter::Create(*ResolvePath(dir / "out"), OneColumn(), {});
    ASSERT_TRUE(writer.ok()) << writer.status();
    Random random(1);
    ASSERT_TRUE((*writer)->Write(*RandomBatch(&random, 10, 10)).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir / "out"));
}

TEST(ShardWriter, UnwritableDirectoryIsAnError) {
  const TempDir dir;
  testing_support::WriteWholeFile(dir / "file", "x");
  const auto writer =
      ShardWriter::Create(*ResolvePath(dir / "file/out"), OneColumn(), {});
  ASSERT_FALSE(writer.ok());
  EXPECT_THAT(std::string(writer.status().message()),
              testing::HasSubstr("file/out"));
}

}  // namespace
}  // namespace trommel::io
