#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::stats {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteCrawl;
using testing_support::WriteForeignCrawl;
using testing_support::WriteWholeFile;

class StatsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::vector<Page> pages;
    for (int i = 0; i < 300; ++i) {
      pages.push_back({StrCat("https://WWW.Big.example:8080/", i), "12345"});
      if (i % 3 == 0) pages.push_back({StrCat("http://b.example/", i), ""});
    }
    pages.push_back({"not a url", "x"});
    pages.push_back({"mailto:someone@b.example", "xy"});
    WriteCrawl(temp_ / "crawl", pages);
  }
  TempDir temp_;
};

TEST_F(StatsTest, CountsPagesAndBytesPerSite) {
  const CommandResult result =
      RunTrommel({"stats", "--crawl=" + (temp_ / "crawl"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["pages"], 402);
  EXPECT_EQ(report["bytes"], 1503);
  EXPECT_EQ(report["num_sites"], 3);
  EXPECT_EQ(report["sites"], json::parse(R"([
    {"site": "www.big.example", "pages": 300, "bytes": 1500},
    {"site": "b.example", "pages": 100, "bytes": 0},
    {"site": "-", "pages": 2, "bytes": 3}])"));
  EXPECT_EQ(report["counters"]["rows.read"], 402);
  EXPECT_EQ(report["counters"]["rows.rejected"], 0);
}

TEST_F(StatsTest, RowsWithoutUrlAreRejected) {
  WriteForeignCrawl(temp_ / "foreign", {{std::nullopt, "1"},
                                        {"", "22"},
                                        {"http://b.example/a", "333"},
                                        {"http://b.example/b", ""}});
  const CommandResult result =
      RunTrommel({"stats", "--crawl=" + (temp_ / "foreign"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["sites"],
            json::parse(R"([{"site":"b.example","pages":2,"bytes":3}])"));
  EXPECT_EQ(report["counters"]["rows.read"], 4);
  EXPECT_EQ(report["counters"]["rows.rejected"], 2);
}

TEST_F(StatsTest, TextHasATotal) {
  const CommandResult result =
      RunTrommel({"stats", "--crawl=" + (temp_ / "crawl")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("www.big.example"));
  EXPECT_THAT(result.out, testing::ContainsRegex("total +402 +1503\n$"));
}

TEST_F(StatsTest, SeveralCrawlsAddUp) {
  WriteCrawl(temp_ / "second", {{"http://b.example/z", "abc"}});
  const CommandResult result =
      RunTrommel({"stats", "--crawl=" + (temp_ / "crawl"),
                  "--crawl=" + (temp_ / "second"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out);
  EXPECT_EQ(report["sites"][1],
            json::parse(R"({"site":"b.example","pages":101,"bytes":3})"));
}

TEST_F(StatsTest, OutIsATableWithAManifestAndTheSameWithAnyNumberOfWorkers) {
  std::map<std::string, std::string> digests;
  for (const char* const workers : {"1", "3"}) {
    const std::string out = temp_ / (std::string("out") + workers);
    const CommandResult result =
        RunTrommel({"stats", "--crawl=" + (temp_ / "crawl"), "--out=" + out,
                    std::string("--workers=") + workers});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json manifest = json::parse(ReadWholeFile(out + "/_SUCCESS"));
    EXPECT_EQ(manifest["verb"], "stats");
    ASSERT_EQ(manifest["shards"].size(), 1u);
    const std::string file = manifest["shards"][0]["file"];
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
    EXPECT_EQ(manifest["shards"][0]["rows"], 3);
    digests[workers] = manifest["shards"][0]["digest"];
    // Nothing else is left behind.
    int entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(out)) {
      (void)entry;
      ++entries;
    }
    EXPECT_EQ(entries, 2);
  }
  EXPECT_EQ(digests["1"], digests["3"]);
}

TEST_F(StatsTest, FinishedOutputIsReplacedOnlyByForce) {
  const std::vector<std::string> command = {
      "stats", "--crawl=" + (temp_ / "crawl"), "--out=" + (temp_ / "out")};
  ASSERT_EQ(RunTrommel(command).exit_code, 0);
  const CommandResult again = RunTrommel(command);
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  std::vector<std::string> forced = command;
  forced.push_back("--force");
  EXPECT_EQ(RunTrommel(forced).exit_code, 0);
}

TEST_F(StatsTest, ErrorsNameFileFlagAndColumn) {
  CommandResult result = RunTrommel({"stats"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--crawl"));
  result = RunTrommel({"stats", "--crawl=" + (temp_ / "nothing")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr(temp_ / "nothing"));
  WriteWholeFile(temp_ / "bad/part-0.parquet", "not parquet");
  result = RunTrommel({"stats", "--crawl=" + (temp_ / "bad")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("bad/part-0.parquet"));
  result =
      RunTrommel({"stats", "--crawl=" + (temp_ / "crawl"), "--engine=hadoop"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--out"));
  result = RunTrommel(
      {"stats", "--crawl=" + (temp_ / "crawl"), "--hadoop-define=novalue"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("NAME=VALUE"));
  result = RunTrommel(
      {"stats", "--crawl=" + (temp_ / "crawl"), "--sort-memory-mb=900"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--sort-memory-mb=900"),
                                HasSubstr("--task-memory-mb=1024")));
}

}  // namespace
}  // namespace trommel::jobs::stats
