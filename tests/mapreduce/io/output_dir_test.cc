#include "mapreduce/io/output_dir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

// Makes an output with one file and commits it.
absl::Status MakeOutput(const std::string& path, std::string_view content,
                        bool force) {
  auto out = OutputDir::Create(path, force);
  if (!out.ok()) return out.status();
  const absl::Status status =
      WriteFile((*out)->staging().Child("data.txt"), content);
  if (!status.ok()) return status;
  Manifest manifest;
  manifest.verb = "test";
  return (*out)->Commit(manifest);
}

TEST(OutputDir, AppearsAllAtOnce) {
  const TempDir dir;
  auto out = OutputDir::Create(dir / "deep/er/out", /*force=*/false);
  ASSERT_TRUE(out.ok()) << out.status();
  ASSERT_TRUE(WriteFile((*out)->staging().Child("data.txt"), "x").ok());
  EXPECT_FALSE(std::filesystem::exists(dir / "deep/er/out"));
  ASSERT_TRUE((*out)->Commit({}).ok());
  EXPECT_EQ(ReadWholeFile(dir / "deep/er/out/data.txt"), "x");
  EXPECT_TRUE(std::filesystem::exists(dir / "deep/er/out/_SUCCESS"));
}

TEST(OutputDir, WithoutCommitNothingIsLeft) {
  const TempDir dir;
  {
    auto out = OutputDir::Create(dir / "out", /*force=*/false);
    ASSERT_TRUE(out.ok()) << out.status();
    ASSERT_TRUE(WriteFile((*out)->staging().Child("data.txt"), "x").ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(OutputDir, ResumeFindsWhatAnEarlierRunLeft) {
  const TempDir dir;
  {
    auto out = OutputDir::Resume(dir / "out", /*force=*/false);
    ASSERT_TRUE(out.ok()) << out.status();
    ASSERT_TRUE(WriteFile((*out)->staging().Child("data.txt"), "x").ok());
    // While it is being written nobody else may.
    const auto second = OutputDir::Resume(dir / "out", /*force=*/false);
    EXPECT_TRUE(absl::IsFailedPrecondition(second.status()));
    EXPECT_TRUE(
        std::filesystem::exists((*out)->staging().Child("data.txt").path));
  }
  EXPECT_FALSE(std::filesystem::exists(dir / "out"));
  auto out = OutputDir::Resume(dir / "out", /*force=*/false);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(ReadWholeFile((*out)->staging().Child("data.txt").path), "x");
  ASSERT_TRUE((*out)->Commit({}).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "x");
  EXPECT_FALSE(std::filesystem::exists(dir / ".out.resumable"));
}

TEST(OutputDir, ResumeLeavesNothingWhereNothingWasWritten) {
  const TempDir dir;
  ASSERT_TRUE(OutputDir::Resume(dir / "out", /*force=*/false).ok());
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(OutputDir, AManifestMayListOnlyWhatIsThere) {
  const TempDir dir;
  auto out = OutputDir::Create(dir / "out", /*force=*/false);
  ASSERT_TRUE(out.ok()) << out.status();
  ASSERT_TRUE(WriteFile((*out)->staging().Child("a"), "12345").ok());
  Manifest manifest;
  manifest.shards = {{"a", 1, 5, ""}, {"b", 1, 5, ""}};
  EXPECT_TRUE(absl::IsAborted((*out)->Commit(manifest)));
  manifest.shards = {{"a", 1, 4, ""}};
  EXPECT_TRUE(absl::IsAborted((*out)->Commit(manifest)));
  EXPECT_FALSE(std::filesystem::exists(dir / "out"));
  manifest.shards = {{"a", 1, 5, ""}};
  EXPECT_TRUE((*out)->Commit(manifest).ok());
}

TEST(OutputDir, FinishedOutputNeedsForce) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
  const absl::Status refused = MakeOutput(dir / "out", "new", false);
  EXPECT_EQ(refused.code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr("--force"));
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "old");
  ASSERT_TRUE(MakeOutput(dir / "out", "new", true).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "new");
  // Neither the old output nor the staging directory stays behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}),
            1);
}

TEST(OutputDir, OldOutputStaysWhileTheNewOneIsWritten) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
  auto out = OutputDir::Create(dir / "out", /*force=*/true);
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "old");
}

