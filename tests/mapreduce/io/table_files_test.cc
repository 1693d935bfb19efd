#include "mapreduce/io/table_files.h"

#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/parquet_footer.h"
#include "mapreduce/io/shard_writer.h"
#include "mapreduce/io/table_reader.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

TEST(ListTableFiles, FindsParquetAndPassesOverHiddenFolders) {
  const TempDir dir;
  for (const char* name :
       {"b/part-00001.parquet", "b/part-00000.parquet", "a.parquet",
        "_rejects/part-00000.parquet", "b/.tmp/part-00000.parquet",
        "b/.part-00002.parquet", "b/notes.txt", "_SUCCESS"}) {
    WriteWholeFile(dir / name, "x");
  }
  const auto files = ListTableFiles(*ResolvePath(dir.path()));
  ASSERT_TRUE(files.ok()) << files.status();
  std::vector<std::string> names;
  for (const Entry& entry : *files) {
    names.push_back(entry.path.name.substr(dir.path().size() + 1));
  }
  EXPECT_THAT(names, testing::ElementsAre("a.parquet", "b/part-00000.parquet",
                                          "b/part-00001.parquet"));
}

TEST(ListTableFiles, HiddenAncestorsOfTheTableDoNotMatter) {
  const TempDir dir;
  WriteWholeFile(dir / "_run/.x/t/part-00000.parquet", "x");
  const auto files = ListTableFiles(*ResolvePath(dir / "_run/.x/t"));
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->size(), 1u);
}

TEST(ListTableFiles, NothingThereIsAnError) {
  const TempDir dir;
  EXPECT_EQ(ListTableFiles(*ResolvePath(dir / "gone")).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(ListTableFiles(*ResolvePath(dir.path())).status().code(),
            absl::StatusCode::kNotFound);
}

// Writes a table of so many rows and returns its only file.
ShardInfo WriteTable(const std::string& folder, int num_rows) {
  const auto schema = arrow::schema({arrow::field("text", arrow::utf8())});
  auto writer = ShardWriter::Create(*ResolvePath(folder), schema, {});
  EXPECT_TRUE(writer.ok()) << writer.status();
  arrow::StringBuilder text;
  for (int i = 0; i < num_rows; ++i) {
    EXPECT_TRUE(text.Append(std::to_string(i)).ok());
  }
  EXPECT_TRUE((*writer)
                  ->Write(*arrow::RecordBatch::Make(
                      schema, num_rows, {text.Finish().ValueOrDie()}))
                  .ok());
  const auto shards = (*writer)->Close();
  EXPECT_TRUE(shards.ok()) << shards.status();
  return shards->front();
}

std::string Message(const std::string& path) {
  return std::string(ListTableFiles(*ResolvePath(path)).status().message());
}

// An output with two tables, one of which is hidden, and its manifest.
class ListedFiles : public testing::Test {
 protected:
  ListedFiles() {
    shard_ = WriteTable(dir_ / "out/t", 3);
    ShardInfo hidden = WriteTable(dir_ / "out/_rejects", 5);
    shard_.file = "t/" + shard_.file;
    hidden.file = "_rejects/" + hidden.file;
    manifest_.verb = "test";
    manifest_.shards = {shard_, hidden};
    WriteManifestOf("out");
  }

  void WriteManifestOf(const std::string& folder) {
    ASSERT_TRUE(WriteManifest(*ResolvePath(dir_ / folder), manifest_).ok());
  }

  const TempDir dir_;
  const std::string file_ = dir_ / "out/t/part-00000.parquet";
  ShardInfo shard_;
  Manifest manifest_;
};

TEST_F(ListedFiles, AreFineAsTheyWereWritten) {
  for (const char* const path :
       {"out", "out/t", "out/t/part-00000.parquet", "out/_rejects"}) {
    EXPECT_EQ(Message(dir_ / path), "") << path;
  }
}

TEST_F(ListedFiles, ThatDifferAreErrorsWhateverThePathToThem) {
  const std::string good = ReadWholeFile(file_);
  std::string renamed = good;
  renamed[good.rfind("text")] = 'T';  // the name of the column, in the footer
  struct Case {
    const char* label;
    std::string bytes;
    std::vector<std::string> expected;
  };
  const Case cases[] = {
      {"cut",
       good.substr(0, good.size() - 1),
       {"size " + std::to_string(good.size() - 1),
        "says " + std::to_string(good.size())}},
      {"a footer with another name in it",
       renamed,
       {"digest of the footer ", "says " + shard_.footer_digest}},
      {"no footer",
       good.substr(0, good.size() - 1) + "?",
       {"does not end as Parquet files do"}},
  };
  for (const Case& c : cases) {
    WriteWholeFile(file_, c.bytes);
    for (const char* const path :
         {"out", "out/t", "out/t/part-00000.parquet"}) {
      SCOPED_TRACE(testing::Message() << c.label << ", read as " << path);
      const std::string message = Message(dir_ / path);
      EXPECT_THAT(message, HasSubstr(file_));
      for (const std::string& part : c.expected) {
        EXPECT_THAT(message, HasSubstr(part));
      }
    }
    // Nobody reads that table here.
    EXPECT_EQ(Message(dir_ / "out/_rejects"), "");
  }
}

TEST_F(ListedFiles, ThatAreMissingAreErrors) {
  std::filesystem::remove(file_);
  for (const char* const path : {"out", "out/t"}) {
    EXPECT_THAT(Message(dir_ / path),
                AllOf(HasSubstr(file_), HasSubstr("is missing"),
                      HasSubstr("out/_SUCCESS lists it with 3 rows")));
  }
}

TEST_F(ListedFiles, OfManifestsWithoutDigestsOfFootersAreComparedByRows) {
  manifest_.shards[0].footer_digest.clear();
  WriteManifestOf("out");
  EXPECT_EQ(Message(dir_ / "out/t"), "");
  manifest_.shards[0].num_rows = 4;
  WriteManifestOf("out");
  EXPECT_THAT(
      Message(dir_ / "out/t"),
      AllOf(HasSubstr(file_), HasSubstr("rows 3, but "), HasSubstr("says 4")));
}

TEST_F(ListedFiles, HaveTheNearestManifest) {
  // The one above would not have it.
  const ShardInfo shard = WriteTable(dir_ / "out/t", 4);
  EXPECT_NE(Message(dir_ / "out"), "");
  manifest_.shards = {shard};
  WriteManifestOf("out/t");
  EXPECT_EQ(Message(dir_ / "out/t"), "");
}

TEST_F(ListedFiles, MayHaveOthersBesideThem) {
  const ShardInfo other = WriteTable(dir_ / "other", 7);
  std::filesystem::copy(dir_ / "other/part-00000.parquet",
                        dir_ / "out/t/part-00001.parquet");
  const auto files = ListTableFiles(*ResolvePath(dir_ / "out/t"));
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->size(), 2u);
}

