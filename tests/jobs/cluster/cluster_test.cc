#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/tables/signatures_table.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/table_files.h"
#include "tests/jobs/cluster/cluster_output.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/signature_web.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::cluster_job {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::Measure;
using testing_support::Page;
using testing_support::Quality;
using testing_support::ReadAssignments;
using testing_support::ReadClusters;
using testing_support::ReadTable;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

// How many files a table of an output has: one for each task that wrote it.
size_t NumShards(const std::string& out, const std::string& table) {
  const auto files = io::ListTableFiles(*io::ResolvePath(out + "/" + table));
  EXPECT_TRUE(files.ok()) << files.status();
  return files.ok() ? files->size() : 0;
}

// Pages of one of two designs, with `items` list items.
std::string Html(bool is_product, int items) {
  std::string html = "<html><head><title>x</title></head><body><div><ul>";
  html += "<li><a></a></li><li><a></a></li></ul></div>";
  html += is_product
              ? "<h1></h1><table><tr><td><b></b></td><td></td></tr></table>"
                "<form><input><select><option></option></select></form>"
                "<p></p><div><span></span><img><em></em></div>"
              : "<h2></h2><ol><li></li></ol><blockquote><i></i></blockquote>"
                "<dl><dt></dt><dd></dd></dl><section><article></article>"
                "</section><pre></pre><nav><code></code></nav>";
  for (int i = 0; i < items; ++i) html += "<p><u></u></p>";
  return html + "<address></address></body></html>";
}

std::vector<Page> TwoTemplates(int pages) {
  std::vector<Page> crawl;
  for (int i = 0; i < pages; ++i) {
    const bool is_product = i % 3 != 0;
    crawl.push_back(
        {StrCat("http://shop.example/", is_product ? "p/" : "help/", i),
         Html(is_product, i % 4)});
  }
  return crawl;
}

class ClusterTest : public testing::Test {
 protected:
  CommandResult Cluster(std::vector<std::string> flags) {
    flags.insert(flags.begin(), "cluster");
    return RunTrommel(flags);
  }
  // Runs it with --json, and expects it to succeed.
  json ClusterJson(std::vector<std::string> flags) {
    flags.push_back("--json");
    const CommandResult result = Cluster(std::move(flags));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }
  std::string Crawl() const { return "--crawl=" + (temp_ / "crawl"); }
  std::string Out(const std::string& name) const {
    return "--out=" + (temp_ / name);
  }
  TempDir temp_;
};

TEST_F(ClusterTest, FindsTheTemplatesAndPlacesEveryPage) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(300));
  const json report = ClusterJson({Crawl(), Out("out")});
  EXPECT_EQ(report["pages"], 300);
  EXPECT_EQ(report["sites"], 1);
  EXPECT_EQ(report["clusters"], 2);
  EXPECT_EQ(report["sampled"], 300);
  EXPECT_EQ(report["uncovered"], 0);
  EXPECT_EQ(report["too_short"], 0);
  EXPECT_EQ(report["coverage"], 1.0);
  EXPECT_EQ(report["counters"]["rows.read"], 300);

  const std::vector<TextRow> clusters = ReadClusters(temp_ / "out");
  ASSERT_EQ(clusters.size(), 2u);
  std::map<std::string, std::string> size_by_regex;
  for (const TextRow& cluster : clusters) {
    EXPECT_EQ(cluster.at("site"), "shop.example");
    EXPECT_EQ(cluster.at("site_key"), "host");
    EXPECT_EQ(cluster.at("shingle_length"), "10");
    EXPECT_TRUE(RE2::FullMatch(cluster.at("cluster_id"), RE2("[0-9a-f]{16}")));
    size_by_regex[cluster.at("url_regex")] = cluster.at("size");
  }
  EXPECT_EQ(size_by_regex, (std::map<std::string, std::string>{
                               {R"(http://shop\.example/help/\d+)", "100"},
                               {R"(http://shop\.example/p/\d+)", "200"}}));

  // Signatures cover the pages that are placed by them; patterns all.
  std::map<std::string, TextRow> by_id;
  for (const TextRow& cluster : clusters) {
    by_id[cluster.at("cluster_id")] = cluster;
  }
  const std::vector<TextRow> assignments = ReadAssignments(temp_ / "out");
  EXPECT_EQ(assignments.size(), 300u);
  for (const TextRow& page : assignments) {
    const TextRow& cluster = by_id.at(page.at("cluster_id"));
    EXPECT_TRUE(RE2::FullMatch(page.at("url"), RE2(cluster.at("url_regex"))));
  }
  EXPECT_THAT(ReadWholeFile(temp_ / "out/report.html"),
              AllOf(HasSubstr("shop.example"), HasSubstr("</html>")));
}

