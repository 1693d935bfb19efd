#include "mapreduce/io/location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "mapreduce/io/output_dir.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing_support::TempDir;
using testing_support::WriteWholeFile;

Location At(const std::string& path_or_uri) {
  const absl::StatusOr<Location> location = Location::Of(path_or_uri);
  EXPECT_TRUE(location.ok()) << location.status();
  return *location;
}

TEST(Location, OnePlaceHasOneSpelling) {
  const TempDir dir;
  std::filesystem::create_directories(dir / "real/a");
  std::filesystem::create_directory_symlink(dir / "real", dir / "link");
  const std::string real = dir / "real/a";
  for (const std::string& same :
       {real + "/", real + "/./", dir / "real/b/../a", dir / "link/a",
        "file://" + real, "file:" + real, "file://" + (dir / "link/a/")}) {
    EXPECT_TRUE(At(same) == At(real)) << same;
  }
  EXPECT_TRUE(At("here") == At(std::filesystem::current_path() / "here"));
  // What is not there yet may be below a link as well.
  EXPECT_TRUE(At(dir / "link/new/er") == At(dir / "real/new/er"));
}

TEST(Location, AClusterHasManyNames) {
  const Location place = At("hdfs://namenode:8020/data/web");
  for (const char* const same :
       {"hdfs://namenode/data/web", "hdfs://namenode:8020/data/web/",
        "hdfs://nameservice/data/./x/../web", "hdfs:///data/web",
        "viewfs://cluster/data/web", "hdfs://namenode/data/w%65b",
        "hdfs://namenode:8020/data/web?replication=2"}) {
    EXPECT_TRUE(At(same) == place) << same;
  }
  EXPECT_FALSE(At("/data/web") == place);
  EXPECT_FALSE(At("/data").Contains(place));
  EXPECT_TRUE(At("hdfs://namenode/data").Contains(place));
}

TEST(Location, ContainsWhatLiesBelow) {
  struct Case {
    const char* label;
    const char* folder;
    const char* path;
    bool is_inside;
  };
  for (const Case& c : {Case{"itself", "/a/b", "/a/b", true},
                        Case{"below", "/a/b", "/a/b/c/d", true},
                        Case{"above", "/a/b", "/a", false},
                        Case{"the same beginning", "/a/b", "/a/bc", false},
                        Case{"beside", "/a/b", "/a/c", false},
                        Case{"the root", "/", "/a", true},
                        Case{"the root itself", "/", "/", true}}) {
    EXPECT_EQ(At(c.folder).Contains(At(c.path)), c.is_inside) << c.label;
  }
}

TEST(Location, UnknownFileSystemsHaveNone) {
  EXPECT_TRUE(absl::IsInvalidArgument(Location::Of("gs://b/x").status()));
}

TEST(Location, LinksAreFoundWhereverTheyLead) {
  const TempDir dir;
  WriteWholeFile(dir / "out/part", "x");
  WriteWholeFile(dir / "in/deep/file", "x");
  const Location in = At(dir / "in");
  const Location out = At(dir / "out");
  EXPECT_EQ(in.FindLinkTo(out), std::nullopt);
  const auto found = [&](const std::string& target, const std::string& link) {
    std::filesystem::create_symlink(target, link);
    const std::optional<std::string> result = in.FindLinkTo(out);
    std::filesystem::remove(link);
    return result;
  };
  const std::string link = dir / "in/deep/link";
  EXPECT_EQ(found(dir / "out/part", link), link);
  EXPECT_EQ(found("../../out", link), link);
  EXPECT_EQ(found(dir.path(), link), link) << "a folder around it";
  EXPECT_EQ(found(dir / "nowhere", link), std::nullopt);
  EXPECT_EQ(found(dir / "in", link), std::nullopt) << "in a circle";
  // By way of a folder that is elsewhere.
  std::filesystem::create_directory(dir / "elsewhere");
  std::filesystem::create_symlink(dir / "out/part", dir / "elsewhere/far");
  EXPECT_EQ(found(dir / "elsewhere", link), dir / "elsewhere/far");
}

TEST(IsStagingOf, KnowsWhatRunsLeaveBesideTheirOutput) {
  const Location out = At("/data/out");
  for (const char* const path :
       {"/data/.out.replaced", "/data/.out.replaced/part-00000.parquet",
        "/data/.out.resumable", "/data/.out.staging-host.17/x"}) {
    EXPECT_TRUE(IsStagingOf(out, At(path))) << path;
  }
  for (const char* const path :
       {"/data/out", "/data/.out", "/data/.other.replaced", "/.out.replaced",
        "hdfs://host/data/.out.replaced"}) {
    EXPECT_FALSE(IsStagingOf(out, At(path))) << path;
  }
}

}  // namespace
}  // namespace trommel::io