TEST(OutputDir, ForeignDirectoryIsNeverReplaced) {
  const TempDir dir;
  WriteWholeFile(dir / "out/precious.txt", "mine");
  for (const bool force : {false, true}) {
    const absl::Status status = MakeOutput(dir / "out", "new", force);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  }
  // Hadoop's own empty marker does not make it ours.
  WriteWholeFile(dir / "out/_SUCCESS", "");
  EXPECT_FALSE(MakeOutput(dir / "out", "new", true).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/precious.txt"), "mine");
}

TEST(OutputDir, OnlyAManifestMakesAFolderOurs) {
  auto damaged = nlohmann::ordered_json::parse(Manifest().ToJson());
  damaged.erase("shards");
  struct Case {
    const char* label;
    std::string success;
    const char* why;
  };
  for (const Case& c :
       {Case{"nothing", "", "its _SUCCESS is empty"},
        Case{"an object", "{}", "its _SUCCESS is not trommel's"},
        Case{"any text", "done\n", "its _SUCCESS is not trommel's"},
        Case{"a list", "[1]", "its _SUCCESS is not trommel's"},
        Case{"another program's", R"({"format":"x","shards":[]})",
             "its _SUCCESS is not trommel's"},
        Case{"a damaged one", damaged.dump(),
             "its _SUCCESS is damaged: shards is missing"}}) {
    SCOPED_TRACE(c.label);
    const TempDir dir;
    WriteWholeFile(dir / "out/_SUCCESS", c.success);
    WriteWholeFile(dir / "out/precious.txt", "mine");
    for (const bool force : {false, true}) {
      const absl::Status status = MakeOutput(dir / "out", "new", force);
      EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
      EXPECT_THAT(std::string(status.message()), testing::HasSubstr(c.why));
    }
    EXPECT_EQ(ReadWholeFile(dir / "out/precious.txt"), "mine");
  }
}

TEST(OutputDir, FilesOfOthersInItAreNotDeleted) {
  for (const char* const file :
       {"annotations.jsonl", "sub/folder/notes", ".hidden", "_mine"}) {
    SCOPED_TRACE(file);
    const TempDir dir;
    ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
    WriteWholeFile(dir / "out/" + file, "mine");
    const absl::Status status = MakeOutput(dir / "out", "new", true);
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                testing::HasSubstr(dir / "out/" + file));
    EXPECT_EQ(ReadWholeFile(dir / "out/" + file), "mine");
    EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "old");
    std::filesystem::remove(dir / "out/" + file);
    EXPECT_TRUE(MakeOutput(dir / "out", "new", true).ok());
  }
}

TEST(OutputDir, LitterInItIsNobodys) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
  for (const char* const file :
       {".DS_Store", "sub/Thumbs.db", ".nfs00001", ".data.txt.crc"}) {
    WriteWholeFile(dir / "out/" + file, "");
  }
  EXPECT_TRUE(MakeOutput(dir / "out", "new", true).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "new");
}

TEST(OutputDir, FilesThatComeWhileItWorksAreNotDeletedEither) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
  auto out = OutputDir::Create(dir / "out", /*force=*/true);
  ASSERT_TRUE(out.ok()) << out.status();
  WriteWholeFile(dir / "out/notes", "mine");
  EXPECT_TRUE(absl::IsFailedPrecondition((*out)->Commit({})));
  EXPECT_EQ(ReadWholeFile(dir / "out/notes"), "mine");
}

TEST(OutputDir, ManifestsOfEarlierVersionsDoNotListEveryFile) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
  auto json =
      nlohmann::ordered_json::parse(ReadWholeFile(dir / "out/_SUCCESS"));
  EXPECT_EQ(json["other_files"], nlohmann::ordered_json({"data.txt"}));
  json.erase("other_files");
  json.erase("self_digest");
  WriteWholeFile(dir / "out/_SUCCESS", json.dump());
  EXPECT_TRUE(MakeOutput(dir / "out", "new", true).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "new");
}

