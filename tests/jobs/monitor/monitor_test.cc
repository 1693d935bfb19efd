#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/base/strings.h"
#include "tests/jobs/monitor/monitor_web.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/seed.h"
#include "tests/testing/table_rows.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::monitor_job {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::Design;
using testing_support::kBellwethers;
using testing_support::kProducts;
using testing_support::MonitorTest;
using testing_support::Page;
using testing_support::ProductHtml;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TestSeed;
using testing_support::TextRow;
using testing_support::Url;
using testing_support::WriteCrawl;
using testing_support::WriteWholeFile;

// The three ways to fail, and what is none of them, each on a site of its own.
TEST_F(MonitorTest, ThreeWaysToFailAreKeptApart) {
  const Design same = {.day = 2};
  const Design renamed = {.name_class = "headline", .day = 2};
  const Design other_text = {.name_prefix = "Special offer ", .day = 2};
  const Design redesigned = {.is_new = true, .day = 2};
  const Design wrapped = {.is_wrapped = true, .day = 2};
  const auto always = [](const Design& design) {
    return [design](int) { return std::optional(design); };
  };
  // `broken` on the first bellwethers.
  const auto first = [&](int count, const Design& broken) {
    return [=](int i) { return std::optional(i < count ? broken : same); };
  };
  struct Case {
    const char* site;
    DesignOf design_of;
    // present, signature changed, null, wrong, failed, saved by fields
    std::vector<std::string> counts;
    const char* rule;
    const char* state;
    const char* reasons;
  };
  const Case cases[] = {
      {"same.example",
       always(same),
       {"10", "0", "0", "0", "0", "0"},
       "fine",
       "fine",
       "[]"},
      {"renamed.example",
       always(renamed),
       {"10", "0", "10", "0", "10", "0"},
       "broken",
       "changed",
       "[null extraction on 10 of 10 bellwethers, missing: name (10)]"},
      {"text.example",
       always(other_text),
       {"10", "0", "0", "10", "10", "0"},
       "broken",
       "changed",
       "[wrong extraction on 10 of 10 bellwethers, differing: name (10)]"},
      {"redesigned.example",
       always(redesigned),
       {"10", "10", "10", "0", "10", "0"},
       "broken",
       "changed",
       "[signature changed on 10 of 10 bellwethers, null extraction on 10 of "
       "10 bellwethers, missing: name (10)]"},
      {"wrapped.example",
       always(wrapped),
       {"10", "10", "0", "0", "10", "10"},
       "broken",
       "changed",
       "[signature changed on 10 of 10 bellwethers, fields pass on 10 of "
       "these]"},
      {"half.example",
       first(5, renamed),
       {"10", "0", "5", "0", "5", "0"},
       "fine",
       "fine",
       "[]"},
      {"most.example",
       first(8, renamed),
       {"10", "0", "8", "0", "8", "0"},
       "broken",
       "broken",
       "[null extraction on 8 of 10 bellwethers, missing: name (8)]"},
      {"gone.example",
       [](int) { return std::nullopt; },
       {"0", "0", "0", "0", "0", "0"},
       "unknown",
       "unknown",
       "[none of the rule's 10 bellwethers is a page of the crawl]"},
      {"few.example",
       [&](int i) {
         return i < 2 || i >= kBellwethers ? std::optional(renamed)
                                           : std::nullopt;
       },
       {"2", "0", "2", "0", "2", "0"},
       "unknown",
       "unknown",
       "[only 2 of the rule's 10 bellwethers are pages of the crawl]"},
  };
  std::vector<std::string> sites;
  std::vector<Page> pages;
  for (const Case& c : cases) {
    sites.push_back(c.site);
    AddSite(c.site, c.design_of, &pages);
  }
  MakeRules(sites);
  WriteCrawl(temp_ / "day2", pages);
  const json report = Monitor("day2", "out");

  auto rules = Rules("out");
  auto states = Sites("out");
  for (const Case& c : cases) {
    SCOPED_TRACE(c.site);
    TextRow& rule = rules[c.site];
    EXPECT_EQ(
        (std::vector<std::string>{
            rule["present"], rule["signature_changed"], rule["null_extraction"],
            rule["wrong_extraction"], rule["failed"], rule["saved_by_fields"]}),
        c.counts);
    EXPECT_EQ(rule["bellwethers"], "10");
    EXPECT_EQ(rule["verdict"], c.rule);
    EXPECT_EQ(rule["reasons"], c.reasons);
    EXPECT_EQ(states[c.site]["verdict"], c.state);
  }
  EXPECT_EQ(states["most.example"]["reasons"],
            "[1 of 1 rule broken, 8 of their 10 bellwethers failed]");
  EXPECT_EQ(states["gone.example"]["reasons"],
            "[no bellwether of the site is a page of the crawl]");
  EXPECT_EQ(report["rules"],
            (json{{"fine", 2}, {"broken", 5}, {"unknown", 2}}));
  EXPECT_EQ(report["sites"],
            (json{{"fine", 2}, {"broken", 1}, {"changed", 4}, {"unknown", 2}}));
  EXPECT_EQ(ReadWholeFile(temp_ / "out/flagged_sites.txt"),
            "most.example\nredesigned.example\nrenamed.example\n"
            "text.example\nwrapped.example\n");
  EXPECT_THAT(std::string(report["next"][1]),
              AllOf(HasSubstr("trommel reuse --rules="),
                    HasSubstr("/out/flagged_sites.txt")));
  const std::string html = ReadWholeFile(temp_ / "out/report.html");
  EXPECT_THAT(html, AllOf(HasSubstr("redesigned.example"),
                          HasSubstr("an example page, before and after"),
                          HasSubstr("trommel reuse --rules=")));
}

