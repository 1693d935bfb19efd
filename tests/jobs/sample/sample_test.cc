#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "jobs/tables/samples_table.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/seed.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/walls.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::sample_job {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::ReadTable;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

// A page of one of two templates with its own title, a price on every third,
// and filler.
std::string Html(bool is_product, int i, size_t filler = 0) {
  std::string html = StrCat(
      "<html><head><title>Shop</title></head><body><div id=nav><ul>"
      "<li><a>Home</a></li><li><a>Help</a></li><li><a>Cart</a></li></ul></div>",
      is_product ? "<div class=product><h1>Product </h1><table><tr><th>Maker"
                   "</th><td><b>ACME</b></td></tr></table><form><select>"
                   "<option>1</option></select></form>"
                 : "<section class=article><h2>Story</h2><blockquote><i>Said"
                   "</i></blockquote><dl><dt>By</dt><dd>Ann</dd></dl><pre>"
                   "</pre>");
  Random own(static_cast<uint64_t>(i));
  StrAppend(&html, "<p class=own>Own text ", i, ": ",
            testing_support::RandomWords(&own, 8), "</p>");
  if (i % 3 == 0) StrAppend(&html, "<em class=price>$", i, ".00</em>");
  StrAppend(&html, is_product ? "</div>" : "</section>");
  StrAppend(&html, "<address>Imprint</address><!--", std::string(filler, 'x'),
            "--></body></html>");
  return html;
}

std::vector<Page> TwoTemplates(int num_pages, size_t filler = 0) {
  std::vector<Page> pages;
  for (int i = 0; i < num_pages; ++i) {
    const bool is_product = i % 2 == 0;
    pages.push_back(
        {StrCat("http://shop.example/", is_product ? "p" : "a", "/", i),
         Html(is_product, i, filler)});
  }
  return pages;
}

class SampleTest : public testing::Test {
 protected:
  std::string Flag(const std::string& name, const std::string& path) const {
    return StrCat("--", name, "=", temp_ / path);
  }

  void Cluster(const std::vector<std::string>& crawls,
               const std::string& out = "clusters") {
    std::vector<std::string> command = {"cluster", Flag("out", out)};
    for (const auto& crawl : crawls) command.push_back(Flag("crawl", crawl));
    const CommandResult result = RunTrommel(command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  json Sample(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"sample", "--json"});
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }

  std::vector<TextRow> Samples(const std::string& out) const {
    std::vector<io::ColumnRequest> columns = tables::SamplesColumns();
    columns.push_back({"gain", io::ColumnType::kInt64});
    return ReadTable(temp_ / (out + "/samples"), columns);
  }

  TempDir temp_;
};

TEST_F(SampleTest, SamplesOfTwoTemplates) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(120));
  Cluster({"crawl"});
  WriteWholeFile(temp_ / "shop.textproto",
                 "name: \"shop\" attribute { name: \"price\" type: PRICE }");
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"),
              Flag("schema", "shop.textproto"), Flag("out", "out")});
  EXPECT_EQ(report["sites"], 1);
  EXPECT_EQ(report["clusters"], 2);
  EXPECT_EQ(report["clusters_sampled"], 2);
  EXPECT_EQ(report["pages"], 40);
  EXPECT_EQ(report["counters"]["pages.compared"], 120);
  EXPECT_EQ(report["counters"]["pages.in_clusters"], 120);

  std::map<std::string, std::set<std::string>> ranks;
  for (const TextRow& row : Samples("out")) {
    EXPECT_EQ(row.at("site"), "shop.example");
    EXPECT_EQ(row.at("content_charset"), "null");
    EXPECT_EQ(row.at("fetch_time"), "null");
    EXPECT_THAT(row.at("content"), HasSubstr("Imprint"));
    ranks[row.at("cluster_id")].insert(row.at("rank"));
    // The first page has the optional section.
    if (row.at("rank") == "0") {
      EXPECT_THAT(row.at("content"), HasSubstr("price"));
      EXPECT_NE(row.at("gain"), "0");
    }
  }
  EXPECT_EQ(ranks.size(), 2u);
  for (const auto& [cluster, cluster_ranks] : ranks) {
    EXPECT_EQ(cluster_ranks.size(), 20u);
  }
  // All that learning needs: the clusters too.
  EXPECT_EQ(ReadTable(temp_ / "out/clusters",
                      {{"cluster_id", io::ColumnType::kBytes},
                       {"url_regex", io::ColumnType::kBytes}}),
            ReadTable(temp_ / "clusters/clusters",
                      {{"cluster_id", io::ColumnType::kBytes},
                       {"url_regex", io::ColumnType::kBytes}}));
  EXPECT_THAT(ReadWholeFile(temp_ / "out/annotate.html"),
              HasSubstr("annotate/shop.example.html"));
  EXPECT_THAT(ReadWholeFile(temp_ / "out/annotate/shop.example.html"),
              testing::AllOf(HasSubstr("price"), HasSubstr("shop.example/p/")));
  const json manifest = json::parse(ReadWholeFile(temp_ / "out/_SUCCESS"));
  EXPECT_EQ(manifest["verb"], "sample");
}