TEST_F(ListedFiles, OfADamagedManifestAreAnErrorThatNamesIt) {
  const std::string success = dir_ / "out/_SUCCESS";
  std::string text = ReadWholeFile(success);
  text[text.find("\"rows\": 3") + 8] = '2';
  WriteWholeFile(success, text);
  EXPECT_THAT(Message(dir_ / "out/t"),
              AllOf(HasSubstr(success), HasSubstr("has changed")));
  // That of another program is not looked at.
  WriteWholeFile(success, "done");
  EXPECT_EQ(Message(dir_ / "out/t"), "");
}

TEST_F(ListedFiles, AreReadWholeOnlyToVerifyThem) {
  std::string bytes = ReadWholeFile(file_);
  bytes[0] = 'p';  // of the magic bytes, at which readers do not look
  WriteWholeFile(file_, bytes);
  EXPECT_EQ(Message(dir_ / "out/t"), "");
  SetVerifyDigests(true);
  EXPECT_THAT(
      Message(dir_ / "out/t"),
      AllOf(HasSubstr(file_), HasSubstr("digest " + ContentDigest(bytes)),
            HasSubstr("says " + shard_.digest)));
  SetVerifyDigests(false);
}

TEST_F(ListedFiles, SmallOnesHaveTheirDigests) {
  const Path file = *ResolvePath(dir_ / "out/rules.binpb");
  WriteWholeFile(file.path, "rules");
  EXPECT_EQ(*ReadListedFile(file), "rules");  // it is not listed
  manifest_.shards.push_back({"rules.binpb", 1, 5, ContentDigest("rules")});
  WriteManifestOf("out");
  EXPECT_EQ(*ReadListedFile(file), "rules");
  WriteWholeFile(file.path, "ruled");
  const absl::Status status = ReadListedFile(file).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr(file.name), HasSubstr(": digest ")));
}

TEST(ParquetFooter, IsTheEndOfAFile) {
  const TempDir dir;
  const ShardInfo shard = WriteTable(dir / "t", 3);
  const std::string bytes = ReadWholeFile(dir / "t/part-00000.parquet");
  const auto footer =
      ReadParquetFooter(*ResolvePath(dir / "t/part-00000.parquet"));
  ASSERT_TRUE(footer.ok()) << footer.status();
  EXPECT_EQ(bytes.substr(bytes.size() - footer->size()), *footer);
  EXPECT_EQ(ParquetFooterOf(bytes), *footer);
  EXPECT_EQ(ContentDigest(*footer), shard.footer_digest);
  for (size_t size = 0; size < footer->size(); ++size) {
    EXPECT_EQ(ParquetFooterOf(footer->substr(footer->size() - size)), "");
    EXPECT_EQ(ParquetFooterOf(footer->substr(0, size)), "");
  }
}

}  // namespace
}  // namespace trommel::io