TEST_F(MonitorTest, BellwethersOneByOne) {
  MakeRules({"a.example"});
  std::vector<Page> pages;
  AddSite(
      "a.example",
      [](int i) {
        return i == 9 ? std::nullopt : std::optional(Design{.day = 2});
      },
      &pages);
  const auto page = [&](int i) -> Page& {
    return *std::find_if(pages.begin(), pages.end(), [&](const Page& p) {
      return p.url == Url("a.example", i);
    });
  };
  page(1).content = ProductHtml({.name_class = "headline"}, 1);
  page(2).content = ProductHtml({.name_prefix = "Offer "}, 2);
  page(3).content = ProductHtml({.is_new = true}, 3);
  page(4).status = 404;
  page(5).mime_type = "application/pdf";
  page(6).content = " \n";
  page(7).content = "<p>short</p>";
  page(0).fetch_time_us = 7000000;
  WriteCrawl(temp_ / "day2", pages);
  Monitor("day2", "out");
  const auto row = [&](int i) {
    TextRow found = BellwetherOf("out", Url("a.example", i));
    return std::vector<std::string>{found["outcome"],   found["absent_reason"],
                                    found["placed_by"], found["fields"],
                                    found["missing"],   found["wrong"]};
  };
  EXPECT_THAT(row(0),
              ElementsAre("fine", "null", "signature", "pass", "[]", "[]"));
  EXPECT_THAT(row(1), ElementsAre("failed", "null", "signature", "null",
                                  "[name]", "[]"));
  EXPECT_THAT(row(2), ElementsAre("failed", "null", "signature", "wrong", "[]",
                                  "[name]"));
  EXPECT_THAT(row(3),
              ElementsAre("failed", "null", "null", "null", "[name]", "[]"));
  EXPECT_THAT(row(4), ElementsAre("absent", "fetch_status: 404", "null", "null",
                                  "[]", "[]"));
  EXPECT_THAT(row(5), ElementsAre("absent", "not_html: application/pdf", "null",
                                  "null", "[]", "[]"));
  EXPECT_THAT(row(6),
              ElementsAre("absent", "empty", "null", "null", "[]", "[]"));
  EXPECT_THAT(row(7),
              ElementsAre("failed", "null", "null", "null", "[name]", "[]"));
  EXPECT_THAT(row(9),
              ElementsAre("absent", "not crawled", "null", "null", "[]", "[]"));
  const TextRow first = BellwetherOf("out", Url("a.example", 0));
  EXPECT_EQ(first.at("fetch_time"), "7000000");
  EXPECT_EQ(first.at("golden.attribute"), "[name, price]");
  EXPECT_EQ(first.at("fresh.attribute"), "[name, price]");
  EXPECT_EQ(Rules("out")["a.example"]["present"], "6");
}

