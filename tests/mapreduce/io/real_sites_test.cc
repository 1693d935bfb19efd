// Reads the crawls of real sites, when they are there, and compares the two
// parsers on every page.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/html/document.h"
#include "core/html/parser.h"
#include "mapreduce/io/crawl.h"

namespace trommel {
namespace {

std::vector<std::string> Crawls() {
  const char* const data = std::getenv("TROMMEL_DATA");
  std::vector<std::string> crawls;
  if (data == nullptr ||
      !std::filesystem::is_directory(std::string(data) + "/swde")) {
    return crawls;
  }
  for (const auto& site :
       std::filesystem::directory_iterator(std::string(data) + "/swde")) {
    const std::string crawl = site.path().string() + "/crawl";
    if (std::filesystem::is_directory(crawl)) crawls.push_back(crawl);
  }
  std::sort(crawls.begin(), crawls.end());
  return crawls;
}

// The elements of a document in order, each as its tag and depth.
std::vector<std::string> TagTree(const html::Document& document) {
  std::vector<std::string> tree;
  for (html::NodeId id = 1; id < document.num_nodes(); ++id) {
    if (!document.IsElement(id)) continue;
    tree.push_back(std::to_string(document.node(id).depth) + " " +
                   std::string(document.TagOf(id)));
  }
  return tree;
}

bool Contains(std::string_view page, std::string_view text) {
  return std::search(page.begin(), page.end(), text.begin(), text.end(),
                     [](char a, char b) { return (a | 0x20) == (b | 0x20); }) !=
         page.end();
}

// The two parsers follow the standard of different years. Where their trees
// differ, one of these is the reason.
std::string Explain(std::string_view page) {
  if (Contains(page, "<template")) return "template";
  if (Contains(page, "<main") || Contains(page, "<menuitem")) return "html5";
  if (Contains(page, "<isindex")) return "isindex";
  if (Contains(page, "<svg") || Contains(page, "<math")) return "foreign";
  if (Contains(page, "<select") || Contains(page, "<option")) return "select";
  if (Contains(page, "<noscript")) return "noscript";
  return "other";
}

TEST(RealSites, BothParsersBuildTheSameTagTree) {
  const std::vector<std::string> crawls = Crawls();
  if (crawls.empty()) {
    GTEST_SKIP() << "no real sites: set TROMMEL_DATA to the directory that "
                    "contains swde/";
  }
  auto reader = io::CrawlReader::Open(crawls);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto lexbor = html::MakeParser(html::ParserKind::kLexbor, {});
  const auto gumbo = html::MakeParser(html::ParserKind::kGumbo, {});
  html::Document a, b;
  io::CrawlPage page;
  int num_pages = 0;
  int num_equal = 0;
  std::map<std::string, int> differences;
  while (true) {
    const auto more = (*reader)->Next(&page);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    ++num_pages;
    ASSERT_EQ(lexbor->ParsePage(page.content, page.charset, &a),
              html::ParseOutcome::kOk)
        << page.url;
    ASSERT_EQ(gumbo->ParsePage(page.content, page.charset, &b),
              html::ParseOutcome::kOk)
        << page.url;
    if (TagTree(a) == TagTree(b)) {
      ++num_equal;
    } else {
      ++differences[Explain(page.content)];
    }
  }
  std::cout << num_equal << " of " << num_pages << " tag trees are equal\n";
  for (const auto& [kind, count] : differences) {
    std::cout << "  differ, " << kind << ": " << count << "\n";
  }
  EXPECT_EQ(num_pages, static_cast<int>((*reader)->num_rows()));
  EXPECT_GE(num_equal, num_pages * 0.995);
}

}  // namespace
}  // namespace trommel
