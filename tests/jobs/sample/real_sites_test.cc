// Samples of real sites, on the data that TROMMEL_DATA points to.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/annotation/resolve.h"
#include "core/base/strings.h"
#include "core/html/parser.h"
#include "core/html/text.h"
#include "jobs/tables/clusters_table.h"
#include "jobs/tables/samples_table.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::sample_job {
namespace {

using testing_support::CommandResult;
using testing_support::RunTrommel;
using testing_support::TempDir;

// By URL and attribute.
using Truth =
    std::map<std::string, std::map<std::string, std::vector<std::string>>>;

struct SamplePage {
  std::string url;
  html::Document document;
};

// The sample of the largest cluster of a site, by rank.
std::deque<SamplePage> SampleOf(const std::string& crawl) {
  TempDir temp;
  std::deque<SamplePage> pages;
  CommandResult result = RunTrommel(
      {"cluster", "--crawl=" + crawl, "--out=" + (temp / "clusters")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  result = RunTrommel({"sample", "--annotate-pages=false", "--crawl=" + crawl,
                       "--clusters=" + (temp / "clusters"),
                       "--out=" + (temp / "samples")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::string largest;
  int64_t largest_size = 0;
  absl::Status read =
      tables::VisitClusters(*io::ResolvePath(temp / "samples/clusters"),
                            [&](tables::ClusterRow cluster) {
                              if (cluster.size > largest_size) {
                                largest_size = cluster.size;
                                largest = cluster.cluster_id;
                              }
                              return absl::OkStatus();
                            });
  EXPECT_TRUE(read.ok()) << read;
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  read = tables::VisitSamples(
      *io::ResolvePath(temp / "samples/samples"),
      [&](const tables::SampleRow& row) {
        if (row.cluster_id != largest) return absl::OkStatus();
        EXPECT_EQ(row.rank, static_cast<int64_t>(pages.size()));
        SamplePage& page = pages.emplace_back();
        page.url = row.url;
        parser->ParsePage(row.content, row.charset, &page.document);
        return absl::OkStatus();
      });
  EXPECT_TRUE(read.ok()) << read;
  return pages;
}

// Values of the first two pages, and those of them that resolve to a text node
// which says the value and nothing else.
struct Resolved {
  int values = 0;
  int right = 0;
};

Resolved ResolveFirstTwo(const std::deque<SamplePage>& sample,
                         const std::set<std::string>& attributes,
                         const Truth& truth) {
  std::deque<annotation::PageText> texts;
  std::vector<annotation::ResolvePage> pages;
  for (size_t i = 0; i < std::min<size_t>(2, sample.size()); ++i) {
    texts.emplace_back(sample[i].document);
    pages.push_back({&texts.back(), sample[i].url});
  }
  Resolved resolved;
  for (const std::string& attribute : attributes) {
    std::vector<annotation::WantedValue> wanted;
    std::vector<size_t> absent;
    for (size_t i = 0; i < pages.size(); ++i) {
      const auto& values = truth.at(sample[i].url).at(attribute);
      if (values.empty()) absent.push_back(i);
      for (const std::string& value : values) wanted.push_back({i, value});
    }
    const std::vector<annotation::ResolvedValue> results =
        annotation::ResolveValues(pages, wanted, absent, /*is_link=*/false);
    for (size_t i = 0; i < wanted.size(); ++i) {
      ++resolved.values;
      const auto& places = results[i].places;
      const html::Document& document = sample[wanted[i].page].document;
      if (!places.empty() && document.IsText(places[0].node) &&
          html::NormalizedText(document, places[0].node) == wanted[i].value) {
        ++resolved.right;
      } else {
        std::printf("  %s of %s: \"%s\" is not a text\n", attribute.c_str(),
                    sample[wanted[i].page].url.c_str(),
                    std::string(wanted[i].value).c_str());
      }
    }
  }
  return resolved;
}

TEST(SampleRealSitesTest, FirstPagesShowTheAttributesAndTheirValuesAreFound) {
  const char* const data = std::getenv("TROMMEL_DATA");
  const std::filesystem::path root =
      std::filesystem::path(data == nullptr ? "" : data) / "swde";
  if (!std::filesystem::is_directory(root)) {
    GTEST_SKIP() << "no real sites: set TROMMEL_DATA to the directory that "
                    "contains swde/";
  }
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  ASSERT_FALSE(folders.empty());
  double sum_of_shares = 0;
  Resolved all;
  for (const std::filesystem::path& folder : folders) {
    SCOPED_TRACE(folder);
    Truth truth;
    std::set<std::string> attributes;  // that occur
    std::ifstream lines(folder / "truth.jsonl");
    for (std::string line; std::getline(lines, line);) {
      const auto json = nlohmann::json::parse(line);
      for (const auto& [name, values] : json["values"].items()) {
        truth[json["url"]][name] = values.get<std::vector<std::string>>();
        if (!values.empty()) attributes.insert(name);
      }
    }
    const std::deque<SamplePage> sample = SampleOf((folder / "crawl").string());
    ASSERT_FALSE(sample.empty());
    int64_t on_first = 0;
    for (const std::string& attribute : attributes) {
      on_first += truth[sample[0].url][attribute].empty() ? 0 : 1;
    }
    const double share =
        static_cast<double>(on_first) / static_cast<double>(attributes.size());
    const Resolved resolved = ResolveFirstTwo(sample, attributes, truth);
    std::printf(
        "%-30s the first page has %.3f of %zu attributes; of the first two, "
        "%d of %d values are found\n",
        folder.filename().c_str(), share, attributes.size(), resolved.right,
        resolved.values);
    sum_of_shares += share;
    all.values += resolved.values;
    all.right += resolved.right;
  }
  const double mean = sum_of_shares / static_cast<double>(folders.size());
  std::printf("mean %.4f; %d of %d values are found\n", mean, all.right,
              all.values);
  EXPECT_GE(mean, 0.95);
  EXPECT_GE(all.right, 0.99 * all.values);
}

}  // namespace
}  // namespace trommel::jobs::sample_job
