#include "mapreduce/job/splits.h"

#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/random.h"
#include "core/base/status.h"
#include "mapreduce/io/shard_writer.h"
#include "tests/testing/seed.h"
#include "tests/testing/temp_dir.h"

namespace trommel::mr {

void PrintTo(const SplitPiece& piece, std::ostream* out) {
  *out << piece.input << ' ' << piece.file << " [" << piece.first_row_group
       << ", " << piece.last_row_group << ") " << piece.num_rows << " rows";
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::TempDir;
using testing_support::TestSeed;
using testing_support::WriteWholeFile;

constexpr int64_t kOneSplit = std::numeric_limits<int64_t>::max() / 2;

// A file with a row group for each of `group_rows`, with columns text (100
// random bytes a row) and number.
std::string WriteTable(const TempDir& dir, const std::string& name,
                       const std::vector<int>& group_rows) {
  const auto schema = arrow::schema({arrow::field("text", arrow::binary()),
                                     arrow::field("number", arrow::int64())});
  io::ShardWriter::Options options;
  options.row_group_bytes = 1;  // a row group per batch
  options.plain_columns = {"text"};
  auto writer =
      io::ShardWriter::Create(*io::ResolvePath(dir / "new"), schema, options);
  EXPECT_TRUE(writer.ok()) << writer.status();
  Random random(1);
  for (const int rows : group_rows) {
    arrow::BinaryBuilder text;
    arrow::Int64Builder number;
    for (int i = 0; i < rows; ++i) {
      std::string value(100, ' ');
      for (char& c : value) c = static_cast<char>(random.Next());
      EXPECT_TRUE(text.Append(value).ok());
      EXPECT_TRUE(number.Append(i).ok());
    }
    EXPECT_TRUE(
        (*writer)
            ->Write(*arrow::RecordBatch::Make(
                schema, rows,
                {text.Finish().ValueOrDie(), number.Finish().ValueOrDie()}))
            .ok());
  }
  EXPECT_TRUE((*writer)->Close().ok());
  std::filesystem::create_directories(
      std::filesystem::path(dir / name).parent_path());
  std::filesystem::rename(dir / "new/part-00000.parquet", dir / name);
  std::filesystem::remove_all(dir / "new");
  return dir / name;
}

TableInput Input(std::vector<std::string> paths,
                 std::vector<io::ColumnRequest> columns = {{"text"}}) {
  TableInput input;
  input.paths = std::move(paths);
  input.columns = std::move(columns);
  return input;
}

// The pieces of all splits as (split, file, first, last, rows).
using Piece = std::tuple<int, std::string, int, int, int64_t>;
std::vector<Piece> Pieces(const std::vector<Split>& splits) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < splits.size(); ++i) {
    EXPECT_EQ(splits[i].index, static_cast<int>(i));
    EXPECT_FALSE(splits[i].pieces.empty());
    for (const SplitPiece& piece : splits[i].pieces) {
      pieces.emplace_back(splits[i].index, piece.file, piece.first_row_group,
                          piece.last_row_group, piece.num_rows);
    }
  }
  return pieces;
}

