#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/coverage/coverage_tables.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::coverage_job {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::ReadTable;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::TextRow;
using testing_support::WriteCrawl;

// Three designs that share nothing, with some variation; 0: too few tags.
std::string Html(int design, int variant) {
  if (design == 0) return "<html><body>gone</body></html>";
  constexpr const char* kBodies[] = {
      "<h1></h1><table><tr><td><b></b></td><td></td></tr></table>"
      "<form><input><select><option></option></select></form><p></p>"
      "<div><span></span><img><em></em></div>",
      "<h2></h2><ol><li></li></ol><blockquote><i></i></blockquote>"
      "<dl><dt></dt><dd></dd></dl><section><article></article></section>"
      "<pre></pre><nav><code></code></nav>",
      "<header><h3></h3></header><main><figure><figcaption></figcaption>"
      "</figure><aside><small></small></aside><hr><details><summary></summary>"
      "</details></main><footer><strong></strong><sub></sub></footer>"};
  std::string html = "<html><head><title>x</title></head><body>";
  for (int i = 0; i < 3; ++i) html += kBodies[design - 1];
  for (int i = 0; i < variant % 3; ++i) html += "<p><u></u></p>";
  return html + "</body></html>";
}

struct Pages {
  std::string site;
  int count;
  int design;
  int first = 0;
};