TEST_F(ClusterTest, TextReport) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  const CommandResult result = Cluster({Crawl(), Out("out")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("60 pages of 1 site, 2 clusters"),
                    HasSubstr("shop.example"), HasSubstr("100.00%")));
}

// Pages that have no structure to speak of, and pages that are not looked at.
TEST_F(ClusterTest, OddPagesAreDefinedCases) {
  std::vector<Page> pages = TwoTemplates(90);
  const std::string good = Html(true, 0);
  pages.push_back({"http://shop.example/empty", ""});
  pages.push_back({"http://shop.example/one-tag", "<p>"});
  pages.push_back({"http://shop.example/text", "no markup at all, a < b"});
  pages.push_back(
      {"http://shop.example/bytes", std::string("\0\xFF\x89PNG", 6)});
  for (int i = 0; i < 2; ++i)
    pages.push_back({"http://shop.example/p/1", good});
  std::string utf16 = "\xFF\xFE";
  for (const char c : good) utf16 += {c, '\0'};
  pages.push_back({"http://shop.example/p/utf16", utf16});
  pages.push_back({"data:,page", good});
  pages.push_back({"", good});
  pages.push_back(
      {"http://shop.example/p/null-status", good, {}, {}, "text/html"});
  pages.push_back(
      {"http://shop.example/p/xhtml", good, {}, 200, "application/xhtml+xml"});
  pages.push_back({"http://shop.example/gone", good, {}, 404, "text/html"});
  pages.push_back(
      {"http://shop.example/pdf", good, {}, 200, "application/pdf"});
  pages.push_back({"http://shop.example/large", good + std::string(5000, 'x')});
  WriteCrawl(temp_ / "crawl", pages);
  const json report =
      ClusterJson({Crawl(), Out("out"), "--max-page-bytes=5000"});
  EXPECT_EQ(report["pages"], pages.size() - 5);
  EXPECT_EQ(report["rejected"], 5);
  EXPECT_EQ(report["counters"]["rejected.no_url"], 1);
  EXPECT_EQ(report["counters"]["rejected.fetch_status"], 1);
  EXPECT_EQ(report["counters"]["rejected.not_html"], 2)
      << "one by its type, one that has none by its bytes";
  EXPECT_EQ(report["counters"]["rejected.too_large"], 1);
  EXPECT_EQ(report["too_short"], 3);
  EXPECT_EQ(report["uncovered"], 4) << "the page without a host is alone";

  std::map<std::string, std::set<std::string>> found;
  std::map<std::string, TextRow> by_url;
  for (const TextRow& row : ReadAssignments(temp_ / "out")) {
    by_url[row.at("url")] = row;
    found[row.at("cluster_id")].insert(row.at("url"));
  }
  EXPECT_THAT(
      found["null"],
      ElementsAre("data:,page", "http://shop.example/empty",
                  "http://shop.example/one-tag", "http://shop.example/text"));
  EXPECT_EQ(by_url["http://shop.example/empty"]["signature"], "null");
  EXPECT_EQ(by_url["http://shop.example/empty"]["by"], "null");
  EXPECT_EQ(by_url["data:,page"]["site"], "-");
  EXPECT_EQ(by_url["http://shop.example/p/utf16"]["signature"],
            by_url["http://shop.example/p/1"]["signature"]);
  EXPECT_EQ(by_url["http://shop.example/p/utf16"]["cluster_id"],
            by_url["http://shop.example/p/1"]["cluster_id"]);
  EXPECT_THAT(
      ReadTable(temp_ / "out/_rejects", {{"url", io::ColumnType::kBytes},
                                         {"site", io::ColumnType::kBytes},
                                         {"reason", io::ColumnType::kBytes},
                                         {"detail", io::ColumnType::kBytes}}),
      ElementsAre(
          TextRow{
              {"detail", ""}, {"reason", "no_url"}, {"site", "-"}, {"url", ""}},
          TextRow{{"detail", "404"},
                  {"reason", "fetch_status"},
                  {"site", "shop.example"},
                  {"url", "http://shop.example/gone"}},
          TextRow{{"detail", "5283 bytes, more than 5000"},
                  {"reason", "too_large"},
                  {"site", "shop.example"},
                  {"url", "http://shop.example/large"}},
          TextRow{{"detail", "application/pdf"},
                  {"reason", "not_html"},
                  {"site", "shop.example"},
                  {"url", "http://shop.example/pdf"}},
          TextRow{{"detail", "no type is given, and the content is binary"},
                  {"reason", "not_html"},
                  {"site", "shop.example"},
                  {"url", "http://shop.example/bytes"}}));
}

