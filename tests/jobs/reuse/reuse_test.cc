#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "core/rule/rule.h"
#include "jobs/tables/decisions_table.h"
#include "mapreduce/io/path.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"
#include "tests/testing/write_crawl.h"

namespace trommel::jobs::reuse_job {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing_support::CommandResult;
using testing_support::Page;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

constexpr int kPages = 40;

// Sites by what becomes of them on the second day.
constexpr char kSame[] = "same.example";          // nothing
constexpr char kRebuilt[] = "rebuilt.example";    // everything moves elsewhere
constexpr char kReplaced[] = "replaced.example";  // all URLs are new
constexpr char kGone[] = "gone.example";          // is not crawled
constexpr char kNew[] = "new.example";            // was not crawled before

std::string TitleOf(int i) { return StrCat("Gadget ", i * 37 % 1000, "x", i); }

std::string Product(int i, bool is_rebuilt) {
  const std::string title = TitleOf(i);
  const std::string price = StrCat("$", i, ".50");
  if (!is_rebuilt) {
    return StrCat(
        "<html><body><div id=nav><ul><li><a>Home</a></li><li><a>Help</a></li>"
        "</ul></div><div class=product><h1 class=name>",
        title,
        "</h1><table><tr><th>Maker</th><td><b>ACME</b></td></tr></table>"
        "<form><select><option>1</option></select></form><p>Price: "
        "<em class=price>",
        price, "</em></p></div><address>Imprint</address></body></html>");
  }
  return StrCat(
      "<html><body><header><nav><a>Start</a><a>Help</a><a>Contact</a></nav>"
      "</header><main><section><article><h2><span class=headline>",
      title, "</span></h2><dl><dt>Cost</dt><dd><strong>", price,
      "</strong></dd><dt>Stock</dt><dd><i>many</i></dd></dl><ol><li>a</li>"
      "<li>b</li></ol></article></section></main><footer><small>x</small>"
      "</footer></body></html>");
}

std::string Help(int i) {
  return StrCat(
      "<html><body><div id=nav></div><blockquote><ol><li>One</li><li>Two</li>"
      "<li>Three ",
      i,
      "</li></ol></blockquote><hr><h5>Call</h5><u>us</u><pre>now</pre><kbd>k"
      "</kbd><samp>s</samp></body></html>");
}

class ReuseTest : public testing::Test {
 protected:
  std::string Flag(const std::string& name, const std::string& path) const {
    return StrCat("--", name, "=", temp_ / path);
  }

  static std::string Url(const std::string& site, const std::string& folder,
                         int i) {
    return StrCat("http://", site, "/", folder, "/", i);
  }

