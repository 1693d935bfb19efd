// Reads the crawls of real sites, when they are there, and compares the
// parsers on every page.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/html/direct/direct_parser.h"
#include "core/html/document.h"
#include "core/html/parser.h"
#include "mapreduce/io/crawl.h"
#include "tests/testing/html_checks.h"

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

class RealSites : public testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> crawls = Crawls();
    if (crawls.empty()) {
      GTEST_SKIP() << "no real sites: set TROMMEL_DATA to the directory that "
                      "contains swde/";
    }
    auto reader = io::CrawlReader::Open(crawls);
    ASSERT_TRUE(reader.ok()) << reader.status();
    reader_ = *std::move(reader);
  }

  std::unique_ptr<io::CrawlReader> reader_;
};

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

// Where two trees begin to differ, for the log.
std::string FirstDifference(const std::vector<std::string>& a,
                            const std::vector<std::string>& b) {
  size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  return "element " + std::to_string(i) + ": lexbor " +
         (i < a.size() ? a[i] : "ends") + ", gumbo " +
         (i < b.size() ? b[i] : "ends");
}

// The parsers follow the HTML standard of 2026 and of 2015. On these pages the
// years show in one place only, doctypes of HTML 4.01 Transitional without a
// system identifier (250 pages of one site), where gumbo departed from its own
// year's standard too; its adapter corrects that (core/html/gumbo_parser.cc).
// What remains is printed, and may be one page in 200.
TEST_F(RealSites, BothParsersBuildTheSameTagTree) {
  const auto lexbor = html::MakeParser(html::ParserKind::kLexbor, {});
  const auto gumbo = html::MakeParser(html::ParserKind::kGumbo, {});
  html::Document a, b;
  io::CrawlPage page;
  int num_pages = 0;
  int num_equal = 0;
  while (true) {
    const auto more = reader_->Next(&page);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    ++num_pages;
    ASSERT_EQ(lexbor->ParsePage(page.content, page.charset, &a),
              html::ParseOutcome::kOk)
        << page.url;
    ASSERT_EQ(gumbo->ParsePage(page.content, page.charset, &b),
              html::ParseOutcome::kOk)
        << page.url;
    const std::vector<std::string> tree_a = TagTree(a);
    const std::vector<std::string> tree_b = TagTree(b);
    if (tree_a == tree_b) {
      ++num_equal;
    } else {
      std::cout << page.url << ": " << FirstDifference(tree_a, tree_b) << "\n";
    }
  }
  std::cout << num_equal << " of " << num_pages << " tag trees are equal\n";
  EXPECT_EQ(num_pages, static_cast<int>(reader_->num_rows()));
  EXPECT_GE(num_equal, num_pages * 0.995);
}

// Pages and bytes by what became of them.
struct DirectShare {
  html::direct::GiveUpCounts pages = {};
  html::direct::GiveUpCounts bytes = {};

  void Print() const {
    uint64_t all_pages = 0;
    uint64_t all_bytes = 0;
    for (size_t i = 0; i < pages.size(); ++i) {
      all_pages += pages[i];
      all_bytes += bytes[i];
    }
    for (size_t i = 0; i < pages.size(); ++i) {
      if (pages[i] == 0) continue;
      std::cout << (i == 0 ? "parsed directly"
                           : html::direct::ToString(
                                 static_cast<html::direct::GiveUp>(i)))
                << ": " << pages[i] << " pages, " << 100 * pages[i] / all_pages
                << "%; " << 100 * bytes[i] / all_bytes << "% of bytes\n";
    }
  }
};

TEST_F(RealSites, TheDirectParserBuildsLexborsDocuments) {
  const auto lexbor = html::MakeParser(html::ParserKind::kLexbor, {});
  html::direct::DirectParser direct({});
  html::Document expected, actual;
  io::CrawlPage page;
  DirectShare share;
  while (true) {
    const auto more = reader_->Next(&page);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    ASSERT_EQ(direct.ParsePage(page.content, page.charset, &actual),
              html::ParseOutcome::kOk)
        << page.url;
    const auto reason = static_cast<size_t>(direct.last_give_up());
    ++share.pages[reason];
    share.bytes[reason] += page.content.size();
    if (reason != 0) continue;
    ASSERT_EQ(lexbor->ParsePage(page.content, page.charset, &expected),
              html::ParseOutcome::kOk)
        << page.url;
    ASSERT_EQ(testing_support::Dump(actual), testing_support::Dump(expected))
        << page.url;
  }
  share.Print();
}

}  // namespace
}  // namespace trommel