TEST_F(ClusterTest, ACrawlOfTooShortPagesHasNoClusters) {
  WriteCrawl(temp_ / "crawl",
             {{"http://a.example/", "<p>"}, {"http://b.example/", ""}});
  const json report = ClusterJson({Crawl(), Out("out")});
  EXPECT_EQ(report["pages"], 2);
  EXPECT_EQ(report["sites"], 2);
  EXPECT_EQ(report["clusters"], 0);
  EXPECT_EQ(report["too_short"], 2);
  EXPECT_EQ(report["coverage"], 0.0);
  EXPECT_TRUE(ReadClusters(temp_ / "out").empty());
}

TEST_F(ClusterTest, AnEmptyCrawlIsNoError) {
  WriteCrawl(temp_ / "crawl", {});
  const json report = ClusterJson({Crawl(), Out("out")});
  EXPECT_EQ(report["pages"], 0);
  EXPECT_EQ(report["clusters"], 0);
}

// The rows are a function of the pages: not of the number of files and splits,
// of reducers, of the order of pages, or of where signatures come from.
TEST_F(ClusterTest, RowsDoNotDependOnSplitsOrReducers) {
  std::vector<Page> pages = TwoTemplates(240);
  for (int i = 0; i < 150; ++i) {
    pages.push_back({StrCat("http://other.example/", i, "?q=", i % 7),
                     Html(i % 2 == 0, i % 11)});
  }
  pages.push_back(pages.front());
  std::vector<TextRow> assignments, clusters;
  for (const size_t num_crawls : {1, 3, 8}) {
    for (const int reducers : {1, 4}) {
      SCOPED_TRACE(StrCat(num_crawls, " crawls, ", reducers, " reducers"));
      const std::string name = StrCat("s", num_crawls, "r", reducers);
      std::vector<std::vector<Page>> parts(num_crawls);
      for (size_t i = 0; i < pages.size(); ++i) {
        parts[i * 7 % num_crawls].push_back(pages[pages.size() - 1 - i]);
      }
      std::vector<std::string> flags = {Out(name),
                                        StrCat("--reducers=", reducers)};
      for (size_t i = 0; i < num_crawls; ++i) {
        const std::string crawl = StrCat(temp_ / name, "-crawl-", i);
        WriteCrawl(crawl, parts[i]);
        flags.push_back("--crawl=" + crawl);
      }
      ClusterJson(flags);
      EXPECT_EQ(NumShards(temp_ / name, "assignments"), 1u);
      if (assignments.empty()) {
        assignments = ReadAssignments(temp_ / name);
        clusters = ReadClusters(temp_ / name);
        EXPECT_EQ(assignments.size(), pages.size());
        EXPECT_EQ(clusters.size(), 4u);
      }
      EXPECT_EQ(ReadAssignments(temp_ / name), assignments);
      EXPECT_EQ(ReadClusters(temp_ / name), clusters);
    }
  }
  const json report = ClusterJson(
      {"--signatures=" + (temp_ / "s3r1/signatures"), Out("again")});
  EXPECT_EQ(report["pages"], pages.size());
  EXPECT_EQ(ReadAssignments(temp_ / "again"), assignments);
  EXPECT_EQ(ReadClusters(temp_ / "again"), clusters);
  EXPECT_FALSE(std::filesystem::exists(temp_ / "again/signatures"));
}

