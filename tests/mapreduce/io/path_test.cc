#include "mapreduce/io/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

TEST(ResolvePath, TakesPathsAndUris) {
  const TempDir dir;
  WriteWholeFile(dir / "a.txt", "hello");
  for (const std::string& name :
       {dir / "a.txt", "file://" + (dir / "a.txt"), dir / "x/../a.txt"}) {
    SCOPED_TRACE(name);
    const auto path = ResolvePath(name);
    ASSERT_TRUE(path.ok()) << path.status();
    const auto bytes = ReadFile(*path);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    EXPECT_EQ(*bytes, "hello");
  }
}

TEST(ResolvePath, SaysWhatIsWrong) { EXPECT_FALSE(ResolvePath("").ok()); }

TEST(ResolvePath, OtherFileSystemsAreRefusedWithWhatIsSupported) {
  for (const char* const uri :
       {"gs://bucket/x", "s3://bucket/x", "s3a://bucket/x", "abfs://c@a/x",
        "abfss://c@a/x", "https://host/x.warc.gz", "mock://x", "gopher://h/x",
        "HDFS://host/x", "x-y.z+1://h"}) {
    const absl::Status status = ResolvePath(uri).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << uri;
    EXPECT_EQ(status, CheckScheme(uri));
    const std::string scheme(uri, std::string_view(uri).find(':'));
    EXPECT_EQ(status.message(),
              StrCat(uri, ": ", scheme,
                     ":// is not supported; a path is one of this machine or "
                     "a file:, hdfs: or viewfs: URI"));
  }
  for (const char* const path :
       {"a:b", "gs:x", "dir/http://host", "://x", "/gs://x", "file:///x",
        "hdfs://host/x", "viewfs://host/x"}) {
    EXPECT_TRUE(CheckScheme(path).ok()) << path;
  }
  EXPECT_TRUE(ResolvePath("dir/http://host").ok());
}

TEST(ReadFile, MissingFileIsNotFoundWithItsName) {
  const auto path = ResolvePath("/nonexistent/file");
  ASSERT_TRUE(path.ok());
  const auto bytes = ReadFile(*path);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(bytes.status().message()),
              testing::HasSubstr("/nonexistent/file"));
}

TEST(FileWriter, FileAppearsWhenClosed) {
  const TempDir dir;
  const Path path = *ResolvePath(dir / "out.jsonl");
  {
    auto writer = FileWriter::Create(path);
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_TRUE((*writer)->Write("one\n").ok());
    EXPECT_EQ(Stat(path)->kind, EntryKind::kNone);
    ASSERT_TRUE((*writer)->Close().ok());
  }
  EXPECT_EQ(ReadWholeFile(dir / "out.jsonl"), "one\n");
}

TEST(FileWriter, AbandonedFileLeavesNothing) {
  const TempDir dir;
  {
    auto writer = FileWriter::Create(*ResolvePath(dir / "out.jsonl"));
    ASSERT_TRUE(writer.ok()) << writer.status();
    ASSERT_TRUE((*writer)->Write("one\n").ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(Path, Parts) {
  const Path path = *ResolvePath("/a/b/c");
  EXPECT_EQ(path.BaseName(), "c");
  EXPECT_EQ(path.Parent().path, "/a/b");
  EXPECT_EQ(path.Child("d").name, "/a/b/c/d");
  EXPECT_EQ(ResolvePath("/a")->Parent().path, "/");
}

TEST(ResolvePath, IncompleteUriIsNotALocalPath) {
  for (const char* const uri : {"hdfs:/data", "hdfs:data", "viewfs:/x"}) {
    const absl::StatusOr<Path> path = ResolvePath(uri);
    ASSERT_TRUE(absl::IsInvalidArgument(path.status())) << uri;
    EXPECT_NE(path.status().message().find("//HOST:PORT/path"),
              absl::string_view::npos);
  }
}

}  // namespace
}  // namespace trommel::io