// Two templates of records, and two of pages that say nothing of their own.
TEST_F(SampleTest, PagesThatAllSayTheSameAreNotOffered) {
  std::vector<Page> pages = TwoTemplates(60);
  for (int i = 0; i < 40; ++i) {
    for (const char* const wall : {"login", "consent page"}) {
      for (const testing_support::Wall& candidate :
           testing_support::AllWalls()) {
        if (std::string_view(wall) != candidate.label) continue;
        const testing_support::WallRequest request(i);
        pages.push_back(
            {StrCat("http://shop.example/", std::string(1, wall[0]), i),
             candidate.html(request)});
      }
    }
  }
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"), "--pages=5",
              "--skip-alike", Flag("out", "out")});
  EXPECT_EQ(report["clusters"], 2);
  EXPECT_EQ(report["clusters_sampled"], 2);
  EXPECT_EQ(report["clusters_alike"], 2);
  EXPECT_EQ(report["pages"], 10);
  EXPECT_EQ(report["counters"]["pages.alike"], 80);
  for (const TextRow& row : Samples("out")) {
    EXPECT_THAT(row.at("content"), HasSubstr("Own text"));
  }
  EXPECT_EQ(ReadTable(temp_ / "out/clusters",
                      {{"cluster_id", io::ColumnType::kBytes}})
                .size(),
            2u);
  const CommandResult text = RunTrommel(
      {"sample", Flag("crawl", "crawl"), Flag("clusters", "clusters"),
       Flag("out", "out"), "--force", "--skip-alike"});
  EXPECT_THAT(text.out,
              HasSubstr("2 templates left out: their pages all say the same"));
}

TEST_F(SampleTest, FlagsDecideHowMany) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(120));
  Cluster({"crawl"});
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"), "--pages=3",
              "--compare=10", "--annotate-pages=false", Flag("out", "out")});
  EXPECT_EQ(report["pages"], 6);
  EXPECT_EQ(report["counters"]["pages.compared"], 20);
  EXPECT_FALSE(std::filesystem::exists(temp_ / "out/annotate.html"));
  EXPECT_FALSE(std::filesystem::exists(temp_ / "out/annotate"));
}

TEST_F(SampleTest, SitesChooses) {
  std::vector<Page> pages = TwoTemplates(60);
  for (int i = 0; i < 30; ++i) {
    pages.push_back({StrCat("http://other.example/p/", i), Html(true, i)});
  }
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  WriteWholeFile(temp_ / "sites", "# tonight\nother.example\n");
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"),
              Flag("sites", "sites"), "--pages=3", Flag("out", "out")});
  EXPECT_EQ(report["sites"], 1);
  EXPECT_EQ(report["pages"], 3);
  for (const TextRow& row : Samples("out")) {
    EXPECT_EQ(row.at("site"), "other.example");
  }
  WriteWholeFile(temp_ / "sites", "\nelsewhere.example\n");
  const CommandResult result = RunTrommel(
      {"sample", Flag("crawl", "crawl"), Flag("clusters", "clusters"),
       Flag("sites", "sites"), Flag("out", "none")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("sites:2: no site \"elsewhere.example\" "
                                    "is in the clusters"));
}

TEST_F(SampleTest, SmallClustersAreSampledWhole) {
  std::vector<Page> pages = TwoTemplates(30);
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"),
              Flag("out", "out")});
  EXPECT_EQ(report["pages"], 30);
  EXPECT_EQ(Samples("out").size(), 30u);
}