// Tables of signatures so large that they are cut into splits, of sites so
// large that mappers and reducers leave pages out of the sample; and with a URL
// that is in the crawl many times, each time with another structure.
TEST_F(ClusterTest, RowsDoNotDependOnTheSplitsOfLargeTables) {
  const testing_support::SignatureSite large(7, {.num_pages = 44000});
  const testing_support::SignatureSite medium(8, {.num_pages = 3000});
  const testing_support::SignatureSite again(9, {.num_pages = 25000});
  constexpr int kFiles = 12;
  std::vector<std::unique_ptr<io::RowWriter>> files;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back(*io::RowWriter::Create(
        *io::ResolvePath(StrCat(temp_ / "signatures", "/", i)),
        tables::SignaturesSchema(), {}));
  }
  int64_t rows = 0;
  const auto write = [&](const std::string& url, const std::string& site,
                         const signature::PageSignature& signature) {
    const tables::SignedPage page = {url, site, signature, "host", 10};
    io::RowWriter* const file =
        files[static_cast<size_t>(rows++ * 5 % kFiles)].get();
    ASSERT_TRUE(tables::WriteSignedPage(page, file).ok());
  };
  for (int64_t i = 0; i < large.num_pages(); ++i) {
    write(StrCat("http://large.example/", i), "large.example", large.Page(i));
  }
  for (int64_t i = 0; i < medium.num_pages(); ++i) {
    write(StrCat("http://m.example/", i), "m.example", medium.Page(i));
  }
  // One URL, one vector, many sketches: which of them are in the sample?
  for (int64_t i = 0; i < again.num_pages(); ++i) {
    write("http://again.example/", "again.example",
          {again.Page(0).vector, again.Page(i).sketch});
  }
  for (const auto& file : files) ASSERT_TRUE(file->Close().ok());

  std::vector<TextRow> assignments, clusters;
  struct Case {
    int split_mb;
    size_t least_splits;
    size_t most_splits;
    int reducers;
  };
  for (const Case& c :
       {Case{64, 1, 1, 1}, Case{6, 3, 4, 4}, Case{2, 8, 24, 1}}) {
    SCOPED_TRACE(c.split_mb);
    const std::string name = StrCat("split", c.split_mb);
    ClusterJson({"--signatures=" + (temp_ / "signatures"), Out(name),
                 StrCat("--split-mb=", c.split_mb),
                 StrCat("--reducers=", c.reducers)});
    const size_t splits = NumShards(temp_ / name, "assignments");
    EXPECT_GE(splits, c.least_splits);
    EXPECT_LE(splits, c.most_splits);
    if (assignments.empty()) {
      assignments = ReadAssignments(temp_ / name);
      clusters = ReadClusters(temp_ / name);
      EXPECT_EQ(assignments.size(), static_cast<size_t>(rows));
    }
    EXPECT_TRUE(ReadAssignments(temp_ / name) == assignments);
    EXPECT_EQ(ReadClusters(temp_ / name), clusters);
  }
}

TEST_F(ClusterTest, OutputsAreNotInputs) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(60));
  ClusterJson({Crawl(), Out("out")});
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--signatures=" + (temp_ / "out/signatures"),
                                 Out("out"), "--force"},
        {"--signatures=" + (temp_ / "out/signatures"),
         Out("out/signatures/again")}}) {
    std::vector<std::string> command = {"cluster"};
    command.insert(command.end(), flags.begin(), flags.end());
    const CommandResult result = RunTrommel(command);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(" lies inside --"));
  }
  EXPECT_EQ(
      ReadTable(temp_ / "out/signatures", {{"url", io::ColumnType::kBytes}})
          .size(),
      60u);
  const CommandResult finished = RunTrommel({"cluster", Crawl(), Out("out")});
  EXPECT_EQ(finished.exit_code, 1);
  EXPECT_THAT(finished.err, HasSubstr("--force"));
}

TEST_F(ClusterTest, WithoutMergingAClusterIsOneSignature) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(300));
  const json report = ClusterJson({Crawl(), Out("out"), "--merge=false"});
  EXPECT_EQ(report["by_sketch"], 0);
  for (const TextRow& cluster : ReadClusters(temp_ / "out")) {
    EXPECT_EQ(cluster.at("sketch"), "null");
    EXPECT_THAT(cluster.at("signatures.signature"),
                testing::Not(HasSubstr(",")));
    EXPECT_EQ(cluster.at("signatures.importance"),
              "[" + cluster.at("importance") + "]");
  }
}