TEST_F(MonitorTest, OfSeveralVersionsTheLatestUsableOneCounts) {
  MakeRules({"a.example"});
  const std::string good = ProductHtml({}, 0);
  const std::string renamed = ProductHtml({.name_class = "headline"}, 0);
  const std::string url = Url("a.example", 0);
  struct Case {
    const char* label;
    Page one, two;
    const char* fields;
  };
  const Case cases[] = {
      {"the latest", {url, good, 1}, {url, renamed, 2}, "null"},
      {"an unknown time is the oldest", {url, good, 1}, {url, renamed}, "pass"},
      {"one that cannot be looked at does not count",
       {url, good, 1},
       {url, renamed, 2, 500},
       "pass"},
  };
  int number = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const std::string out = StrCat("out", ++number);
    WriteCrawl(temp_ / (out + "-one"), {c.one});
    WriteCrawl(temp_ / (out + "-two"), {c.two});
    for (const bool is_reverse : {false, true}) {
      Monitor({Flag("crawl", out + (is_reverse ? "-two" : "-one")),
               Flag("crawl", out + (is_reverse ? "-one" : "-two")), "--force",
               Flag("out", out)});
      EXPECT_EQ(BellwetherOf(out, url).at("fields"), c.fields);
    }
  }
  // At the same time the smaller digest counts, whichever that is.
  std::vector<std::string> fields;
  WriteCrawl(temp_ / "tie-one", {{url, good, 5}});
  WriteCrawl(temp_ / "tie-two", {{url, renamed, 5}});
  for (const bool is_reverse : {false, true}) {
    Monitor({Flag("crawl", is_reverse ? "tie-two" : "tie-one"),
             Flag("crawl", is_reverse ? "tie-one" : "tie-two"), "--force",
             Flag("out", "tie")});
    fields.push_back(BellwetherOf("tie", url).at("fields"));
  }
  EXPECT_EQ(fields[0], fields[1]);
}

TEST_F(MonitorTest, Thresholds) {
  MakeRules({"a.example"});
  std::vector<Page> pages;
  AddSite(
      "a.example",
      [](int i) {
        return i < 4   ? std::optional(Design{.name_class = "headline"})
               : i < 8 ? std::optional(Design())
                       : std::nullopt;
      },
      &pages);
  WriteCrawl(temp_ / "day2", pages);
  struct Case {
    std::vector<std::string> flags;
    const char* rule;
    const char* site;
  };
  const Case cases[] = {
      {{}, "fine", "fine"},
      {{"--rule-threshold=0.49"}, "broken", "broken"},
      {{"--rule-threshold=0.49", "--site-threshold=0.5"}, "broken", "changed"},
      {{"--min-bellwethers=8"}, "fine", "fine"},
      {{"--min-bellwethers=9"}, "unknown", "unknown"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.flags.empty() ? "none" : c.flags[0]);
    std::vector<std::string> flags = {Flag("crawl", "day2"), Flag("out", "out"),
                                      "--force"};
    flags.insert(flags.end(), c.flags.begin(), c.flags.end());
    Monitor(flags);
    EXPECT_EQ(Rules("out")["a.example"]["verdict"], c.rule);
    EXPECT_EQ(Sites("out")["a.example"]["verdict"], c.site);
  }
}

