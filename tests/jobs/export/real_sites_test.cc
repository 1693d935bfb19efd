// Exported rules of real sites, on the data that TROMMEL_DATA points to.

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
#include "core/html/parser.h"
#include "core/learn/registry.h"
#include "mapreduce/io/crawl.h"
#include "tests/testing/xslt_judge.h"

namespace trommel::jobs::export_job {
namespace {

constexpr size_t kPages = 20;
constexpr size_t kAnnotated = 2;

std::vector<learn::LearnPage> FirstPages(const std::string& crawl) {
  std::vector<learn::LearnPage> pages;
  const auto reader = io::CrawlReader::Open({crawl});
  EXPECT_TRUE(reader.ok()) << reader.status();
  if (!reader.ok()) return pages;
  const auto parser = html::MakeParser(html::ParserKind::kLexbor, {});
  io::CrawlPage page;
  while (pages.size() < kPages) {
    const auto more = (*reader)->Next(&page);
    EXPECT_TRUE(more.ok()) << more.status();
    if (!more.ok() || !*more) break;
    learn::LearnPage& parsed = pages.emplace_back();
    parsed.url = page.url;
    parser->ParsePage(page.content, page.charset, &parsed.document);
  }
  return pages;
}

// The schema, and what is annotated of the first pages.
void ReadTruth(const std::filesystem::path& file,
               const std::vector<learn::LearnPage>& pages,
               proto::Schema* schema,
               std::vector<annotation::Annotation>* annotations) {
  static const std::set<std::string> kRepeated = {"author", "director", "genre",
                                                  "cuisine", "address"};
  std::map<std::string, nlohmann::json> truth;
  std::set<std::string> attributes;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto json = nlohmann::json::parse(line);
    truth[json["url"]] = json["values"];
    for (const auto& [name, values] : json["values"].items()) {
      attributes.insert(name);
    }
  }
  schema->set_name("s");
  for (const std::string& name : attributes) {
    proto::Attribute* const attribute = schema->add_attribute();
    attribute->set_name(name);
    attribute->set_repeated(kRepeated.count(name) > 0);
    for (size_t i = 0; i < std::min(kAnnotated, pages.size()); ++i) {
      for (const auto& value : truth[pages[i].url][name]) {
        annotation::Annotation& annotation = annotations->emplace_back();
        annotation.line = static_cast<int64_t>(annotations->size());
        annotation.url = pages[i].url;
        annotation.attribute = name;
        annotation.value = value;
        if (!attribute->repeated()) break;
      }
    }
  }
}

TEST(ExportRealSitesTest, StylesheetsFindWhatRulesFind) {
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
  const auto learner = learn::MakeLearner("vertex");
  ASSERT_TRUE(learner.ok()) << learner.status();
  for (const std::filesystem::path& folder : folders) {
    SCOPED_TRACE(folder);
    const std::vector<learn::LearnPage> pages =
        FirstPages((folder / "crawl").string());
    proto::Rule rule;
    rule.set_site(folder.filename().string());
    rule.set_cluster_id("0123456789abcdef");
    learn::LearnInput input;
    ReadTruth(folder / "truth.jsonl", pages, rule.mutable_schema(),
              &input.annotations);
    input.schema = &rule.schema();
    input.pages = &pages;
    const auto output = (*learner)->Learn(input);
    ASSERT_TRUE(output.ok()) << output.status();
    *rule.mutable_program() = output->program;
    std::vector<const html::Document*> documents;
    for (const learn::LearnPage& page : pages)
      documents.push_back(&page.document);
    size_t num_values = 0;
    EXPECT_EQ(testing_support::ExportProblem(rule, documents, &num_values), "");
    std::printf("%-30s %zu values of %d attributes agree\n",
                rule.site().c_str(), num_values,
                rule.program().fields().attribute_size());
    EXPECT_GT(num_values, kPages);
  }
}

}  // namespace
}  // namespace trommel::jobs::export_job