TEST_F(ClusterTest, WhatIsOneSite) {
  std::vector<Page> pages;
  for (int i = 0; i < 60; ++i) {
    pages.push_back(
        {StrCat("http://", i % 2 == 0 ? "www" : "m", ".shop.co.uk/p/", i),
         Html(true, 0)});
  }
  WriteCrawl(temp_ / "crawl", pages);
  struct Case {
    std::string flag;
    std::string site_key;
    std::set<std::string> sites;
  };
  const Case cases[] = {
      {"--site-key=host", "host", {"m.shop.co.uk", "www.shop.co.uk"}},
      {"--site-key=registered_domain", "registered_domain", {"shop.co.uk"}},
      {"--site=all of it", "fixed", {"all of it"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.flag);
    ClusterJson({Crawl(), Out("out"), "--force", c.flag});
    std::set<std::string> sites, keys;
    for (const TextRow& cluster : ReadClusters(temp_ / "out")) {
      sites.insert(cluster.at("site"));
      keys.insert(cluster.at("site_key"));
    }
    EXPECT_EQ(sites, c.sites);
    EXPECT_EQ(keys, std::set<std::string>{c.site_key});
  }
}

TEST_F(ClusterTest, WrongUsageIsNamed) {
  struct Case {
    std::vector<std::string> flags;
    int exit_code;
    std::string message;
  };
  WriteCrawl(temp_ / "crawl", TwoTemplates(5));
  const Case cases[] = {
      {{Out("out")}, 2, "--crawl is missing"},
      {{Crawl(), "--signatures=x", Out("out")}, 2, "exclude each other"},
      {{"--signatures=x", "--site=y", Out("out")}, 2, "go with --crawl"},
      {{Crawl(), "--site=x", "--site-key=registered_domain", Out("out")},
       2,
       "--site and --site-key exclude each other"},
      {{Crawl(), Out("out"), "--shingle=1"}, 2, "--shingle"},
      {{"--crawl=" + (temp_ / "nowhere"), Out("out")}, 1, "nowhere"},
      {{"--signatures=" + (temp_ / "crawl"), Out("out")}, 1, "\"site\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const CommandResult result = Cluster(c.flags);
    EXPECT_EQ(result.exit_code, c.exit_code) << result.err;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(temp_ / "out"));
  }
}

TEST_F(ClusterTest, SignaturesOfTwoSettingsAreNotMixed) {
  WriteCrawl(temp_ / "crawl", TwoTemplates(30));
  ClusterJson({Crawl(), Out("a")});
  ClusterJson({Crawl(), Out("b"), "--shingle=5"});
  const CommandResult result =
      Cluster({"--signatures=" + (temp_ / "a/signatures"),
               "--signatures=" + (temp_ / "b/signatures"), Out("out")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("shop.example"), HasSubstr("shingle_length")));
}

// Generated sites whose eight templates share header, navigation and footer.
TEST_F(ClusterTest, EightTemplatesOfAGeneratedSite) {
  WriteWholeFile(temp_ / "spec.textproto", R"(
    seed: 4
    site {
      host: "www.s{n}.example" count: 3 vertical: "camera" pages: 400
      template { kind: "detail" weight: 3 } template { kind: "list" weight: 2 }
      template { kind: "review" } template { kind: "seller" }
      template { kind: "help" } template { kind: "search" }
      template { kind: "cart" } template { kind: "article" }
    })");
  ASSERT_EQ(RunTrommel({"generate", "--spec=" + (temp_ / "spec.textproto"),
                        "--out=" + (temp_ / "web")})
                .exit_code,
            0);
  const std::string day = temp_ / "web/day=2026-01-01";
  ClusterJson({"--crawl=" + day + "/crawl", Out("out")});
  std::map<std::string, std::string> truth;
  std::istringstream lines(ReadWholeFile(day + "/truth.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const json record = json::parse(line);
    truth[record["url"]] = StrCat(record["site"].get<std::string>(), " ",
                                  record["template"].get<std::string>());
  }
  const Quality quality =
      Measure(ReadAssignments(temp_ / "out"),
              [&](const std::string& url) { return truth.at(url); });
  EXPECT_EQ(quality.pages, 1200);
  EXPECT_GE(quality.Purity(), 0.999);
  EXPECT_GE(quality.Coverage(), 0.99);
  EXPECT_EQ(quality.clusters_of_class.size(), 24u);
  EXPECT_LE(quality.MostClustersOfAClass(), 2);
}

}  // namespace
}  // namespace trommel::jobs::cluster_job