TEST_F(MonitorTest, FailOnBreak) {
  MakeRules({"a.example"});
  std::vector<Page> pages;
  AddSite(
      "a.example", [](int) { return Design{.name_class = "x"}; }, &pages);
  WriteCrawl(temp_ / "day2", pages);
  Monitor({Flag("crawl", "day2"), Flag("out", "out"), "--fail-on-break"}, 3);
  EXPECT_TRUE(std::filesystem::exists(temp_ / "out/_SUCCESS"));
  Monitor({Flag("crawl", "day2"), Flag("out", "out2")}, 0);
  Monitor({Flag("crawl", "day1"), Flag("out", "out3"), "--fail-on-break"}, 0);
}

// Nothing to go by is never fine.
TEST_F(MonitorTest, EmptyCrawlAndNoBellwethers) {
  MakeRules({"a.example"});
  WriteCrawl(temp_ / "empty", {});
  json report = Monitor("empty", "out");
  EXPECT_EQ(report["sites"]["unknown"], 1);
  EXPECT_THAT(report["notes"].dump(), HasSubstr("the crawl has no pages"));
  EXPECT_THAT(ReadWholeFile(temp_ / "out/report.html"),
              HasSubstr("the crawl has no pages"));
  EXPECT_EQ(ReadWholeFile(temp_ / "out/flagged_sites.txt"), "");

  rules_.mutable_rule(0)->clear_bellwether();
  WriteRules();
  Monitor("day1", "out2");
  EXPECT_EQ(Rules("out2")["a.example"]["reasons"],
            "[the rule has no bellwethers]");
  EXPECT_THAT(ReadWholeFile(temp_ / "out2/report.html"),
              HasSubstr("the rule has no bellwethers"));

  rules_.clear_rule();
  WriteRules();
  report = Monitor("day1", "out3");
  EXPECT_EQ(report["rules"],
            (json{{"fine", 0}, {"broken", 0}, {"unknown", 0}}));
  EXPECT_THAT(report["notes"].dump(), HasSubstr("there are no rules"));
}

TEST_F(MonitorTest, SeveralSchemas) {
  MakeRules({"a.example", "b.example"});
  proto::RuleSet other_rules;
  *other_rules.add_rule() = rules_.rule(1);
  other_rules.mutable_rule(0)->mutable_schema()->set_name("other");
  rules_.mutable_rule()->RemoveLast();
  WriteRules();
  WriteWholeFile(temp_ / "more/rules.binpb", rule::EncodeRules(other_rules));
  Monitor({Flag("crawl", "day1"), Flag("rules", "more"), Flag("out", "out")});
  auto rules = Rules("out");
  EXPECT_EQ(rules["a.example"]["schema"], "shop");
  EXPECT_EQ(rules["b.example"]["schema"], "other");
  EXPECT_EQ(rules["b.example"]["verdict"], "fine");
  EXPECT_THAT(Failure({Flag("crawl", "day1"), Flag("rules", "rules"),
                       Flag("rules", "rules"), Flag("out", "out2")}),
              HasSubstr("has a rule in"));
}