class CoverageTest : public testing::Test {
 protected:
  // Below day=DAY, or where that is empty below `folder`, fetched on `fetched`.
  std::string Crawl(const std::string& folder, const std::vector<Pages>& sites,
                    std::optional<int64_t> fetched_us = {}) {
    std::vector<Page> crawl;
    for (const Pages& pages : sites) {
      for (int i = pages.first; i < pages.first + pages.count; ++i) {
        crawl.push_back({StrCat("http://", pages.site, "/", i),
                         Html(pages.design, i), fetched_us});
      }
    }
    const std::string path = temp_ / folder;
    WriteCrawl(path, crawl);
    return "--crawl=" + path;
  }
  void Cluster(const std::string& crawl) {
    const CommandResult result =
        RunTrommel({"cluster", crawl, "--out=" + (temp_ / "clusters")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  CommandResult Run(std::vector<std::string> flags,
                    const std::string& out = "out") {
    flags.insert(flags.begin(),
                 {"coverage", "--clusters=" + (temp_ / "clusters"),
                  "--out=" + (temp_ / out)});
    return RunTrommel(flags);
  }
  json RunJson(std::vector<std::string> flags, const std::string& out = "out") {
    flags.push_back("--json");
    const CommandResult result = Run(std::move(flags), out);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.exit_code == 0 ? json::parse(result.out) : json();
  }
  // The first timeline's rows of a site, in the order of days.
  std::vector<TextRow> Rows(const std::string& site,
                            const std::string& out = "out") {
    std::vector<TextRow> rows;
    for (TextRow& row :
         ReadTable(temp_ / out + "/coverage", CoverageColumns())) {
      if (row["site"] == site && row["counting"] == "placed" &&
          row["threshold"] == "10") {
        rows.push_back(std::move(row));
      }
    }
    std::sort(rows.begin(), rows.end(), [](const TextRow& a, const TextRow& b) {
      return a.at("day") < b.at("day");
    });
    return rows;
  }
  // (day, covered of pages before clustering anew, changed)
  static std::vector<std::string> Brief(const std::vector<TextRow>& rows) {
    std::vector<std::string> brief;
    for (const TextRow& row : rows) {
      const int64_t covered =
          std::stoll(row.at("by_signature")) + std::stoll(row.at("by_sketch"));
      brief.push_back(StrCat(row.at("day"), " ", covered, "/", row.at("pages"),
                             row.at("covered_anew") == "null" ? "" : " anew"));
    }
    return brief;
  }

  TempDir temp_;
};

TEST_F(CoverageTest, FollowsASiteThroughAChange) {
  const std::string first =
      Crawl("day=2026-01-01", {{"a.example", 60, 1}, {"a.example", 40, 2, 60}});
  const std::string second =
      Crawl("day=2026-01-02", {{"a.example", 60, 1}, {"a.example", 40, 3, 60}});
  const std::string third =
      Crawl("day=2026-01-03", {{"a.example", 60, 1}, {"a.example", 40, 3, 60}});
  Cluster(first);
  const json report = RunJson({third, first, second});  // in any order
  EXPECT_THAT(Brief(Rows("a.example")),
              ElementsAre("2026-01-01 100/100", "2026-01-02 60/100 anew",
                          "2026-01-03 100/100"));
  EXPECT_EQ(Rows("a.example")[0]["previous_day"], "null");
  EXPECT_EQ(Rows("a.example")[2]["previous_day"], "2026-01-02");
  EXPECT_EQ(Rows("a.example")[2]["clustered_on"], "2026-01-02");
  ASSERT_THAT(report["broken"], SizeIs(1));
  const json& broken = report["broken"][0];
  EXPECT_EQ(broken["site"], "a.example");
  EXPECT_EQ(broken["day"], "2026-01-02");
  EXPECT_EQ(broken["clusters"], 2);
  EXPECT_EQ(broken["clusters_broken"], 1);
  EXPECT_EQ(broken["urls_compared"], 40);
  EXPECT_EQ(broken["urls_lost"], 40);
  EXPECT_EQ(broken["change"], true);
  // 40 points: a change at 10, 20 and 30, not at 40.
  for (const json& timeline : report["changes"]) {
    EXPECT_EQ(timeline["total"], timeline["threshold"] < 40 ? 1 : 0);
  }
  const std::vector<TextRow> examples =
      ReadTable(temp_ / "out/examples", ExampleColumns());
  ASSERT_THAT(examples, SizeIs(3));
  EXPECT_EQ(examples[0].at("url_before"), examples[0].at("url_after"));
  EXPECT_NE(examples[0].at("signature_before"),
            examples[0].at("signature_after"));
  EXPECT_EQ(examples[0].at("cluster_id_after"), "null");
  EXPECT_TRUE(std::filesystem::exists(temp_ / "out/_SUCCESS"));
  EXPECT_THAT(ReadWholeFile(temp_ / "out/report.html"),
              HasSubstr("a change: down 40.0 points"));
}

TEST_F(CoverageTest, TheFirstCrawlIsComparedWithTheClustering) {
  Cluster(Crawl("day=2026-01-01", {{"a.example", 50, 1}}));
  const json report =
      RunJson({Crawl("day=2026-01-02", {{"a.example", 50, 2}})});
  EXPECT_EQ(report["changes"][0]["total"], 1);
  EXPECT_THAT(Brief(Rows("a.example")), ElementsAre("2026-01-02 0/50 anew"));
}

TEST_F(CoverageTest, GapsVanishedNewAndNeverCrawledSites) {
  Cluster(Crawl("day=2026-01-01", {{"a.example", 50, 1},
                                   {"gone.example", 50, 1},
                                   {"never.example", 50, 2}}));
  const json report = RunJson(
      {Crawl("day=2026-01-02", {{"a.example", 50, 1}, {"gone.example", 50, 1}}),
       Crawl("day=2026-01-05", {{"a.example", 50, 3}, {"new.example", 50, 2}}),
       Crawl("day=2026-01-06",
             {{"a.example", 50, 3}, {"new.example", 50, 1}})});
  EXPECT_EQ(report["sites"], 4);
  EXPECT_EQ(report["sites_vanished"], 1);
  EXPECT_EQ(report["sites_never_crawled"], 1);
  EXPECT_EQ(report["sites_new"], 1);
  EXPECT_THAT(Brief(Rows("a.example")),
              ElementsAre("2026-01-02 50/50", "2026-01-05 0/50 anew",
                          "2026-01-06 50/50"));
  EXPECT_EQ(Rows("a.example")[1]["previous_day"], "2026-01-02");
  EXPECT_THAT(Brief(Rows("gone.example")), ElementsAre("2026-01-02 50/50"));
  // Clustered on its first day, which is no change; then it changes.
  EXPECT_THAT(Brief(Rows("new.example")),
              ElementsAre("2026-01-05 0/50 anew", "2026-01-06 0/50 anew"));
  EXPECT_THAT(Rows("never.example"), IsEmpty());
  EXPECT_EQ(report["changes"][0]["total"], 2);
  EXPECT_EQ(report["changes"][0]["sites_by_changes"], json({1, 2}));
  const std::string page = ReadWholeFile(temp_ / "out/report.html");
  EXPECT_THAT(page, HasSubstr("Not crawled: 2026-01-03, 2026-01-04."));
  EXPECT_THAT(page, HasSubstr("no page since 2026-01-02"));
  EXPECT_THAT(page, HasSubstr("new on 2026-01-05"));
  EXPECT_THAT(page, HasSubstr("never.example"));
}

TEST_F(CoverageTest, AnEmptyCrawlChangesNothing) {
  Cluster(Crawl("day=2026-01-01", {{"a.example", 50, 1}}));
  const json report =
      RunJson({Crawl("day=2026-01-02", {{"a.example", 50, 1}}),
               Crawl("day=2026-01-03", {}),
               Crawl("day=2026-01-04", {{"a.example", 50, 1}})});
  EXPECT_EQ(report["days"]["2026-01-03"], 0);
  EXPECT_EQ(report["changes"][0]["total"], 0);
  EXPECT_EQ(report["sites_vanished"], 0);
  EXPECT_THAT(Brief(Rows("a.example")),
              ElementsAre("2026-01-02 50/50", "2026-01-04 50/50"));
  EXPECT_THAT(ReadWholeFile(temp_ / "out/report.html"),
              HasSubstr("The crawl is empty: 2026-01-03."));
  // Nothing but an empty crawl: no site has vanished, for nothing is known.
  const CommandResult text = Run({Crawl("day=2026-02-01", {})}, "empty");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("the crawl of 2026-02-01 is empty"));
  EXPECT_THAT(text.out, HasSubstr("1 site without a page on any day"));
}

TEST_F(CoverageTest, DaysFromFetchTimesAndPagesWithoutADay) {
  Cluster(Crawl("day=2026-01-01", {{"a.example", 50, 1}}));
  constexpr int64_t kDay = 86400000000;
  // The last microsecond of one day and the first of the next.
  const std::string early =
      Crawl("early", {{"a.example", 50, 1}}, 20454 * kDay - 1);
  const std::string late = Crawl("late", {{"a.example", 50, 2}}, 20454 * kDay);
  const std::string never = Crawl("never", {{"a.example", 20, 1}});
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const std::string future = Crawl("future", {{"a.example", 5, 1}}, kMax);
  const json report = RunJson({early, late, never, future});
  EXPECT_THAT(Brief(Rows("a.example")),
              ElementsAre("2025-12-31 50/50", "2026-01-01 0/50 anew"));
  EXPECT_EQ(report["rejected"], 25);
  const std::vector<TextRow> rejects = ReadTable(
      temp_ / "out/_rejects",
      {{"url", io::ColumnType::kBytes}, {"reason", io::ColumnType::kBytes}});
  ASSERT_THAT(rejects, SizeIs(25));
  EXPECT_EQ(rejects[0].at("reason"), "no_day");
  // The folder counts, whatever the time of fetching.
  const json dated = RunJson(
      {Crawl("day=2026-03-01", {{"a.example", 50, 1}}, 20454 * kDay)}, "dated");
  EXPECT_THAT(Brief(Rows("a.example", "dated")),
              ElementsAre("2026-03-01 50/50"));
}

TEST_F(CoverageTest, PagesWithoutSignatureAreUncovered) {
  Cluster(Crawl("day=2026-01-01", {{"a.example", 50, 1}}));
  const json report =
      RunJson({Crawl("day=2026-01-02", {{"a.example", 50, 1}}),
               Crawl("day=2026-01-03",
                     {{"a.example", 20, 1}, {"a.example", 30, 0, 20}})});
  EXPECT_THAT(Brief(Rows("a.example")),
              ElementsAre("2026-01-02 50/50", "2026-01-03 20/50 anew"));
  EXPECT_EQ(Rows("a.example")[1]["too_short"], "30");
  // The URLs are still known: they left their cluster.
  EXPECT_EQ(report["broken"][0]["urls_lost"], 30);
}

TEST_F(CoverageTest, SameRowsForAnyWorkersSplitsAndReducers) {
  Cluster(
      Crawl("day=2026-01-01", {{"a.example", 60, 1}, {"b.example", 60, 2}}));
  const std::vector<std::string> crawls = {
      Crawl("day=2026-01-02", {{"a.example", 60, 1}, {"b.example", 60, 3}}),
      Crawl("day=2026-01-03", {{"a.example", 30, 1},
                               {"a.example", 30, 3, 30},
                               {"b.example", 60, 3}})};
  std::vector<std::string> flags = crawls;
  RunJson(flags, "one");
  flags.insert(flags.end(), {"--workers=3", "--split-mb=1", "--reducers=1"});
  RunJson(flags, "two");
  flags = {crawls[1], crawls[0], "--reducers=7", "--workers=1"};
  RunJson(flags, "three");
  for (const char* other : {"two", "three"}) {
    EXPECT_EQ(ReadTable(temp_ / "one/coverage", CoverageColumns()),
              ReadTable(temp_ / other + "/coverage", CoverageColumns()));
    EXPECT_EQ(ReadTable(temp_ / "one/examples", ExampleColumns()),
              ReadTable(temp_ / other + "/examples", ExampleColumns()));
    EXPECT_EQ(ReadTable(temp_ / "one/sites", CoveredSiteColumns()),
              ReadTable(temp_ / other + "/sites", CoveredSiteColumns()));
  }
  EXPECT_EQ(ReadWholeFile(temp_ / "one/report.html"),
            ReadWholeFile(temp_ / "two/report.html"));
}

TEST_F(CoverageTest, ThresholdsAndTheExitCode) {
  const std::string first = Crawl("day=2026-01-01", {{"a.example", 100, 1}});
  const std::string second =
      Crawl("day=2026-01-02", {{"a.example", 75, 1}, {"a.example", 25, 2, 75}});
  Cluster(first);
  EXPECT_EQ(Run({first, second}, "plain").exit_code, 0);
  EXPECT_EQ(Run({first, second, "--fail-on-drop"}, "flagged").exit_code, 3);
  EXPECT_EQ(
      Run({first, second, "--fail-on-drop", "--threshold=25"}, "at").exit_code,
      0);
  EXPECT_EQ(Run({first, second, "--fail-on-drop", "--threshold=24"}, "beyond")
                .exit_code,
            3);
  const json report =
      RunJson({first, second, "--threshold=30", "--threshold=5"}, "two");
  ASSERT_THAT(report["changes"], SizeIs(4));
  EXPECT_EQ(report["changes"][0]["threshold"], 5);
  EXPECT_EQ(report["changes"][0]["total"], 1);
  EXPECT_EQ(report["changes"][1]["total"], 0);
}

TEST_F(CoverageTest, WrongUsageAndMissingInputsAreNamed) {
  const std::string crawl = Crawl("day=2026-01-01", {{"a.example", 50, 1}});
  Cluster(crawl);
  struct Case {
    std::vector<std::string> flags;
    int exit_code;
    const char* message;
  };
  const Case kCases[] = {
      {{}, 2, "--crawl"},
      {{crawl, "--threshold=0"}, 2, "--threshold=0 is not a whole number"},
      {{crawl, "--threshold=ten"}, 2, "--threshold=ten"},
      {{"--crawl=" + (temp_ / "nowhere")}, 1, "nowhere"},
      {{crawl, "--clusters=" + (temp_ / "none")}, 1, "none"},
  };
  for (const Case& c : kCases) {
    std::vector<std::string> flags = {"coverage", "--out=" + (temp_ / "bad")};
    const bool has_clusters =
        !c.flags.empty() && c.flags.back().starts_with("--clusters");
    if (!has_clusters) flags.push_back("--clusters=" + (temp_ / "clusters"));
    flags.insert(flags.end(), c.flags.begin(), c.flags.end());
    const CommandResult result = RunTrommel(flags);
    EXPECT_EQ(result.exit_code, c.exit_code) << c.message;
    EXPECT_THAT(result.err, HasSubstr(c.message));
    EXPECT_FALSE(std::filesystem::exists(temp_ / "bad"));
  }
  EXPECT_EQ(Run({crawl}).exit_code, 0);
  EXPECT_THAT(Run({crawl}).err, HasSubstr("--force"));
  EXPECT_EQ(Run({crawl, "--force"}).exit_code, 0);
}

TEST_F(CoverageTest, SitesAreThoseOfTheClusters) {
  const std::string first =
      Crawl("day=2026-01-01", {{"a.example", 30, 1}, {"b.example", 30, 2, 30}});
  const CommandResult clustered =
      RunTrommel({"cluster", first, "--site=all", "--merge=false",
                  "--shingle=5", "--out=" + (temp_ / "clusters")});
  ASSERT_EQ(clustered.exit_code, 0) << clustered.err;
  const json report = RunJson({first});
  EXPECT_EQ(report["sites"], 1);
  EXPECT_THAT(Rows("all"), SizeIs(1));
  EXPECT_EQ(Rows("all")[0]["by_sketch"], "0");
  EXPECT_THAT(ReadWholeFile(temp_ / "out/_SUCCESS"),
              HasSubstr("\"merge\": \"false\""));
}

}  // namespace
}  // namespace trommel::jobs::coverage_job