TEST(OutputDir, OldOutputStaysAsideWhileAFolderOfOthersIsInItsPlace) {
  for (const bool is_empty : {true, false}) {
    const TempDir dir;
    ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
    std::filesystem::rename(dir / "out", dir / ".out.replaced");
    std::filesystem::create_directory(dir / "out");
    if (!is_empty) WriteWholeFile(dir / "out/mine", "mine");
    EXPECT_EQ(OutputDir::Create(dir / "out", /*force=*/true).ok(), is_empty);
    EXPECT_EQ(ReadWholeFile(dir / ".out.replaced/data.txt"), "old");
  }
}

TEST(OutputDir, EmptyDirectoryIsTaken) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "out");
  EXPECT_TRUE(MakeOutput(dir / "out", "x", false).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "x");
}

TEST(OutputDir, FileInTheWayIsAnError) {
  const TempDir dir;
  WriteWholeFile(dir / "out", "x");
  EXPECT_EQ(MakeOutput(dir / "out", "x", true).code(),
            absl::StatusCode::kAlreadyExists);
}

TEST(OutputDir, OutputFinishedMeanwhileIsNotReplacedWithoutForce) {
  const TempDir dir;
  auto slow = OutputDir::Create(dir / "out", /*force=*/false);
  ASSERT_TRUE(slow.ok()) << slow.status();
  // Another process finishes the same output first.
  const pid_t child = ::fork();
  if (child == 0) ::_exit(MakeOutput(dir / "out", "fast", false).ok() ? 0 : 1);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ((*slow)->Commit({}).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "fast");
}

TEST(OutputDir, OldOutputIsPutBackAfterACrashBetweenTheRenames) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "old", false).ok());
  std::filesystem::rename(dir / "out", dir / ".out.replaced");
  EXPECT_EQ(MakeOutput(dir / "out", "new", false).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "old");
}

TEST(OutputDir, LeftoverOfAFinishedReplacementIsRemoved) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "out", "new", false).ok());
  WriteWholeFile(dir / ".out.replaced/data.txt", "old");
  ASSERT_TRUE(MakeOutput(dir / "out", "newer", true).ok());
  EXPECT_EQ(ReadWholeFile(dir / "out/data.txt"), "newer");
  EXPECT_FALSE(std::filesystem::exists(dir / ".out.replaced"));
}

TEST(OutputDir, LinkedTargetKeepsTheLink) {
  const TempDir dir;
  ASSERT_TRUE(MakeOutput(dir / "real", "old", false).ok());
  std::filesystem::create_directory_symlink(dir / "real", dir / "link");
  ASSERT_TRUE(MakeOutput(dir / "link", "new", true).ok());
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
  EXPECT_EQ(ReadWholeFile(dir / "real/data.txt"), "new");
}

TEST(OutputDir, StagingOfALivingProcessIsLeftAlone) {
  const TempDir dir;
  auto first = OutputDir::Create(dir / "out", /*force=*/false);
  ASSERT_TRUE(first.ok()) << first.status();
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(OutputDir::Create(dir / "out", /*force=*/false).ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_TRUE(std::filesystem::exists((*first)->staging().path));
}

TEST(OutputDir, StagingOfADeadProcessIsRemoved) {
  const TempDir dir;
  // A child that dies without cleaning up, as by SIGKILL.
  const pid_t child = ::fork();
  if (child == 0) {
    auto out = OutputDir::Create(dir / "out", /*force=*/false);
    (void)WriteFile((*out)->staging().Child("data.txt"), "half");
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_FALSE(std::filesystem::exists(dir / "out"));
  EXPECT_FALSE(std::filesystem::is_empty(dir.path()));
  ASSERT_TRUE(MakeOutput(dir / "out", "whole", false).ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}),
            1);
}

