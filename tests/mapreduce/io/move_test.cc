#include "mapreduce/io/move.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>

#include "core/base/strings.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

// To another file system it is copied.
TEST(Move, FilesAndFoldersToAnyPlace) {
  for (const char* const place : {"/tmp", "/dev/shm"}) {
    SCOPED_TRACE(place);
    const TempDir dir;
    if (::access(place, W_OK) != 0) continue;
    const std::string other = StrCat(place, "/trommel-move-test-", ::getpid());
    std::filesystem::create_directory(other);
    WriteWholeFile(dir / "folder/a/b", "bytes");
    WriteWholeFile(dir / "folder/c", "more");
    for (const auto& [from, to] :
         {std::pair("folder", "moved"), std::pair("moved/c", "file")}) {
      const std::string source = StrCat(
          std::string_view(from) == "folder" ? dir.path() : other, "/", from);
      const absl::Status status =
          Move(*ResolvePath(source), *ResolvePath(StrCat(other, "/", to)));
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_FALSE(std::filesystem::exists(source));
    }
    EXPECT_EQ(ReadWholeFile(other + "/moved/a/b"), "bytes");
    EXPECT_EQ(ReadWholeFile(other + "/file"), "more");
    EXPECT_TRUE(
        Move(*ResolvePath(other + "/file"), *ResolvePath(dir / "file")).ok());
    EXPECT_EQ(ReadWholeFile(dir / "file"), "more");
    const auto left = ListDirectory(*ResolvePath(other), /*recursive=*/false);
    EXPECT_EQ(left->size(), 1u);  // no copy under another name
    EXPECT_FALSE(
        Move(*ResolvePath(dir / "none"), *ResolvePath(dir / "x")).ok());
    std::filesystem::remove_all(other);
  }
}

}  // namespace
}  // namespace trommel::io
