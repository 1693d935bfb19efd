// Sites that answer with a wall.

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "core/words/own_words.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "tests/jobs/cluster/cluster_output.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/walls.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::cluster_job {
namespace {

using testing::HasSubstr;
using testing_support::AllWalls;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::RandomWords;
using testing_support::ReadClusters;
using testing_support::ReadTable;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::Wall;
using testing_support::WallRequest;
using testing_support::WriteCrawl;

std::string Record(const WallRequest& request) {
  Random random(request.random);
  return StrCat("<html><head><title>", request.title,
                "</title></head><body><div><h1>", request.title,
                "</h1><table><tr><td>Maker</td><td>", RandomWords(&random, 2),
                "</td></tr></table><p>", RandomWords(&random, 20),
                "</p></div></body></html>");
}

// A row of sites/ by site.
std::map<std::string, TextRow> ReadSites(const std::string& out) {
  std::map<std::string, TextRow> sites;
  for (const TextRow& row :
       ReadTable(out + "/sites", {{"site", io::ColumnType::kBytes},
                                  {"pages", io::ColumnType::kInt64},
                                  {"alike", io::ColumnType::kInt64},
                                  {"alike_text", io::ColumnType::kBytes},
                                  {"alike_url", io::ColumnType::kBytes}})) {
    sites[row.at("site")] = row;
  }
  return sites;
}

class AlikeTest : public testing::Test {
 protected:
  CommandResult Cluster(const std::string& out,
                        const std::vector<std::string>& flags) {
    std::vector<std::string> command = {"cluster", "--out=" + (temp_ / out)};
    command.insert(command.end(), flags.begin(), flags.end());
    const CommandResult result = RunTrommel(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }

  TempDir temp_;
};

// One site for each wall, one in twenty of whose pages comes through, and one
// without a wall.
TEST_F(AlikeTest, WallsAreCountedAndShown) {
  std::vector<Page> pages;
  const std::vector<Wall> walls = AllWalls();
  for (int i = 0; i < 80; ++i) {
    const WallRequest request(i);
    for (size_t wall = 0; wall < walls.size(); ++wall) {
      pages.push_back(
          {StrCat("http://wall", wall, ".example/", request.slug),
           i % 20 == 7 ? Record(request) : walls[wall].html(request)});
    }
    pages.push_back(
        {StrCat("http://good.example/", request.slug), Record(request)});
  }
  WriteCrawl(temp_ / "crawl", pages);
  const CommandResult result = Cluster("out", {"--crawl=" + (temp_ / "crawl")});
  std::map<std::string, TextRow> sites = ReadSites(temp_ / "out");
  for (size_t wall = 0; wall < walls.size(); ++wall) {
    SCOPED_TRACE(walls[wall].label);
    const TextRow& site = sites.at(StrCat("wall", wall, ".example"));
    EXPECT_EQ(site.at("pages"), "80");
    // The pages that came through may be in no template, with the wall's.
    EXPECT_THAT(site.at("alike"), testing::AnyOf("76", "80"));
    EXPECT_THAT(site.at("alike_url"), HasSubstr(StrCat("wall", wall)));
    if (walls[wall].text == nullptr) continue;
    const std::string text = walls[wall].text;
    EXPECT_THAT(site.at("alike_text"), HasSubstr(text.empty() ? "null" : text));
  }
  const TextRow& good = sites.at("good.example");
  EXPECT_EQ(good.at("alike"), "0");
  EXPECT_EQ(good.at("alike_text"), "null");
  EXPECT_EQ(good.at("alike_url"), "null");
  EXPECT_THAT(result.out, HasSubstr("say nothing of their own"));
  EXPECT_THAT(result.out, HasSubstr("Please verify you are human"));

  for (const TextRow& cluster : ReadClusters(temp_ / "out")) {
    if (cluster.at("site") != "good.example") continue;
    EXPECT_GT(std::stoi(cluster.at("own_words")), words::kFewOwnWords);
  }
}

TEST_F(AlikeTest, RowsDoNotDependOnSplitsOrReducers) {
  std::vector<Page> pages;
  const std::vector<Wall> walls = AllWalls();
  for (int i = 0; i < 300; ++i) {
    const WallRequest request(i);
    pages.push_back({StrCat("http://a.example/", i % 250),
                     i % 10 == 0
                         ? Record(request)
                         : walls[static_cast<size_t>(i % 3)].html(request)});
  }
  std::map<std::string, TextRow> sites;
  std::vector<TextRow> clusters;
  for (const size_t parts : {1u, 3u, 7u}) {
    std::vector<std::vector<Page>> crawls(parts);
    for (size_t i = 0; i < pages.size(); ++i) {
      crawls[i * 5 % parts].push_back(pages[i]);
    }
    std::vector<std::string> flags = {StrCat("--reducers=", parts)};
    for (size_t i = 0; i < parts; ++i) {
      const std::string crawl = temp_ / StrCat("crawl", parts, "-", i);
      WriteCrawl(crawl, crawls[i]);
      flags.push_back("--crawl=" + crawl);
    }
    const std::string out = StrCat("out", parts);
    Cluster(out, flags);
    if (sites.empty()) {
      sites = ReadSites(temp_ / out);
      clusters = ReadClusters(temp_ / out);
      EXPECT_NE(sites.at("a.example").at("alike"), "0");
    }
    EXPECT_EQ(ReadSites(temp_ / out), sites);
    EXPECT_EQ(ReadClusters(temp_ / out), clusters);
  }
}

// Of tables of signatures written by former versions nothing is known.
TEST_F(AlikeTest, WithoutWordsNothingIsSaid) {
  const auto schema = arrow::schema(
      {arrow::field("url", arrow::utf8()), arrow::field("site", arrow::utf8()),
       arrow::field("signature", arrow::utf8()),
       arrow::field("sketch", arrow::binary()),
       arrow::field("site_key", arrow::utf8()),
       arrow::field("shingle_length", arrow::int64())});
  auto table =
      io::RowWriter::Create(*io::ResolvePath(temp_ / "signatures"), schema, {});
  ASSERT_TRUE(table.ok()) << table.status();
  for (int i = 0; i < 50; ++i) {
    (*table)
        ->Text(StrCat("http://a.example/", i))
        .Text("a.example")
        .Text("1.2.3.4.5.6.7.8")
        .Bytes(std::string(256, 'x'))
        .Text("host")
        .Int64(10);
    ASSERT_TRUE((*table)->EndRow().ok());
  }
  ASSERT_TRUE((*table)->Close().ok());
  Cluster("out", {"--signatures=" + (temp_ / "signatures")});
  const TextRow site = ReadSites(temp_ / "out").at("a.example");
  EXPECT_EQ(site.at("alike"), "null");
  EXPECT_EQ(site.at("alike_text"), "null");
  ASSERT_EQ(ReadClusters(temp_ / "out").size(), 1u);
  EXPECT_EQ(ReadClusters(temp_ / "out")[0].at("own_words"), "null");
}

}  // namespace
}  // namespace trommel::jobs::cluster_job