// Any split, any number of reducers, any order of pages.
TEST_F(SampleTest, RowsDoNotDependOnSplitsReducersOrOrder) {
  Random random(testing_support::TestSeed(601));
  std::vector<Page> pages = TwoTemplates(1500, /*filler=*/6000);
  for (int i = 0; i < 60; ++i) {
    pages.push_back({StrCat("http://other.example/", i), Html(true, i, 6000)});
  }
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  std::vector<TextRow> samples;
  std::map<std::string, std::string> files;
  struct Case {
    size_t crawls;
    int split_mb;
    int reducers;
    int workers;
  };
  for (const Case& c :
       {Case{1, 64, 1, 1}, Case{3, 3, 4, 2}, Case{8, 1, 2, 2}}) {
    SCOPED_TRACE(c.crawls);
    const std::string name = StrCat("out", c.crawls);
    for (size_t i = pages.size(); i > 1; --i) {
      std::swap(pages[i - 1], pages[random.Below(i)]);
    }
    std::vector<std::vector<Page>> parts(c.crawls);
    for (size_t i = 0; i < pages.size(); ++i) {
      parts[i % c.crawls].push_back(pages[i]);
    }
    std::vector<std::string> flags = {
        Flag("clusters", "clusters"), Flag("out", name),
        StrCat("--split-mb=", c.split_mb), StrCat("--reducers=", c.reducers),
        StrCat("--workers=", c.workers)};
    for (size_t i = 0; i < c.crawls; ++i) {
      WriteCrawl(StrCat(temp_ / name, "-crawl-", i), parts[i]);
      flags.push_back(Flag("crawl", StrCat(name, "-crawl-", i)));
    }
    const json report = Sample(flags);
    EXPECT_EQ(report["counters"]["pages.compared"], 860);
    if (samples.empty()) {
      samples = Samples(name);
      EXPECT_EQ(samples.size(), 60u);
      for (const char* file : {"annotate.html", "annotate/shop.example.html"}) {
        files[file] = ReadWholeFile(temp_ / (name + "/" + file));
      }
    }
    EXPECT_TRUE(Samples(name) == samples);
    for (const auto& [file, bytes] : files) {
      EXPECT_TRUE(ReadWholeFile(temp_ / (name + "/" + file)) == bytes) << file;
    }
  }
}

// The latest version of a URL counts, whichever cluster the others are in; the
// smallest digest where times are the same or unknown.
TEST_F(SampleTest, TheLatestVersionOfAUrlCounts) {
  std::vector<Page> pages = TwoTemplates(24);
  const auto product = [](int i) { return Html(true, i); };
  const auto article = [](int i) { return Html(false, i); };
  pages.push_back({"http://shop.example/moved", product(901), 1000});
  pages.push_back({"http://shop.example/moved", article(902), 3000});
  pages.push_back({"http://shop.example/moved", product(903), 2000});
  pages.push_back({"http://shop.example/moved", product(904)});
  pages.push_back({"http://shop.example/same", product(905), 1000});
  pages.push_back({"http://shop.example/same", product(905), 1000});
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"),
              "--pages=100", Flag("out", "out")});
  EXPECT_EQ(report["pages"], 26);
  std::map<std::string, std::vector<std::string>> contents;
  for (const TextRow& row : Samples("out")) {
    contents[row.at("url")].push_back(row.at("content"));
  }
  EXPECT_EQ(contents.size(), 26u);
  EXPECT_THAT(contents["http://shop.example/moved"], ElementsAre(article(902)));
  EXPECT_THAT(contents["http://shop.example/same"], ElementsAre(product(905)));
}

// A cluster of few URLs that were crawled again and again, and a crawl that is
// smaller than the one that was clustered.
TEST_F(SampleTest, SizesOfClustersMayMislead) {
  std::vector<Page> pages;
  for (int day = 0; day < 40; ++day) {
    for (int i = 0; i < 60; ++i) {
      pages.push_back({StrCat("http://shop.example/p/", i),
                       Html(true, 1000 * day + i), day});
    }
  }
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  std::vector<TextRow> samples;
  for (const int split_mb : {64, 1}) {
    const std::string out = StrCat("out", split_mb);
    const json report = Sample(
        {Flag("crawl", "crawl"), Flag("clusters", "clusters"), "--compare=40",
         StrCat("--split-mb=", split_mb), Flag("out", out)});
    EXPECT_EQ(report["pages"], 20);
    if (samples.empty()) samples = Samples(out);
    EXPECT_TRUE(Samples(out) == samples);
  }
  for (const TextRow& row : samples) {
    EXPECT_THAT(row.at("content"), HasSubstr("Own text 390"));
  }
  WriteCrawl(temp_ / "few", {pages.begin(), pages.begin() + 25});
  EXPECT_EQ(Sample({Flag("crawl", "few"), Flag("clusters", "clusters"),
                    Flag("out", "few-out")})["pages"],
            20);
}

