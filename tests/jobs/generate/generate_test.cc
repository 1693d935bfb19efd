#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "mapreduce/io/crawl.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::generate {
namespace {

using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

constexpr char kSpec[] =
    "seed: 7 days: 2\n"
    "site { host: 'films.example' vertical: 'movie' pages: 30 }\n"
    "site { host: 'books{n}.example' count: 2 vertical: 'book' pages: 10 }\n";

std::set<std::string> UrlsOfCrawl(const std::string& crawl) {
  std::set<std::string> urls;
  auto reader = io::CrawlReader::Open({crawl});
  EXPECT_TRUE(reader.ok()) << reader.status();
  io::CrawlPage page;
  while (*(*reader)->Next(&page)) {
    urls.emplace(page.url);
    EXPECT_EQ(page.fetch_status, 200);
    EXPECT_TRUE(page.fetch_time_us.has_value());
    EXPECT_GT(page.content.size(), 1000u);
  }
  return urls;
}

std::set<std::string> UrlsOfTruth(const std::string& file) {
  std::set<std::string> urls;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    urls.insert(nlohmann::json::parse(line)["url"].get<std::string>());
  }
  return urls;
}

TEST(Generate, WritesCrawlTruthAndSchemasForEveryDay) {
  const TempDir dir;
  WriteWholeFile(dir / "spec.textproto", kSpec);
  const CommandResult result =
      RunTrommel({"generate", "--spec=" + (dir / "spec.textproto"),
                  "--out=" + (dir / "web"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["pages"], 100);
  EXPECT_EQ(json["sites"], 3);
  for (const char* day : {"day=2026-01-01", "day=2026-01-02"}) {
    const std::string folder = dir / ("web/" + std::string(day));
    const std::set<std::string> urls = UrlsOfCrawl(folder + "/crawl");
    EXPECT_EQ(urls.size(), 50u);
    EXPECT_EQ(urls, UrlsOfTruth(folder + "/truth.jsonl"));
    EXPECT_THAT(ReadWholeFile(folder + "/crawl/_SUCCESS"),
                HasSubstr("\"rows\": 50"));
  }
  EXPECT_TRUE(std::filesystem::exists(dir / "web/schemas/movie.textproto"));
  EXPECT_TRUE(std::filesystem::exists(dir / "web/schemas/book.textproto"));
}

TEST(Generate, SameSpecSameBytes) {
  const TempDir dir;
  WriteWholeFile(dir / "spec.textproto", kSpec);
  for (const char* name : {"a", "b"}) {
    ASSERT_EQ(RunTrommel({"generate", "--spec=" + (dir / "spec.textproto"),
                          "--out=" + (dir / name)})
                  .exit_code,
              0);
  }
  EXPECT_EQ(ReadWholeFile(dir / "a/_SUCCESS"),
            ReadWholeFile(dir / "b/_SUCCESS"));
}

TEST(Generate, SpecErrorsNameFileAndField) {
  const TempDir dir;
  WriteWholeFile(dir / "typo.textproto", "sead: 7\n");
  WriteWholeFile(dir / "vertical.textproto",
                 "site { host: 'a.example' vertical: 'moviee' pages: 1 }");
  CommandResult result =
      RunTrommel({"generate", "--spec=" + (dir / "typo.textproto"),
                  "--out=" + (dir / "web")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, testing::AllOf(HasSubstr("typo.textproto:1:"),
                                         HasSubstr("sead")));
  result = RunTrommel({"generate", "--spec=" + (dir / "vertical.textproto"),
                       "--out=" + (dir / "web")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, testing::AllOf(HasSubstr("vertical.textproto"),
                                         HasSubstr("moviee")));
  EXPECT_FALSE(std::filesystem::exists(dir / "web"));
}

}  // namespace
}  // namespace trommel::jobs::generate
