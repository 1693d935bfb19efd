// What it costs to learn the rule of a template, on real sites.
//
//   learn_bench SCHEMAS DATA [ROUNDS]
//
// DATA has a folder for each site, VERTICAL-NAME, with crawl/ and truth.jsonl,
// SCHEMAS the textproto of each vertical. Of each site the first four pages are
// annotated with their true values, and the rule is learnt with 6, 16, 36 and
// 76 further pages: processor seconds, least of ROUNDS, parsing not included,
// and the time per page over that with the fewest pages (1 is linear).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/html/parser.h"
#include "core/learn/registry.h"
#include "jobs/textproto/schema_file.h"
#include "mapreduce/io/crawl.h"

namespace trommel {
namespace {

constexpr size_t kAnnotated = 4;
constexpr size_t kPages[] = {10, 20, 40, 80};

std::vector<annotation::Annotation> Annotate(const proto::Schema& schema,
                                             const std::string& url,
                                             const nlohmann::json& values) {
  std::vector<annotation::Annotation> annotations;
  for (const proto::Attribute& attribute : schema.attribute()) {
    if (!values.contains(attribute.name())) continue;
    annotation::Annotation annotation;
    annotation.url = url;
    annotation.attribute = attribute.name();
    annotation.kind = annotation::Annotation::Kind::kAbsent;
    for (const auto& value : values[attribute.name()]) {
      annotation.kind = annotation::Annotation::Kind::kValue;
      annotation.value = value.get<std::string>();
      annotations.push_back(annotation);
      if (!attribute.repeated()) break;
    }
    if (annotation.kind == annotation::Annotation::Kind::kAbsent) {
      annotations.push_back(annotation);
    }
  }
  return annotations;
}

int Main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "learn_bench SCHEMAS DATA [ROUNDS]\n");
    return 2;
  }
  const std::filesystem::path schemas = argv[1];
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 3;
  std::vector<std::filesystem::path> sites;
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) {
    if (std::filesystem::is_directory(entry.path() / "crawl")) {
      sites.push_back(entry.path());
    }
  }
  std::sort(sites.begin(), sites.end());
  std::printf("%-28s %8s", "site", "KB/page");
  for (const size_t pages : kPages) std::printf(" %5zu pages", pages);
  std::printf("  growth\n");
  double slowest = 0;
  for (const auto& site : sites) {
    const std::string name = site.filename();
    const auto schema = jobs::textproto::ReadSchemaFile(
        (schemas / (name.substr(0, name.find('-')) + ".textproto")).string());
    if (!schema.ok()) continue;
    std::map<std::string, nlohmann::json> truth;
    std::ifstream lines(site / "truth.jsonl");
    for (std::string line; std::getline(lines, line);) {
      const auto json = nlohmann::json::parse(line);
      truth[json["url"]] = json["values"];
    }
    auto reader = io::CrawlReader::Open({(site / "crawl").string()});
    const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
    std::vector<learn::LearnPage> pages;
    size_t bytes = 0;
    io::CrawlPage crawled;
    while (pages.size() < kPages[3] && *(*reader)->Next(&crawled)) {
      learn::LearnPage& page = pages.emplace_back();
      page.url = crawled.url;
      bytes += crawled.content.size();
      parser->ParsePage(crawled.content, crawled.charset, &page.document);
    }
    std::printf("%-28s %8zu", name.c_str(), bytes / pages.size() / 1000);
    learn::LearnInput input;
    input.schema = &*schema;
    for (size_t i = 0; i < std::min(kAnnotated, pages.size()); ++i) {
      for (annotation::Annotation& a :
           Annotate(*schema, pages[i].url, truth[pages[i].url])) {
        input.annotations.push_back(std::move(a));
      }
    }
    std::vector<double> seconds;
    for (size_t k = std::size(kPages); k-- > 0;) {
      if (pages.size() > kPages[k]) pages.resize(kPages[k]);
      input.pages = &pages;
      double least = 1e9;
      for (int round = 0; round < rounds; ++round) {
        const std::clock_t begin = std::clock();
        if (!(*learn::MakeLearner("vertex"))->Learn(input).ok()) return 1;
        least = std::min(
            least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
      }
      seconds.insert(seconds.begin(), least);
    }
    for (const double s : seconds) std::printf(" %9.3f s", s);
    std::printf("  %.2f\n", seconds[3] / kPages[3] / (seconds[0] / kPages[0]));
    slowest = std::max(slowest, seconds[1]);
  }
  std::printf("slowest with 4 annotated and 16 further pages: %.3f s\n",
              slowest);
  return 0;
}

}  // namespace
}  // namespace trommel

int main(int argc, char** argv) { return trommel::Main(argc, argv); }
