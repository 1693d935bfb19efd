#include "jobs/run/stages/readiness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "absl/time/clock.h"
#include "mapreduce/io/output_dir.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::run::stages {
namespace {

using testing::HasSubstr;
using testing_support::ReadWholeFile;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

class ReadinessTest : public testing::Test {
 protected:
  ReadinessTest() { rule_.set_quiet_s(600); }

  std::string Check(absl::Duration later = absl::ZeroDuration()) {
    const absl::Status status =
        CheckCrawlIsReady(temp_ / "crawl", rule_, absl::Now() + later);
    return std::string(status.message());
  }

  // Of a crawl whose only file has 4 bytes.
  void WriteManifest() {
    io::Manifest manifest;
    manifest.shards = {{"part-0.parquet", 1, 4, "digest"}};
    WriteWholeFile(temp_ / "crawl/_SUCCESS", manifest.ToJson());
  }

  TempDir temp_;
  proto::Readiness rule_;
};

TEST_F(ReadinessTest, NothingThere) {
  EXPECT_THAT(Check(), HasSubstr("no crawl has arrived"));
  std::filesystem::create_directories(temp_ / "crawl");
  EXPECT_THAT(Check(), HasSubstr("the folder is empty"));
}

TEST_F(ReadinessTest, ManifestWhoseFilesAreStillComing) {
  WriteManifest();
  EXPECT_THAT(Check(), HasSubstr("names part-0.parquet, which is not there"));
  WriteWholeFile(temp_ / "crawl/part-0.parquet", "abc");
  EXPECT_THAT(Check(), HasSubstr("has 3 of 4 bytes"));
  WriteWholeFile(temp_ / "crawl/part-0.parquet", "abcd");
  EXPECT_EQ(Check(), "");
}

TEST_F(ReadinessTest, ManifestWithoutAKeyIsNotPassedOver) {
  WriteManifest();
  nlohmann::json manifest =
      nlohmann::json::parse(ReadWholeFile(temp_ / "crawl/_SUCCESS"));
  manifest["shards"][0].erase("bytes");
  WriteWholeFile(temp_ / "crawl/_SUCCESS", manifest.dump());
  EXPECT_THAT(Check(), HasSubstr("_SUCCESS: shards[0].bytes is missing"));
}

TEST_F(ReadinessTest, QuietForAWhile) {
  WriteWholeFile(temp_ / "crawl/part-0.parquet", "abc");
  EXPECT_THAT(Check(), HasSubstr("nothing has changed for 600 s"));
  EXPECT_EQ(Check(absl::Seconds(601)), "");
  // Hadoop's own marker is empty and says nothing of trommel's.
  WriteWholeFile(temp_ / "crawl/_SUCCESS", "");
  EXPECT_EQ(Check(absl::Seconds(601)), "");
}

TEST_F(ReadinessTest, Marker) {
  rule_.set_marker("COMPLETE");
  WriteWholeFile(temp_ / "crawl/part-0.parquet", "abc");
  EXPECT_THAT(Check(absl::Seconds(601)), HasSubstr("COMPLETE is not there"));
  WriteWholeFile(temp_ / "crawl/COMPLETE", "");
  EXPECT_EQ(Check(), "");
}

TEST_F(ReadinessTest, MarkerBesideAManifest) {
  WriteWholeFile(temp_ / "crawl/COMPLETE", "");
  for (const char* const marker : {"_SUCCESS", "COMPLETE"}) {
    rule_.set_marker(marker);
    std::filesystem::remove(temp_ / "crawl/part-0.parquet");
    WriteManifest();
    EXPECT_THAT(Check(), HasSubstr("names part-0.parquet, which is not there"));
    WriteWholeFile(temp_ / "crawl/part-0.parquet", "abcd");
    EXPECT_EQ(Check(), "");
    WriteWholeFile(temp_ / "crawl/_SUCCESS", "done");
    EXPECT_EQ(Check(), "");
  }
}

TEST_F(ReadinessTest, FilesThatAreNoCrawl) {
  WriteWholeFile(temp_ / "crawl/part-0.parquet", "abc");
  EXPECT_THAT(std::string(CheckCrawlCanBeRead(temp_ / "crawl").message()),
              testing::AllOf(HasSubstr("part-0.parquet"),
                             HasSubstr("Have it delivered again")));
}

}  // namespace
}  // namespace trommel::jobs::run::stages