TEST(PlanSplits, CutsBetweenRowGroups) {
  const TempDir dir;
  const std::string file = WriteTable(dir, "t.parquet", {10, 10, 10, 10, 10});
  struct Case {
    const char* label;
    int64_t target_bytes;
    std::vector<Piece> expected;
  };
  // A row group has about 1000 bytes of text and some of framing.
  const Case cases[] = {
      {"each alone",
       1,
       {{0, file, 0, 1, 10},
        {1, file, 1, 2, 10},
        {2, file, 2, 3, 10},
        {3, file, 3, 4, 10},
        {4, file, 4, 5, 10}}},
      {"two fit",
       2900,
       {{0, file, 0, 2, 20}, {1, file, 2, 4, 20}, {2, file, 4, 5, 10}}},
      {"all fit", kOneSplit, {{0, file, 0, 5, 50}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const auto splits = PlanSplits({Input({file})}, c.target_bytes);
    ASSERT_TRUE(splits.ok()) << splits.status();
    EXPECT_EQ(Pieces(*splits), c.expected);
  }
}

TEST(PlanSplits, CountsOnlyTheColumnsAskedFor) {
  const TempDir dir;
  const std::string file = WriteTable(dir, "t.parquet", {10, 10, 10, 10});
  const auto splits =
      PlanSplits({Input({file}, {{"number", io::ColumnType::kInt64}})}, 2900);
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_EQ(Pieces(*splits), (std::vector<Piece>{{0, file, 0, 4, 40}}));
}

// A column that no file has weighs nothing, but rows still count.
TEST(PlanSplits, NoBytesAtAll) {
  const TempDir dir;
  const std::string file = WriteTable(dir, "t.parquet", {10, 10, 10});
  const auto splits = PlanSplits(
      {Input({file}, {{"absent", io::ColumnType::kBytes, false}})}, 2);
  ASSERT_TRUE(splits.ok()) << splits.status();
  int64_t rows = 0;
  for (const Split& split : *splits) rows += split.num_rows();
  EXPECT_EQ(rows, 30);
}

TEST(PlanSplits, SplitsHoldSeveralFilesButOneInput) {
  const TempDir dir;
  const std::string a = WriteTable(dir, "in/a.parquet", {10, 20});
  const std::string empty = WriteTable(dir, "in/b.parquet", {});
  const std::string c = WriteTable(dir, "in/c.parquet", {30});
  const std::string other = WriteTable(dir, "other.parquet", {5});
  WriteTable(dir, "in/_hidden.parquet", {7});
  const auto splits =
      PlanSplits({Input({dir / "in"}), Input({other, a})}, kOneSplit);
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_EQ(Pieces(*splits), (std::vector<Piece>{{0, a, 0, 2, 30},
                                                 {0, c, 0, 1, 30},
                                                 {1, other, 0, 1, 5},
                                                 {1, a, 0, 2, 30}}));
  EXPECT_EQ((*splits)[0].num_rows(), 60);
  for (const Split& split : *splits) {
    for (const SplitPiece& piece : split.pieces) {
      EXPECT_EQ(piece.input, split.index);
    }
  }
}

TEST(PlanSplits, FileGivenTwiceIsReadTwice) {
  const TempDir dir;
  const std::string file = WriteTable(dir, "t.parquet", {10});
  const auto splits = PlanSplits({Input({file, file})}, kOneSplit);
  ASSERT_TRUE(splits.ok()) << splits.status();
  EXPECT_EQ(Pieces(*splits),
            (std::vector<Piece>{{0, file, 0, 1, 10}, {0, file, 0, 1, 10}}));
}

TEST(PlanSplits, NothingToDo) {
  const TempDir dir;
  const std::string empty = WriteTable(dir, "empty.parquet", {});
  for (const std::vector<TableInput>& inputs :
       {std::vector<TableInput>{}, std::vector<TableInput>{Input({empty})}}) {
    const auto splits = PlanSplits(inputs, kOneSplit);
    ASSERT_TRUE(splits.ok()) << splits.status();
    EXPECT_TRUE(splits->empty());
  }
}

// Every row group once, in order, whatever the target.
TEST(PlanSplits, CoversEverythingOnce) {
  Random random(TestSeed(1));
  const TempDir dir;
  std::vector<std::string> files;
  std::vector<std::pair<std::string, int>> expected;  // file, row group
  for (int i = 0; i < 4; ++i) {
    std::vector<int> rows(random.Below(6));
    for (int& count : rows) count = static_cast<int>(random.Between(1, 30));
    files.push_back(WriteTable(dir, StrCat("f", i, ".parquet"), rows));
    for (size_t j = 0; j < rows.size(); ++j) {
      expected.emplace_back(files.back(), static_cast<int>(j));
    }
  }
  for (int round = 0; round < 30; ++round) {
    const int64_t target = random.Between(1, 20000);
    const auto splits = PlanSplits({Input(files)}, target);
    ASSERT_TRUE(splits.ok()) << splits.status();
    std::vector<std::pair<std::string, int>> seen;
    for (const Split& split : *splits) {
      for (const SplitPiece& piece : split.pieces) {
        for (int i = piece.first_row_group; i < piece.last_row_group; ++i) {
          seen.emplace_back(piece.file, i);
        }
      }
    }
    EXPECT_EQ(seen, expected) << "target " << target;
  }
}

TEST(PlanSplits, ErrorsNameTheFile) {
  const TempDir dir;
  const std::string good = WriteTable(dir, "good.parquet", {1});
  WriteWholeFile(dir / "bad.parquet", "not Parquet at all");
  std::filesystem::create_directory(dir / "nothing");
  struct Case {
    const char* label;
    TableInput input;
    std::string name;
  };
  const Case cases[] = {
      {"missing file", Input({good, dir / "absent.parquet"}), "absent.parquet"},
      {"missing column", Input({good}, {{"url"}}), "good.parquet"},
      {"wrong type", Input({good}, {{"text", io::ColumnType::kInt64}}),
       "good.parquet"},
      {"damaged file", Input({good, dir / "bad.parquet"}), "bad.parquet"},
      {"empty directory", Input({dir / "nothing"}), "nothing"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const auto splits = PlanSplits({c.input}, kOneSplit);
    ASSERT_FALSE(splits.ok());
    EXPECT_THAT(std::string(splits.status().message()), HasSubstr(c.name));
  }
}

TEST(SplitLine, RoundTripWithOddNames) {
  using std::string_literals::operator""s;
  Split split;
  split.index = 7;
  for (const std::string& file :
       {"/plain.parquet"s, "/with space.parquet"s, "/tab\tand\nnewline"s,
        "/\"quoted\" \\ back"s, "/caf\xC3\xA9/\xF0\x9F\x8E\xAC"s,
        "hdfs://node:8020/a%20b?c#d"s, "/control\x01\x7F"s, ""s}) {
    split.pieces.push_back({3, file, 1, 4, int64_t{1} << 40});
  }
  const std::string line = ToLine(split);
  for (const char c : line) {
    EXPECT_TRUE(c >= 0x20 && c < 0x7F) << static_cast<int>(c);
  }
  const auto back = SplitFromLine(line);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->index, split.index);
  EXPECT_EQ(Pieces({Split{0, back->pieces}}), Pieces({Split{0, split.pieces}}));
  for (const SplitPiece& piece : back->pieces) EXPECT_EQ(piece.input, 3);
}

TEST(SplitLine, OtherLinesAreRefused) {
  for (const char* line :
       {"", "{", "null", "[]", "{}", R"({"split":1})",
        R"({"split":"x","pieces":[]})", R"({"split":1,"pieces":[{}]})",
        R"({"split":1,"pieces":[{"input":0,"file":7,"first":0,"last":1,)"
        R"("rows":1}]})"}) {
    const auto split = SplitFromLine(line);
    EXPECT_EQ(split.status().code(), absl::StatusCode::kInvalidArgument)
        << line;
  }
}

}  // namespace
}  // namespace trommel::mr