TEST_F(MonitorTest, SameRowsForAnySplitsAndWorkers) {
  Random random(TestSeed(91));
  const std::vector<std::string> sites = {"a.example", "b.example",
                                          "c.example"};
  MakeRules(sites);
  std::vector<Page> pages;
  for (const std::string& site : sites) {
    AddSite(
        site,
        [&](int i) {
          return Design{.name_class =
                            site[0] == 'b' || i % 3 == 0 ? "headline" : "name"};
        },
        &pages, /*filler=*/60000);
  }
  // Another version of some pages.
  for (int i = 0; i < kBellwethers; ++i) {
    pages.push_back({Url("c.example", i),
                     ProductHtml({.name_prefix = "Offer "}, i), 1000 + i});
  }
  struct Case {
    size_t crawls;
    std::vector<std::string> flags;
  };
  const Case cases[] = {
      {1, {"--workers=1"}},
      {3, {"--workers=2", "--split-mb=1", "--reducers=1"}},
      {7, {"--workers=3", "--split-mb=2", "--reducers=3"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.crawls);
    const std::string out = StrCat("out", c.crawls);
    for (size_t i = pages.size(); i > 1; --i) {
      std::swap(pages[i - 1], pages[random.Below(i)]);
    }
    std::vector<std::vector<Page>> parts(c.crawls);
    for (size_t i = 0; i < pages.size(); ++i) {
      parts[i % c.crawls].push_back(pages[i]);
    }
    std::vector<std::string> crawls;
    for (size_t i = 0; i < c.crawls; ++i) {
      WriteCrawl(StrCat(temp_ / out, "-crawl-", i), parts[i]);
      crawls.push_back(Flag("crawl", StrCat(out, "-crawl-", i)));
    }
    // Records in as many files, in another order.
    std::vector<std::string> extract = {"extract", Flag("rules", "rules"),
                                        Flag("out", out + "-records"),
                                        "--split-mb=1"};
    extract.insert(extract.end(), crawls.begin(), crawls.end());
    ASSERT_EQ(RunTrommel(extract).exit_code, 0);
    std::vector<std::string> flags = {Flag("out", out),
                                      Flag("records-before", out + "-records"),
                                      Flag("records-after", out + "-records")};
    flags.insert(flags.end(), crawls.begin(), crawls.end());
    flags.insert(flags.end(), c.flags.begin(), c.flags.end());
    Monitor(flags);
    EXPECT_EQ(Rules(out), Rules("out1"));
    EXPECT_EQ(Sites(out), Sites("out1"));
    EXPECT_EQ(Bellwethers(out), Bellwethers("out1"));
    EXPECT_EQ(Drift(out), Drift("out1"));
  }
  // Site b has no records.
  EXPECT_EQ(Drift("out1").size(), 4u);
  EXPECT_EQ(Rules("out1")["c.example"]["wrong_extraction"], "10");
}

// A row group without a bellwether: its content is not read. Here it could not
// be.
TEST_F(MonitorTest, ContentOfPagesThatNoRuleIsForIsNotRead) {
  Random random(TestSeed(92));
  MakeRules({"a.example"});
  const auto write_damaged = [&](const std::string& name,
                                 const std::string& site) {
    std::vector<Page> pages;
    for (int i = 0; i < 20; ++i) {
      std::string noise(20000, ' ');
      for (char& c : noise) c = static_cast<char>(random.Below(256));
      pages.push_back({Url(site, i), noise});
    }
    WriteCrawl(temp_ / name, pages);
    const std::string file = temp_ / (name + "/part-00000.parquet");
    std::string bytes = ReadWholeFile(file);
    for (size_t i = bytes.size() / 4; i < bytes.size() / 2; ++i) {
      bytes[i] ^= 0x55;
    }
    WriteWholeFile(file, bytes);
  };
  write_damaged("others", "b.example");
  write_damaged("bellwethers", "a.example");
  const json report = Monitor(
      {Flag("crawl", "others"), Flag("crawl", "day1"), Flag("out", "out")});
  EXPECT_EQ(report["rules"]["fine"], 1);
  EXPECT_EQ(report["counters"]["rows.read"], 20 + 2 * kProducts);
  EXPECT_EQ(report["counters"]["pages.visited"], kBellwethers);
  EXPECT_THAT(Failure({Flag("crawl", "bellwethers"), Flag("rules", "rules"),
                       Flag("out", "failed")}),
              HasSubstr("bellwethers"));
}

}  // namespace
}  // namespace trommel::jobs::monitor_job
