#include "jobs/monitor/findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/report/blocks.h"
#include "jobs/summaries/monitor.h"

namespace trommel::jobs::monitor_job {
namespace {

constexpr size_t kRulesInText = 20;
constexpr size_t kRulesInJson = 1000;
constexpr size_t kDriftInText = 20;

summaries::Monitor::BrokenRule RuleSummary(const WatchedRule& rule) {
  const monitor::RuleCounts& counts = rule.judged.counts;
  summaries::Monitor::BrokenRule summary;
  summary.site = rule.site;
  summary.cluster_id = rule.cluster_id;
  summary.rule_id = rule.rule_id;
  summary.verdict = monitor::VerdictName(rule.judged.verdict.verdict);
  summary.bellwethers = counts.bellwethers;
  summary.present = counts.present;
  summary.signature_changed = counts.signature_changed;
  summary.null_extraction = counts.null_extraction;
  summary.wrong_extraction = counts.wrong_extraction;
  summary.failed = counts.failed;
  summary.reasons = rule.judged.verdict.reasons;
  return summary;
}

summaries::Monitor::FlaggedSite SiteSummary(const WatchedSite& site) {
  summaries::Monitor::FlaggedSite summary;
  summary.site = site.site;
  summary.verdict = monitor::SiteStateName(site.verdict.state);
  summary.rules = site.verdict.rules;
  summary.broken = site.verdict.broken;
  summary.share_of_rules = site.verdict.share_of_rules;
  summary.share_of_urls = site.verdict.share_of_urls;
  summary.reasons = site.verdict.reasons;
  return summary;
}

summaries::Monitor::Bellwethers BellwetherSummary(const Totals& totals) {
  summaries::Monitor::Bellwethers summary;
  summary.all = totals.bellwethers;
  summary.present = totals.present;
  summary.absent = totals.bellwethers - totals.present;
  summary.placed_by_signature = totals.by_signature;
  summary.placed_by_sketch = totals.by_sketch;
  summary.signature_changed = totals.signature_changed;
  summary.null_extraction = totals.null_extraction;
  summary.wrong_extraction = totals.wrong_extraction;
  summary.failed = totals.failed;
  summary.saved_by_fields = totals.saved_by_fields;
  return summary;
}

void AddDrift(const Findings& findings, summaries::Monitor* summary) {
  const Totals& totals = findings.totals;
  summary->attributes = {totals.fine_attributes, totals.drifted_attributes,
                         totals.unknown_attributes};
  auto& drift = summary->drift.emplace();
  for (const DriftRow& row : findings.drift) {
    if (row.state != monitor::DriftStateName(monitor::DriftState::kDrifted))
      break;
    if (drift.size() == kRulesInJson) break;
    drift.push_back(
        {row.site, row.schema, row.attribute, row.state, row.reasons});
  }
}

summaries::Monitor Summarize(const Findings& findings) {
  const Totals& totals = findings.totals;
  summaries::Monitor summary;
  summary.out = findings.out;
  summary.sites = {totals.fine_sites, totals.broken_sites, totals.changed_sites,
                   totals.unknown_sites};
  summary.rules = {totals.fine_rules, totals.broken_rules,
                   totals.unknown_rules};
  summary.bellwethers = BellwetherSummary(totals);
  for (const WatchedSite& site : findings.watch.sites) {
    if (site.verdict.broken > 0 &&
        summary.flagged_sites.size() < kRulesInJson) {
      summary.flagged_sites.push_back(SiteSummary(site));
    }
  }
  for (const WatchedRule& rule : findings.watch.rules) {
    if (rule.judged.verdict.verdict == monitor::Verdict::kBroken &&
        summary.broken_rules.size() < kRulesInJson) {
      summary.broken_rules.push_back(RuleSummary(rule));
    }
  }
  if (findings.has_records()) AddDrift(findings, &summary);
  summary.notes = findings.notes;
  summary.next = NextCommands(findings);
  summary.counters = findings.counters;
  return summary;
}

void AppendBrokenRules(const Findings& findings, std::string* text) {
  size_t shown = 0;
  for (const WatchedRule& rule : findings.watch.rules) {
    if (rule.judged.verdict.verdict != monitor::Verdict::kBroken) continue;
    if (shown++ == kRulesInText) break;
    StrAppend(text, "broken: ", Printable(rule.site), " ", rule.cluster_id,
              "\n");
    for (const std::string& reason : rule.judged.verdict.reasons) {
      StrAppend(text, "  ", Printable(reason), "\n");
    }
  }
  if (static_cast<size_t>(findings.totals.broken_rules) > kRulesInText) {
    StrAppend(text, "... and ", findings.totals.broken_rules - kRulesInText,
              " more\n");
  }
}

void AppendDrift(const Findings& findings, std::string* text) {
  const Totals& totals = findings.totals;
  absl::StrAppendFormat(
      text, "records: %s, %d drifted, %d unknown\n",
      Counted(totals.fine_attributes + totals.drifted_attributes +
                  totals.unknown_attributes,
              "attribute"),
      totals.drifted_attributes, totals.unknown_attributes);
  for (size_t i = 0; i < findings.drift.size(); ++i) {
    const DriftRow& row = findings.drift[i];
    if (row.state != monitor::DriftStateName(monitor::DriftState::kDrifted))
      break;
    if (i == kDriftInText) {
      StrAppend(text, "... and ", totals.drifted_attributes - kDriftInText,
                " more\n");
      break;
    }
    StrAppend(text, "drifted: ", Printable(row.site), " ", row.schema, " ",
              row.attribute, "\n");
    for (const std::string& reason : row.reasons) {
      StrAppend(text, "  ", Printable(reason), "\n");
    }
  }
}

}  // namespace

void CountWatch(const WatchResult& watch, Totals* totals) {
  for (const WatchedSite& site : watch.sites) {
    switch (site.verdict.state) {
      case monitor::SiteState::kFine:
        ++totals->fine_sites;
        break;
      case monitor::SiteState::kBroken:
        ++totals->broken_sites;
        break;
      case monitor::SiteState::kChanged:
        ++totals->changed_sites;
        break;
      case monitor::SiteState::kUnknown:
        ++totals->unknown_sites;
        break;
    }
  }
  for (const WatchedRule& rule : watch.rules) {
    switch (rule.judged.verdict.verdict) {
      case monitor::Verdict::kFine:
        ++totals->fine_rules;
        break;
      case monitor::Verdict::kBroken:
        ++totals->broken_rules;
        break;
      case monitor::Verdict::kUnknown:
        ++totals->unknown_rules;
        break;
    }
    const monitor::RuleCounts& counts = rule.judged.counts;
    totals->bellwethers += counts.bellwethers;
    totals->present += counts.present;
    totals->by_signature +=
        counts.present - counts.signature_changed - rule.by_sketch;
    totals->by_sketch += rule.by_sketch;
    totals->signature_changed += counts.signature_changed;
    totals->null_extraction += counts.null_extraction;
    totals->wrong_extraction += counts.wrong_extraction;
    totals->failed += counts.failed;
    totals->saved_by_fields += counts.saved_by_fields;
  }
}

std::string FlaggedSites(const WatchResult& watch) {
  std::string text;
  for (const WatchedSite& site : watch.sites) {
    if (site.verdict.broken > 0) StrAppend(&text, site.site, "\n");
  }
  return text;
}

std::vector<std::string> NextCommands(const Findings& findings) {
  if (findings.totals.broken_rules == 0) return {};
  std::string crawls, new_crawls;
  for (const std::string& crawl : findings.crawls) {
    StrAppend(&crawls, " ", report::ShellWord(StrCat("--crawl=", crawl)));
    StrAppend(&new_crawls, " ",
              report::ShellWord(StrCat("--new-crawl=", crawl)));
  }
  const std::string& flag = findings.cluster_flag;
  std::vector<std::string> commands = {
      StrCat("trommel cluster", flag.empty() ? "" : " ",
             flag.empty() ? "" : report::ShellWord(flag), crawls,
             " --out=new-clusters")};
  // Each set on its own: reuse writes one.
  for (size_t i = 0; i < findings.rule_sets.size(); ++i) {
    commands.push_back(
        StrCat("trommel reuse ",
               report::ShellWord(StrCat("--rules=", findings.rule_sets[i])),
               " --old-clusters=OLD_CLUSTERS --old-crawl=OLD_CRAWL "
               "--new-clusters=new-clusters",
               new_crawls, " ",
               report::ShellWord(StrCat("--sites=", findings.out, "/",
                                        tables::kFlaggedSitesFile)),
               " --out=new-rules",
               findings.rule_sets.size() == 1 ? "" : StrCat("-", i + 1)));
  }
  return commands;
}

cli::Report MakeMonitorReport(const Findings& findings) {
  const Totals& totals = findings.totals;
  cli::Report report;
  *report.json = ToJson(Summarize(findings));
  std::string& text = report.text;
  absl::StrAppendFormat(
      &text, "%s: %d fine, %d broken, %d unknown\n",
      Counted(totals.fine_rules + totals.broken_rules + totals.unknown_rules,
              "rule"),
      totals.fine_rules, totals.broken_rules, totals.unknown_rules);
  absl::StrAppendFormat(
      &text, "%s: %d fine, %d changed, %d broken in part, %d unknown\n",
      Counted(static_cast<int64_t>(findings.watch.sites.size()), "site"),
      totals.fine_sites, totals.changed_sites, totals.broken_sites,
      totals.unknown_sites);
  absl::StrAppendFormat(
      &text,
      "%s: %d crawled (%d placed by signature, %d by sketch), %d absent; %d "
      "failed: signature changed %d (fields right on %d), null extraction %d, "
      "wrong extraction %d\n",
      Counted(totals.bellwethers, "bellwether"), totals.present,
      totals.by_signature, totals.by_sketch,
      totals.bellwethers - totals.present, totals.failed,
      totals.signature_changed, totals.saved_by_fields, totals.null_extraction,
      totals.wrong_extraction);
  AppendBrokenRules(findings, &text);
  if (findings.has_records()) AppendDrift(findings, &text);
  for (const std::string& note : findings.notes) {
    StrAppend(&text, "note: ", Printable(note), "\n");
  }
  for (const std::string& command : NextCommands(findings)) {
    StrAppend(&text, "next: ", Printable(command), "\n");
  }
  StrAppend(&text, "report: ", findings.out, "/", kReportFile, "\n");
  return report;
}

}  // namespace trommel::jobs::monitor_job