TEST_F(SampleTest, PagesThatCannotBeParsedAreRejected) {
  std::vector<Page> pages = TwoTemplates(24);
  pages.push_back({"http://shop.example/gone", Html(true, 1), {}, 404});
  std::string many = Html(true, 7);
  for (int i = 0; i < 300; ++i) many += "<b>x</b>";
  pages.push_back({"http://shop.example/many", many});
  WriteCrawl(temp_ / "crawl", pages);
  Cluster({"crawl"});
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"),
              "--max-nodes=200", Flag("out", "out")});
  EXPECT_EQ(report["pages"], 24);
  std::map<std::string, std::string> reasons;
  for (const TextRow& row : ReadTable(temp_ / "out/_rejects",
                                      {{"url", io::ColumnType::kBytes},
                                       {"reason", io::ColumnType::kBytes}})) {
    reasons[row.at("url")] = row.at("reason");
  }
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{
                         {"http://shop.example/gone", "fetch_status"},
                         {"http://shop.example/many", "too_many_nodes"}}));
}

TEST_F(SampleTest, SitesAreThoseOfTheClusters) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  ASSERT_EQ(RunTrommel({"cluster", "--site=all of it", "--shingle=6",
                        Flag("crawl", "crawl"), Flag("out", "clusters")})
                .exit_code,
            0);
  const json report =
      Sample({Flag("crawl", "crawl"), Flag("clusters", "clusters"),
              Flag("out", "out")});
  EXPECT_EQ(report["pages"], 40);
  EXPECT_EQ(Samples("out")[0].at("site"), "all of it");
}

TEST_F(SampleTest, AnotherCrawlThanTheOneClustered) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  WriteCrawl(temp_ / "other", {{"http://else.example/", Html(true, 1)}});
  Cluster({"crawl"});
  const json report =
      Sample({Flag("crawl", "other"), Flag("clusters", "clusters"),
              Flag("out", "out")});
  EXPECT_EQ(report["pages"], 0);
  EXPECT_EQ(report["clusters_sampled"], 0);
  EXPECT_EQ(report["clusters"], 2);
}

TEST_F(SampleTest, WrongUsageIsNamed) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  Cluster({"crawl"});
  WriteWholeFile(temp_ / "bad.textproto", "name: \"a\" attribute { nam: 1 }");
  WriteWholeFile(temp_ / "url.textproto",
                 "name: \"a\" attribute { name: \"url\" }");
  struct Case {
    std::vector<std::string> flags;
    int exit_code;
    std::vector<std::string> messages;
  };
  const Case cases[] = {
      {{Flag("clusters", "clusters")}, 2, {"--crawl"}},
      {{Flag("crawl", "crawl")}, 2, {"--clusters"}},
      {{Flag("crawl", "crawl"), Flag("clusters", "clusters"), "--pages=50",
        "--compare=20"},
       2,
       {"--compare=20", "--pages=50"}},
      {{Flag("crawl", "crawl"), Flag("clusters", "nowhere")}, 1, {"nowhere"}},
      {{Flag("crawl", "crawl"), Flag("clusters", "crawl")}, 1, {"crawl"}},
      {{Flag("crawl", "crawl"), Flag("clusters", "clusters"),
        Flag("schema", "bad.textproto")},
       1,
       {"bad.textproto:1:", "nam"}},
      {{Flag("crawl", "crawl"), Flag("clusters", "clusters"),
        Flag("schema", "url.textproto")},
       1,
       {"url.textproto", "called like a column"}},
  };
  for (const Case& c : cases) {
    std::vector<std::string> command = {"sample", Flag("out", "out")};
    command.insert(command.end(), c.flags.begin(), c.flags.end());
    const CommandResult result = RunTrommel(command);
    EXPECT_EQ(result.exit_code, c.exit_code) << result.err;
    for (const std::string& message : c.messages) {
      EXPECT_THAT(result.err, HasSubstr(message));
    }
    EXPECT_FALSE(std::filesystem::exists(temp_ / "out"));
  }
}

}  // namespace
}  // namespace trommel::jobs::sample_job
