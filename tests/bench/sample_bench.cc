// The sample of pages to annotate, on real sites: how good it is, and what it
// costs.
//
//   sample_bench DATA [ROUNDS]
//
// DATA has a folder for each site with crawl/ and truth.jsonl. Per site, for
// the weighted greedy choice that `trommel sample` makes and the two baselines
// of the paper (III-B), greedy by the number of XPaths not yet covered and
// random choice (mean of 20 seeds), the two metrics of the paper: pages needed
// until all XPaths are covered, and the share of the site's attributes that the
// first page has. Then the processor time of sampling over that of parsing
// alone, least of ROUNDS.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/html/parser.h"
#include "core/sample/page_contents.h"
#include "core/sample/page_sampler.h"
#include "mapreduce/io/crawl.h"

namespace trommel {
namespace {

constexpr int kSeeds = 20;

struct Page {
  std::string url;
  std::string content;
  std::string charset;
  std::set<std::string> attributes;  // that it has
};

std::vector<Page> ReadSite(const std::filesystem::path& folder) {
  std::map<std::string, std::set<std::string>> attributes;
  const auto truth_path = io::ResolvePath((folder / "truth.jsonl").string());
  const auto truth = io::ReadFile(*truth_path);
  for (size_t begin = 0; begin < truth->size();) {
    const size_t end = std::min(truth->find('\n', begin), truth->size());
    const auto line =
        nlohmann::json::parse(truth->begin() + static_cast<int64_t>(begin),
                              truth->begin() + static_cast<int64_t>(end));
    for (const auto& [name, values] : line["values"].items()) {
      if (!values.empty()) attributes[line["url"]].insert(name);
    }
    begin = end + 1;
  }
  std::vector<Page> pages;
  auto reader = io::CrawlReader::Open({(folder / "crawl").string()});
  io::CrawlPage page;
  while (*(*reader)->Next(&page)) {
    const std::string url(page.url);
    pages.push_back({url, std::string(page.content), std::string(page.charset),
                     attributes[url]});
  }
  return pages;
}

// Pages taken in an order until every XPath is covered.
size_t PagesToCover(const sample::PageSampler& sampler,
                    const std::vector<size_t>& order) {
  std::vector<bool> covered(sampler.num_paths());
  size_t num_covered = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (num_covered == covered.size()) return i;
    for (const sample::PageSampler::PathNumber path :
         sampler.PathsOf(order[i])) {
      num_covered += covered[path] ? 0 : 1;
      covered[path] = true;
    }
  }
  return order.size();
}

// The paper's first baseline, by definition: the page with the most XPaths not
// yet covered.
std::vector<size_t> GreedyOrder(const sample::PageSampler& sampler) {
  std::vector<bool> covered(sampler.num_paths());
  std::vector<bool> taken(sampler.num_pages());
  std::vector<size_t> order;
  while (order.size() < sampler.num_pages()) {
    size_t best = 0;
    int64_t best_gain = -1;
    for (size_t page = 0; page < sampler.num_pages(); ++page) {
      if (taken[page]) continue;
      const auto& paths = sampler.PathsOf(page);
      const int64_t gain =
          std::count_if(paths.begin(), paths.end(),
                        [&](auto path) { return !covered[path]; });
      if (gain > best_gain) {
        best = page;
        best_gain = gain;
      }
    }
    taken[best] = true;
    order.push_back(best);
    for (const auto path : sampler.PathsOf(best)) covered[path] = true;
  }
  return order;
}

struct Metrics {
  double pages_to_cover = 0;
  double first_attributes = 0;

  void Add(const Metrics& other, double weight) {
    pages_to_cover += weight * other.pages_to_cover;
    first_attributes += weight * other.first_attributes;
  }
};

struct SiteResult {
  Metrics weighted, greedy, random;
};

SiteResult Measure(const std::vector<Page>& pages) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  sample::ContentCollector collector;
  std::vector<sample::PathContent> contents;
  sample::PageSampler sampler;
  std::set<std::string> attributes;
  for (const Page& page : pages) {
    parser->ParsePage(page.content, page.charset, &document);
    collector.Collect(document, &contents);
    sampler.AddPage(contents);
    attributes.insert(page.attributes.begin(), page.attributes.end());
  }
  const auto metrics = [&](const std::vector<size_t>& order) {
    return Metrics{
        static_cast<double>(PagesToCover(sampler, order)),
        static_cast<double>(pages[order[0]].attributes.size()) /
            static_cast<double>(std::max<size_t>(attributes.size(), 1))};
  };
  SiteResult result;
  std::vector<size_t> order;
  for (const auto& chosen : sampler.Choose(pages.size())) {
    order.push_back(chosen.page);
  }
  result.weighted = metrics(order);
  result.greedy = metrics(GreedyOrder(sampler));
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Random random(seed);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[random.Below(i)]);
    }
    result.random.Add(metrics(order), 1.0 / kSeeds);
  }
  return result;
}

double CpuSeconds(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// The time of sampling the pages, parsing included, over that of parsing.
double CostRatio(const std::vector<Page>& pages, int rounds) {
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  html::Document document;
  double parse = 1e9;
  double sample = 1e9;
  for (int round = 0; round < rounds; ++round) {
    parse =
        std::min(parse, CpuSeconds([&] {
                   for (const Page& page : pages) {
                     parser->ParsePage(page.content, page.charset, &document);
                   }
                 }));
    sample =
        std::min(sample, CpuSeconds([&] {
                   sample::ContentCollector collector;
                   std::vector<sample::PathContent> contents;
                   sample::PageSampler sampler;
                   for (const Page& page : pages) {
                     parser->ParsePage(page.content, page.charset, &document);
                     collector.Collect(document, &contents);
                     sampler.AddPage(contents);
                   }
                   sampler.Choose(20);
                 }));
  }
  return sample / parse;
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "sample_bench DATA [ROUNDS]\n");
    return 2;
  }
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  std::vector<std::filesystem::path> sites;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (std::filesystem::is_directory(entry.path() / "crawl")) {
      sites.push_back(entry.path());
    }
  }
  std::sort(sites.begin(), sites.end());
  std::printf("%-28s %26s  %26s\n", "", "pages to cover all XPaths",
              "attributes on first page");
  std::printf("%-28s %8s %8s %8s  %8s %8s %8s  %s\n", "site", "weighted",
              "greedy", "random", "weighted", "greedy", "random",
              "time / parsing");
  SiteResult mean;
  double worst_ratio = 0;
  const double weight = 1.0 / static_cast<double>(sites.size());
  const auto print = [](const char* name, const SiteResult& result) {
    std::printf("%-28s %8.1f %8.1f %8.1f  %8.3f %8.3f %8.3f", name,
                result.weighted.pages_to_cover, result.greedy.pages_to_cover,
                result.random.pages_to_cover, result.weighted.first_attributes,
                result.greedy.first_attributes, result.random.first_attributes);
  };
  for (const auto& site : sites) {
    const std::vector<Page> pages = ReadSite(site);
    const SiteResult result = Measure(pages);
    const double ratio = CostRatio(pages, rounds);
    worst_ratio = std::max(worst_ratio, ratio);
    print(site.filename().c_str(), result);
    std::printf("  %.3f\n", ratio);
    mean.weighted.Add(result.weighted, weight);
    mean.greedy.Add(result.greedy, weight);
    mean.random.Add(result.random, weight);
  }
  print("mean", mean);
  std::printf("  %.3f (worst)\n", worst_ratio);
  return 0;
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) { return trommel::Main(argc, argv); }