TEST(Manifest, IsJsonWhateverTheNames) {
  Manifest manifest;
  manifest.verb = "ingest";
  manifest.inputs = {"a\xFF\"b"};
  manifest.flags = {{"from", "warc"}};
  manifest.counts = {{"rows", 3}};
  manifest.shards = {{"part-00000.parquet", 3, 100, "abc"}};
  const auto json = nlohmann::json::parse(manifest.ToJson());
  EXPECT_EQ(json["verb"], "ingest");
  EXPECT_EQ(json["flags"]["from"], "warc");
  EXPECT_EQ(json["counts"]["rows"], 3);
  EXPECT_EQ(json["shards"][0]["rows"], 3);
}

TEST(Manifest, IsReadAsWritten) {
  Manifest manifest;
  manifest.verb = "ingest";
  manifest.inputs = {"a", "b"};
  manifest.flags = {{"to", "x"}, {"from", "warc"}};
  manifest.counts = {{"rows", 3}};
  manifest.shards = {{"part-00000.parquet", 3, 100, "abc"}};
  const auto read = Manifest::FromJson(manifest.ToJson());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ((*read)->ToJson(), manifest.ToJson());
}

TEST(Manifest, IsToldFromThoseOfOtherPrograms) {
  for (const char* const text :
       {"", "done", "[]", R"({"shards":[]})", R"({"format":"another"})"}) {
    const auto read = Manifest::FromJson(text);
    ASSERT_TRUE(read.ok()) << text << ": " << read.status();
    EXPECT_FALSE(read->has_value()) << text;
  }
}

TEST(Manifest, NoticesThatItHasChanged) {
  Manifest manifest;
  manifest.verb = "test";
  manifest.shards = {{"part-00000.parquet", 3, 100, "abc", "def"}};
  const std::string text = manifest.ToJson();
  int noticed = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    const auto read = Manifest::FromJson(changed);
    if (!read.ok()) {
      ++noticed;
    } else if (read->has_value()) {
      // White space, and nothing else.
      EXPECT_EQ((*read)->ToJson(), text) << i;
    }
  }
  EXPECT_GT(noticed, 150);
  for (size_t size = text.find("trommel-output-") + 15; size + 2 < text.size();
       ++size) {
    EXPECT_FALSE(Manifest::FromJson(text.substr(0, size)).ok()) << size;
  }
}

TEST(Manifest, OfEarlierVersionsIsRead) {
  const auto read = Manifest::FromJson(
      R"({"format":"trommel-output-1","verb":"stats","inputs":[],"flags":{},
          "counts":{},"shards":[{"file":"a","rows":1,"bytes":2,"digest":"x"}]})");
  ASSERT_TRUE(read.ok() && read->has_value()) << read.status();
  EXPECT_EQ((*read)->shards[0].footer_digest, "");
}

TEST(Manifest, WithoutAKeyIsAnErrorThatNamesIt) {
  Manifest manifest;
  manifest.shards = {{"part-00000.parquet", 3, 100, "abc"}};
  auto json = nlohmann::ordered_json::parse(manifest.ToJson());
  json["shards"][0].erase("bytes");
  EXPECT_EQ(Manifest::FromJson(json.dump()).status().message(),
            "shards[0].bytes is missing");
}

// Killed before it had its lock, or when it had just given it up.
TEST(OutputDir, StagingWithoutALockGoesWithItsProcess) {
  TempDir temp;
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  const std::string prefix = temp / ".out.staging-";
  const std::string left = StrCat(prefix, host, ".", gone);
  const std::string alive = StrCat(prefix, host, ".", ::getppid());
  const std::string elsewhere = StrCat(prefix, "elsewhere.", gone);
  for (const std::string& folder : {left, alive, elsewhere}) {
    std::filesystem::create_directories(folder);
  }
  ASSERT_TRUE(OutputDir::Create(temp / "out", /*force=*/false).ok());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(alive));
  EXPECT_TRUE(std::filesystem::exists(elsewhere));
}

}  // namespace
}  // namespace trommel::io
