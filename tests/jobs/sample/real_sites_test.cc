// Samples of real sites, on the data that TROMMEL_DATA points to.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel {
namespace {

using testing_support::CommandResult;
using testing_support::RunTrommel;
using testing_support::TempDir;

// Of each site, the page to annotate first has nearly all attributes that the
// site has anywhere.
TEST(SampleRealSitesTest, TheFirstPageHasTheAttributesOfTheSite) {
  const char* const data = std::getenv("TROMMEL_DATA");
  const std::filesystem::path root =
      std::filesystem::path(data == nullptr ? "" : data) / "swde";
  if (!std::filesystem::is_directory(root)) {
    GTEST_SKIP() << "no real sites: set TROMMEL_DATA to the directory that "
                    "contains swde/";
  }
  TempDir temp;
  double sum = 0;
  int sites = 0;
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  for (const std::filesystem::path& folder : folders) {
    SCOPED_TRACE(folder);
    std::map<std::string, std::set<std::string>> attributes;
    std::set<std::string> all;
    std::ifstream truth(folder / "truth.jsonl");
    for (std::string line; std::getline(truth, line);) {
      const auto json = nlohmann::json::parse(line);
      for (const auto& [name, values] : json["values"].items()) {
        if (values.empty()) continue;
        attributes[json["url"]].insert(name);
        all.insert(name);
      }
    }
    const std::string crawl = "--crawl=" + (folder / "crawl").string();
    CommandResult result = RunTrommel(
        {"cluster", "--force", crawl, "--out=" + (temp / "clusters")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    result = RunTrommel({"sample", "--force", "--annotate-pages=false", crawl,
                         "--clusters=" + (temp / "clusters"),
                         "--out=" + (temp / "samples")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::string largest;
    int64_t largest_size = 0;
    size_t clusters = 0;
    absl::Status read = VisitClusters(
        *io::ResolvePath(temp / "samples/clusters"), [&](ClusterRow cluster) {
          ++clusters;
          if (cluster.size > largest_size) {
            largest_size = cluster.size;
            largest = cluster.cluster_id;
          }
          return absl::OkStatus();
        });
    ASSERT_TRUE(read.ok()) << read;
    std::string first_url;
    read = VisitSamples(*io::ResolvePath(temp / "samples/samples"),
                        [&](const SampleRow& row) {
                          if (row.rank == 0 && row.cluster_id == largest) {
                            first_url = row.url;
                          }
                          return absl::OkStatus();
                        });
    ASSERT_TRUE(read.ok()) << read;
    const double share = static_cast<double>(attributes[first_url].size()) /
                         static_cast<double>(all.size());
    std::printf("%-30s %.3f of %zu attributes, %zu clusters\n",
                folder.filename().c_str(), share, all.size(), clusters);
    sum += share;
    ++sites;
  }
  ASSERT_GT(sites, 0);
  std::printf("mean %.4f\n", sum / sites);
  EXPECT_GE(sum / sites, 0.95);
}

}  // namespace
}  // namespace trommel