  void CrawlDay(int day, const std::vector<std::string>& sites) {
    std::vector<Page> pages;
    for (const std::string& site : sites) {
      for (int i = 1; i <= kPages; ++i) {
        const int id = site == kReplaced && day == 2 ? i + 1000 : i;
        pages.push_back(
            {Url(site, "p", id),
             Product(id, day == 2 && site == std::string(kRebuilt))});
        pages.push_back({Url(site, "h", i), Help(i)});
      }
    }
    WriteCrawl(temp_ / StrCat("crawl", day), pages);
    const CommandResult result =
        RunTrommel({"cluster", Flag("crawl", StrCat("crawl", day)),
                    Flag("out", StrCat("clusters", day))});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  // Two days, and rules for the first.
  void MakeDays(const std::vector<std::string>& second_day = {
                    kSame, kRebuilt, kReplaced, kNew}) {
    const std::vector<std::string> first_day = {kSame, kRebuilt, kReplaced,
                                                kGone};
    CrawlDay(1, first_day);
    CrawlDay(2, second_day);
    CommandResult result = RunTrommel(
        {"sample", Flag("crawl", "crawl1"), Flag("clusters", "clusters1"),
         "--pages=40", "--annotate-pages=false", Flag("out", "samples")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    WriteWholeFile(
        temp_ / "shop.textproto",
        "name: \"shop\"\n"
        "attribute { name: \"title\" mandatory: true constant: true }\n"
        "attribute { name: \"price\" type: PRICE }\n");
    std::string lines;
    for (const std::string& site : first_day) {
      for (const int i : {3, 8}) {
        const std::string url = Url(site, "p", i);
        lines +=
            json{{"url", url}, {"attribute", "title"}, {"value", TitleOf(i)}}
                .dump() +
            "\n";
        lines += json{{"url", url},
                      {"attribute", "price"},
                      {"value", StrCat("$", i, ".50")}}
                     .dump() +
                 "\n";
      }
      lines += json{{"url", Url(site, "h", 1)}, {"skip", true}}.dump() + "\n";
    }
    WriteWholeFile(temp_ / "annotations.jsonl", lines);
    result =
        RunTrommel({"learn", Flag("samples", "samples"),
                    Flag("annotations", "annotations.jsonl"),
                    Flag("schema", "shop.textproto"), Flag("out", "rules")});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::string statuses = ReadWholeFile(temp_ / "rules/status.jsonl");
    ASSERT_THAT(statuses, Not(HasSubstr("needs_annotation"))) << statuses;
  }

  std::vector<std::string> Inputs() const {
    return {"reuse",
            Flag("rules", "rules"),
            Flag("old-clusters", "clusters1"),
            Flag("old-crawl", "crawl1"),
            Flag("new-clusters", "clusters2"),
            Flag("new-crawl", "crawl2")};
  }
  CommandResult Reuse(const std::string& out,
                      const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments = Inputs();
    arguments.push_back(Flag("out", out));
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return RunTrommel(arguments);
  }

  std::vector<tables::DecisionRow> Decisions(const std::string& out) const {
    std::vector<tables::DecisionRow> rows;
    EXPECT_TRUE(
        tables::VisitDecisions(*io::ResolvePath(temp_ / (out + "/decisions")),
                               [&](tables::DecisionRow row) {
                                 rows.push_back(std::move(row));
                                 return absl::OkStatus();
                               })
            .ok());
    return rows;
  }
  // The decisions on a site as "decision/how", by number.
  std::map<std::string, int> OfSite(const std::string& out,
                                    const std::string& site) const {
    std::map<std::string, int> counts;
    for (const tables::DecisionRow& row : Decisions(out)) {
      if (row.site == site) ++counts[StrCat(row.decision, "/", row.how)];
    }
    return counts;
  }
  proto::RuleSet Rules(const std::string& out) const {
    return *rule::DecodeRules(ReadWholeFile(temp_ / (out + "/rules.binpb")));
  }
  using Counts = std::map<std::string, int>;

  TempDir temp_;
};

TEST_F(ReuseTest, EachClusterAsItDeserves) {
  MakeDays();
  const CommandResult result = Reuse("out", {"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(OfSite("out", kSame),
            (Counts{{"reused/cluster_match", 1}, {"ignored/", 1}}));
  EXPECT_EQ(OfSite("out", kRebuilt),
            (Counts{{"repaired/field_test", 1}, {"ignored/", 1}}));
  EXPECT_EQ(OfSite("out", kReplaced),
            (Counts{{"reused/cluster_match", 1}, {"ignored/", 1}}));
  EXPECT_EQ(OfSite("out", kGone), (Counts{{"carried_over/", 1}}));
  EXPECT_EQ(OfSite("out", kNew), (Counts{{"annotate/", 2}}));

  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["clusters"], 8);
  EXPECT_EQ(summary["reused"], 2);
  EXPECT_EQ(summary["repaired"], 1);
  EXPECT_EQ(summary["annotate"], 2);
  EXPECT_EQ(summary["ignored"], 3);
  EXPECT_EQ(summary["reused_without_shared_urls"], 1);
  EXPECT_EQ(summary["rules_before"], 3);
  EXPECT_EQ(summary["rules_reused_by_cluster_match"], 2);
  EXPECT_EQ(summary["rules_of_absent_sites"], 1);
  for (const json& site : summary["sites"]) {
    if (site["site"] == kNew) continue;
    EXPECT_EQ(site["drop_plus_reused"], 1) << site;
  }
}

TEST_F(ReuseTest, TheRulesGoOnExtracting) {
  MakeDays();
  ASSERT_EQ(Reuse("out").exit_code, 0);
  const proto::RuleSet rules = Rules("out");
  ASSERT_EQ(rules.rule_size(), 4);
  for (const proto::Rule& rule : rules.rule()) {
    EXPECT_GE(rule.bellwether_size(), 20) << rule.site();
    EXPECT_EQ(rule.reused_from().empty(),
              rule.site() == kRebuilt || rule.site() == kGone)
        << rule.site();
    if (rule.site() != kRebuilt) continue;
    // Golden values are today's.
    const proto::PageRecords& page = rule.bellwether(0);
    EXPECT_THAT(page.record(0).attribute(0).value(0), HasSubstr("Gadget "));
  }
  const CommandResult result =
      RunTrommel({"extract", Flag("crawl", "crawl2"), Flag("rules", "out"),
                  Flag("out", "records"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["records"], 3 * kPages);
}

TEST_F(ReuseTest, StatusAndListFollowTheDecisions) {
  MakeDays();
  ASSERT_EQ(Reuse("out", {"--repair=false"}).exit_code, 0);
  EXPECT_EQ(OfSite("out", kRebuilt),
            (Counts{{"annotate/", 1}, {"ignored/", 1}, {"retired/", 1}}));
  std::map<std::string, int> statuses;
  std::istringstream lines(ReadWholeFile(temp_ / "out/status.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const json status = json::parse(line);
    ++statuses[status["status"]];
    EXPECT_EQ(status["next_url"].is_string(),
              status["status"] == "needs_annotation")
        << line;
    EXPECT_TRUE(status["reason"].is_string()) << line;
  }
  EXPECT_EQ(statuses,
            (Counts{{"done", 3}, {"ignored", 4}, {"needs_annotation", 3}}));
  std::istringstream list(ReadWholeFile(temp_ / "out/to_annotate.jsonl"));
  int64_t pages = 1000;
  int num_lines = 0;
  for (std::string line; std::getline(list, line); ++num_lines) {
    const json entry = json::parse(line);
    EXPECT_LE(entry["pages"], pages);
    pages = entry["pages"];
    if (entry["site"] == kRebuilt) {
      EXPECT_THAT(entry["reason"], HasSubstr("--repair=false"));
    }
  }
  EXPECT_EQ(num_lines, 3);
}

TEST_F(ReuseTest, TheSameForAnyWorkersAndSplits) {
  MakeDays();
  ASSERT_EQ(Reuse("one", {"--workers=1", "--reducers=1"}).exit_code, 0);
  ASSERT_EQ(
      Reuse("many", {"--workers=3", "--reducers=5", "--split-mb=1"}).exit_code,
      0);
  for (const std::string file : {"rules.binpb", "rules.textproto",
                                 "status.jsonl", "to_annotate.jsonl"}) {
    EXPECT_EQ(ReadWholeFile(temp_ / ("one/" + file)),
              ReadWholeFile(temp_ / ("many/" + file)))
        << file;
  }
  const std::vector<tables::DecisionRow> one = Decisions("one");
  const std::vector<tables::DecisionRow> many = Decisions("many");
  ASSERT_EQ(one.size(), many.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].reason, many[i].reason);
    EXPECT_EQ(one[i].rule_id, many[i].rule_id);
  }
  for (const auto& entry : std::filesystem::directory_iterator(temp_ / "one")) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(name[0] != '_' || name == "_SUCCESS") << name;
  }
}

TEST_F(ReuseTest, OnlyTheSitesThatAreNamed) {
  MakeDays();
  WriteWholeFile(temp_ / "sites", StrCat(kRebuilt, "\n"));
  const CommandResult result = Reuse("out", {Flag("sites", "sites")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("3 rules of sites not in --sites"));
  EXPECT_EQ(OfSite("out", kRebuilt),
            (Counts{{"repaired/field_test", 1}, {"ignored/", 1}}));
  EXPECT_EQ(OfSite("out", kSame), (Counts{{"carried_over/", 1}}));
  EXPECT_EQ(OfSite("out", kNew), Counts());
  const proto::RuleSet before = Rules("rules");
  int unchanged = 0;
  const proto::RuleSet after = Rules("out");
  for (const proto::Rule& rule : after.rule()) {
    for (const proto::Rule& old : before.rule()) {
      unchanged += rule.SerializeAsString() == old.SerializeAsString() ? 1 : 0;
    }
  }
  EXPECT_EQ(unchanged, 3);

  WriteWholeFile(temp_ / "sites", "nobody.example\n");
  const CommandResult unknown = Reuse("out2", {Flag("sites", "sites")});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("sites:1: no site \"nobody.example\""));
}

TEST_F(ReuseTest, AnEmptyCrawlLosesNoRule) {
  MakeDays(/*second_day=*/{});
  const CommandResult result = Reuse("out", {"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["clusters"], 0);
  EXPECT_EQ(summary["rules"], 4);
  EXPECT_EQ(summary["absent_sites"], 4);
}

TEST_F(ReuseTest, CrawlsThatAreNotThoseOfTheClustersAreAnError) {
  MakeDays();
  WriteCrawl(temp_ / "other",
             {{Url("elsewhere.example", "p", 1), Product(1, false)}});
  for (const std::string flag : {"new-crawl", "old-crawl"}) {
    std::vector<std::string> arguments = Inputs();
    arguments[flag == "new-crawl" ? 5 : 3] = Flag(flag, "other");
    arguments.push_back(Flag("out", "out"));
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 1) << flag;
    EXPECT_THAT(result.err, HasSubstr(StrCat("--", flag, " has none of the")));
    EXPECT_FALSE(std::filesystem::exists(temp_ / "out")) << flag;
  }
}

TEST_F(ReuseTest, ExplainSaysWhy) {
  MakeDays();
  ASSERT_EQ(Reuse("out").exit_code, 0);
  CommandResult result =
      RunTrommel({"explain", Flag("rules", "out"), Flag("crawl", "crawl2"),
                  StrCat("--url=", Url(kRebuilt, "p", 5))});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(": repaired\n"));
  EXPECT_THAT(result.out, HasSubstr("learnt again by old values"));
  // A page without a rule: what the site's clusters wait for.
  result = RunTrommel({"explain", Flag("rules", "out"), Flag("crawl", "crawl2"),
                       StrCat("--url=", Url(kNew, "p", 5))});
  EXPECT_THAT(result.out, HasSubstr("none of its pages was in a cluster"));

  std::string cluster_id;
  for (const tables::DecisionRow& row : Decisions("out")) {
    if (row.decision == "ignored") cluster_id = row.cluster_id;
  }
  result = RunTrommel({"explain", Flag("rules", "out"),
                       StrCat("--cluster=", cluster_id), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["decision"], "ignored");
  result = RunTrommel({"explain", Flag("rules", "out"), "--cluster=none"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("is on cluster none"));
  result = RunTrommel({"explain", Flag("rules", "rules"), "--cluster=none"});
  EXPECT_THAT(result.err, HasSubstr("no decisions/"));
  result = RunTrommel(
      {"explain", Flag("rules", "out"), "--cluster=none", "--url=http://x/"});
  EXPECT_EQ(result.exit_code, 2);
}

TEST_F(ReuseTest, WhatDoesNotBelongTogetherIsAnError) {
  MakeDays();
  struct Case {
    const char* label;
    size_t place;  // among the inputs
    std::string flag;
    const char* message;
  };
  const Case kCases[] = {
      {"clusters of another crawl", 2, Flag("old-clusters", "clusters2b"),
       "has no folder clusters"},
      {"no rules", 1, Flag("rules", "crawl1"), "has no rules.binpb"},
      {"no crawl", 5, Flag("new-crawl", "nowhere"), "nowhere"},
      {"no clusters", 4, Flag("new-clusters", "crawl2"),
       "it is no output of trommel cluster"},
  };
  for (const Case& c : kCases) {
    std::vector<std::string> arguments = Inputs();
    arguments[c.place] = c.flag;
    arguments.push_back(Flag("out", "bad"));
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 1) << c.label;
    EXPECT_THAT(result.err, HasSubstr(c.message)) << c.label;
    EXPECT_FALSE(std::filesystem::exists(temp_ / "bad")) << c.label;
  }
  // Rules for other clusters than these.
  CommandResult result = RunTrommel(
      {"cluster", Flag("crawl", "crawl1"), "--site=all", Flag("out", "other")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<std::string> arguments = Inputs();
  arguments[2] = Flag("old-clusters", "other");
  arguments.push_back(Flag("out", "bad"));
  result = RunTrommel(arguments);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("none of the 4 rules"));
}

}  // namespace
}  // namespace trommel::jobs::reuse_job
