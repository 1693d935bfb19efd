#include "jobs/coverage/html_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/jobs/report/parsed_report.h"

namespace trommel::jobs::coverage_job {
namespace {

using report::ParsedReport;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

CoverageRow Row(const std::string& site, int64_t day, int64_t covered,
                int64_t before) {
  CoverageRow row;
  row.site = site;
  row.day = day;
  row.threshold = 10;
  if (day > 0) row.previous_day = day - 1;
  row.counts = {100, 0, covered, 0};
  row.coverage = {covered, 100};
  row.before = coverage::Share{before, 100};
  row.clusters = 2;
  return row;
}

// Two sites over three days; the second changes on the last one.
CoverageSummary TwoSites(const std::string& name) {
  CoverageSummary summary;
  summary.thresholds = {10, 20};
  for (const coverage::Counting counting :
       {coverage::Counting::kPlaced, coverage::Counting::kSignature}) {
    summary.timelines.push_back({counting, 10, {1, 1}, 1});
    summary.timelines.push_back({counting, 20, {1, 1}, 1});
  }
  summary.pages_of_day = {{0, 200}, {1, 200}, {2, 200}};
  summary.last_day_with_pages = 2;
  summary.sites = summary.sites_compared = 2;
  summary.pages = 600;
  CoverageSummary::Site changed;
  changed.about = {name, 2, 0, 2, 3, 300};
  changed.days = {Row(name, 0, 100, 100), Row(name, 1, 100, 100),
                  Row(name, 2, 40, 100)};
  changed.days[2].clusters_broken = 1;
  changed.days[2].urls = {60, 60};
  changed.days[2].anew = coverage::Share{99, 100};
  changed.changes = 1;
  changed.largest_drop = 0.6;
  ExampleRow example;
  example.site = name;
  example.day = 2;
  example.url_before = example.url_after = "http://a.example/" + name;
  example.signature_before = "1.2.3.4.5.6.7.8";
  example.cluster_id_before = "0123456789abcdef";
  example.new_cluster_id = "fedcba9876543210";
  changed.examples = {example};
  summary.broken = {changed.days[2]};
  summary.num_broken = 1;
  CoverageSummary::Site steady;
  steady.about = {"steady.example", 2, 0, 1, 2, 200};
  steady.days = {Row("steady.example", 0, 90, 91),
                 Row("steady.example", 1, 91, 90)};
  summary.shown = {changed, steady};
  return summary;
}

CoverageInputs Inputs() {
  return {"it's clusters",
          {{0, {"web/day=1970-01-01"}},
           {1, {"web/day=1970-01-02"}},
           {2, {"web/day=1970-01-03"}}}};
}

TEST(CoverageHtmlTest, ShowsBothTablesAndAllSites) {
  const ParsedReport parsed(CoverageHtml(TwoSites("a.example"), Inputs()));
  EXPECT_THAT(parsed.Texts("h2"),
              ElementsAre("Changes", "What broke", "Sites", "In this report"));
  EXPECT_THAT(parsed.Texts("h3"), ElementsAre("a.example", "steady.example"));
  EXPECT_THAT(parsed.Values("article", "data-tags"),
              ElementsAre("changed", "vanished"));
  EXPECT_EQ(parsed.Elements("svg").size(), 2u);
  EXPECT_THAT(parsed.Texts("title"),
              Contains("1970-01-03: 40.0% of 100 pages (40.0% by signature), a "
                       "change: down 60.0 points"));
  EXPECT_THAT(parsed.Texts("title"), Contains("1970-01-03: no page of this "
                                              "site"));
  // Table IV: site, day, clusters, broken, URLs broken, coverage, drop, beyond.
  EXPECT_THAT(parsed.Texts("td"), Contains("1970-01-03"));
  EXPECT_THAT(parsed.Texts("td"), Contains("60.0"));
}

TEST(CoverageHtmlTest, ProposesTheCommandToRunNext) {
  const ParsedReport parsed(CoverageHtml(TwoSites("a.example"), Inputs()));
  EXPECT_THAT(
      parsed.Texts("pre"),
      ElementsAre("trommel cluster \\\n  --crawl=web/day=1970-01-03 \\\n"
                  "  --out=clusters-1970-01-03\n"
                  "trommel reuse --rules=RULES \\\n"
                  "  '--old-clusters=it'\\''s clusters' \\\n"
                  "  --old-crawl=web/day=1970-01-02 \\\n"
                  "  --new-clusters=clusters-1970-01-03 \\\n"
                  "  --new-crawl=web/day=1970-01-03 \\\n"
                  "  --out=rules-1970-01-03"));
}

TEST(CoverageHtmlTest, ProposedClustersAreLikeThoseThereAre) {
  CoverageInputs inputs = Inputs();
  inputs.cluster_flags = {"--site=my site", "--merge=false"};
  const ParsedReport parsed(CoverageHtml(TwoSites("a.example"), inputs));
  EXPECT_THAT(parsed.Texts("pre"),
              ElementsAre(HasSubstr(
                  "trommel cluster '--site=my site' --merge=false \\\n")));
}

TEST(CoverageHtmlTest, NamesAreNeverMarkup) {
  const std::string hostile = "</h3><script>alert(1)</script>\" onload='x'";
  CoverageInputs inputs = Inputs();
  inputs.clusters = hostile;
  const std::string page = CoverageHtml(TwoSites(hostile), inputs);
  const ParsedReport parsed(page);
  EXPECT_EQ(parsed.Elements("script").size(), 1u);  // the report's own
  EXPECT_THAT(parsed.Texts("h3"), ElementsAre(hostile, "steady.example"));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
}

TEST(CoverageHtmlTest, ExplainsMissingDaysAndEmptyCrawls) {
  CoverageSummary summary = TwoSites("a.example");
  summary.pages_of_day[5] = 0;
  const std::string page = CoverageHtml(summary, Inputs());
  EXPECT_THAT(page, HasSubstr("Not crawled: 1970-01-04, 1970-01-05."));
  EXPECT_THAT(page, HasSubstr("The crawl is empty: 1970-01-06."));
}

TEST(CoverageHtmlTest, WithoutASite) {
  CoverageSummary summary;
  summary.timelines.push_back({coverage::Counting::kPlaced, 10, {0}, 0});
  summary.timelines.push_back({coverage::Counting::kSignature, 10, {0}, 0});
  const ParsedReport parsed(CoverageHtml(summary, {}));
  EXPECT_THAT(parsed.Texts("p"), Contains("There is no site."));
  EXPECT_TRUE(parsed.Elements("svg").empty());
}

}  // namespace
}  // namespace trommel::jobs::coverage_job
