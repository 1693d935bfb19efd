// Clusters of real sites, on the data that TROMMEL_DATA points to.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "core/words/own_words.h"
#include "mapreduce/io/crawl.h"
#include "tests/jobs/cluster/cluster_output.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::cluster_job {
namespace {

using testing_support::CommandResult;
using testing_support::Measure;
using testing_support::Quality;
using testing_support::ReadAssignments;
using testing_support::RunTrommel;
using testing_support::TempDir;

class RealSitesTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const data = std::getenv("TROMMEL_DATA");
    const std::string root =
        StrCat(data == nullptr ? std::string() : std::string(data), "/swde");
    if (!std::filesystem::is_directory(root)) {
      GTEST_SKIP() << "no real sites: set TROMMEL_DATA to the directory that "
                      "contains swde/";
    }
    for (const auto& site : std::filesystem::directory_iterator(root)) {
      const std::string crawl = site.path().string() + "/crawl";
      if (std::filesystem::is_directory(crawl)) crawls_.push_back(crawl);
    }
    std::sort(crawls_.begin(), crawls_.end());
    ASSERT_FALSE(crawls_.empty());
  }

  // Which crawl a URL is of.
  std::map<std::string, std::string> CrawlOfUrl() const {
    std::map<std::string, std::string> crawl_of;
    for (const std::string& crawl : crawls_) {
      auto reader = io::CrawlReader::Open({crawl});
      EXPECT_TRUE(reader.ok()) << reader.status();
      io::CrawlPage page;
      while (reader.ok() && *(*reader)->Next(&page)) {
        crawl_of[std::string(page.url)] = crawl;
      }
    }
    return crawl_of;
  }

  Quality Cluster(const std::vector<std::string>& crawls,
                  const std::vector<std::string>& more_flags,
                  const std::map<std::string, std::string>& crawl_of) {
    std::vector<std::string> flags = {"cluster", "--site=mix", "--force",
                                      "--out=" + (temp_ / "out")};
    for (const std::string& crawl : crawls) flags.push_back("--crawl=" + crawl);
    flags.insert(flags.end(), more_flags.begin(), more_flags.end());
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return Measure(ReadAssignments(temp_ / "out"),
                   [&](const std::string& url) { return crawl_of.at(url); });
  }

  std::vector<std::string> crawls_;
  TempDir temp_;
};

TEST_F(RealSitesTest, SitesMixedIntoOneAreToldApart) {
  const std::map<std::string, std::string> crawl_of = CrawlOfUrl();
  const auto print = [&](const char* label, const Quality& quality) {
    std::printf("%-15s purity %.4f  coverage %.4f  %zu clusters, %.2f a site\n",
                label, quality.Purity(), quality.Coverage(), quality.clusters,
                static_cast<double>(quality.clusters) /
                    static_cast<double>(crawls_.size()));
  };
  const Quality merged = Cluster(crawls_, {}, crawl_of);
  print("merged", merged);
  print("not merged", Cluster(crawls_, {"--merge=false"}, crawl_of));
  EXPECT_GE(merged.Purity(), 0.999);
  EXPECT_GE(merged.Coverage(), 0.99);
  EXPECT_LE(static_cast<double>(merged.clusters),
            1.25 * static_cast<double>(crawls_.size()));
  EXPECT_EQ(merged.clusters_of_class.size(), crawls_.size());
}

TEST_F(RealSitesTest, ASiteOfOneTemplateIsOneCluster) {
  const std::map<std::string, std::string> crawl_of = CrawlOfUrl();
  std::vector<size_t> clusters;
  for (const std::string& crawl : crawls_) {
    SCOPED_TRACE(crawl);
    const Quality quality = Cluster({crawl}, {}, crawl_of);
    EXPECT_GE(quality.Coverage(), 0.98);
    clusters.push_back(quality.clusters);
  }
  std::sort(clusters.begin(), clusters.end());
  std::printf("clusters of single sites: median %zu, most %zu\n",
              clusters[clusters.size() / 2], clusters.back());
  EXPECT_EQ(clusters[clusters.size() / 2], 1u);
}

// No site is taken for a wall. Templates of fewer than a tenth of a site's
// pages are left to the other tests: pages of errors are among them, rightly.
TEST_F(RealSitesTest, PagesOfRealTemplatesSayTheirOwn) {
  const std::map<std::string, std::string> crawl_of = CrawlOfUrl();
  std::vector<std::pair<int64_t, std::string>> own_words;
  for (const std::string& crawl : crawls_) {
    SCOPED_TRACE(crawl);
    Cluster({crawl}, {}, crawl_of);
    int64_t pages = 0;
    for (const auto& row : testing_support::ReadTable(
             temp_ / "out/sites", {{"pages", io::ColumnType::kInt64},
                                   {"alike", io::ColumnType::kInt64}})) {
      pages = std::stoll(row.at("pages"));
      EXPECT_LT(std::stoll(row.at("alike")), pages / 10);
    }
    for (const auto& row : testing_support::ReadClusters(temp_ / "out")) {
      if (row.at("own_words") == "null") continue;
      if (std::stoll(row.at("size")) < pages / 10) continue;
      own_words.emplace_back(std::stoll(row.at("own_words")), crawl);
    }
  }
  std::sort(own_words.begin(), own_words.end());
  ASSERT_GE(own_words.size(), crawls_.size() / 2);
  for (size_t i = 0; i < 3; ++i) {
    std::printf("least own words: %d in %s\n",
                static_cast<int>(own_words[i].first),
                own_words[i].second.c_str());
  }
  std::printf("smallest margin: %d own words, %d are few\n",
              static_cast<int>(own_words[0].first),
              static_cast<int>(words::kFewOwnWords));
  EXPECT_GE(own_words[0].first, words::kFewOwnWords + 2);
}

}  // namespace
}  // namespace trommel::jobs::cluster_job
