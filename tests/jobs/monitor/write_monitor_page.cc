// write_monitor_page OUT.html SITES: a report of `trommel monitor` on that many
// invented sites, some of which, and all values on them, are hostile.

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "core/base/strings.h"
#include "jobs/monitor/html_report.h"
#include "tests/testing/records.h"

namespace trommel::jobs::monitor_job {
namespace {

constexpr char kHostile[] =
    "</td></table><script>window.pwned = 1</script><img src=x "
    "onerror=\"window.pwned = 1\">\" onmouseover=\"window.pwned = 1";

// Of every ten sites one has changed, one is broken in part, one is unknown.
WatchedRule MakeRule(const std::string& site, int number) {
  WatchedRule rule;
  rule.site = site;
  rule.cluster_id = StrCat("c", number);
  rule.rule_id = StrCat(rule.cluster_id, "@v1");
  rule.schema = "shop";
  rule.attributes = {"title", "price"};
  const int kind = number % 10;
  for (int i = 0; i < 10; ++i) {
    WatchedBellwether bellwether;
    bellwether.url = StrCat("http://", site, "/p/", i);
    bellwether.golden = {
        testing_support::RecordOf({{StrCat("Title ", i)}, {"$5"}})};
    monitor::RuleCounts& counts = rule.judged.counts;
    ++counts.bellwethers;
    if (kind == 2) {
      bellwether.absent = kNotCrawled;
    } else {
      const bool fails = kind == 0 || (kind == 1 && i < 8);
      if (!fails || kind == 1)
        bellwether.placed_by = cluster::PlacedBy::kSignature;
      if (fails) {
        bellwether.fields.result = record::FieldResult::kWrong;
        bellwether.fields.wrong = {"title"};
      }
      bellwether.fresh = {testing_support::RecordOf(
          {{fails ? kHostile : StrCat("Title ", i)}, {"$6"}})};
      counts.Add(!bellwether.placed_by.has_value(), bellwether.fields);
    }
    rule.bellwethers.push_back(std::move(bellwether));
  }
  rule.judged.verdict =
      monitor::JudgeRule(rule.judged.counts, monitor::VerdictThresholds());
  return rule;
}

Findings MakeFindings(int num_sites) {
  Findings findings;
  findings.out = "out dir";
  findings.crawls = {"crawl $(touch pwned)"};
  findings.rule_sets = {"rules"};
  findings.records_before = "before";
  findings.records_after = kHostile;
  findings.notes = {kHostile};
  for (int i = 0; i < num_sites; ++i) {
    const std::string site = i == 0 ? kHostile : StrCat("site", i, ".example");
    findings.watch.rules.push_back(MakeRule(site, i));
    WatchedSite& watched = findings.watch.sites.emplace_back();
    watched.site = site;
    watched.verdict = monitor::JudgeSite({findings.watch.rules.back().judged},
                                         monitor::VerdictThresholds());
    watched.first_rule = findings.watch.rules.size() - 1;
    watched.end_rule = findings.watch.rules.size();
  }
  CountWatch(findings.watch, &findings.totals);
  DriftRow drift;
  drift.site = kHostile;
  drift.schema = "shop";
  drift.attribute = "price";
  drift.records_before = drift.records_after = 100;
  drift.filled_before = 100;
  drift.filled_after = 40;
  drift.shapes_before = "$9 100%";
  drift.shapes_after = "$9 100%";
  drift.state = "drifted";
  drift.reasons = {"filled: 100% before, 40% after"};
  findings.drift = {drift};
  findings.totals.drifted_attributes = 1;
  return findings;
}

}  // namespace
}  // namespace trommel::jobs::monitor_job

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ofstream out(argv[1], std::ios::binary);
  out << trommel::jobs::monitor_job::MonitorPage(
      trommel::jobs::monitor_job::MakeFindings(std::atoi(argv[2])));
  return out.good() ? 0 : 1;
}
