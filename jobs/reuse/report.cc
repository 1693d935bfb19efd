#include "jobs/reuse/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "core/reuse/candidates.h"
#include "core/reuse/decision.h"
#include "jobs/reuse/names.h"

namespace trommel {
namespace {

using nlohmann::ordered_json;

constexpr size_t kSitesInText = 20;
constexpr size_t kSitesInJson = 1000;
constexpr size_t kToAnnotateInReport = 20;

constexpr ReuseKind kKinds[] = {ReuseKind::kReused, ReuseKind::kRepaired,
                                ReuseKind::kAnnotate, ReuseKind::kIgnored};
constexpr HowMatched kHows[] = {HowMatched::kCluster, HowMatched::kPage,
                                HowMatched::kPageBySketch,
                                HowMatched::kFieldTest};

int64_t CountOf(const std::map<std::string, int64_t>& counts,
                std::string_view name) {
  const auto found = counts.find(std::string(name));
  return found == counts.end() ? 0 : found->second;
}

// Those with most to annotate first, then the largest.
std::vector<std::pair<std::string, SiteFigures>> SortedSites(
    const ReuseOutcome& outcome) {
  std::vector<std::pair<std::string, SiteFigures>> sites(outcome.sites.begin(),
                                                         outcome.sites.end());
  std::stable_sort(
      sites.begin(), sites.end(), [](const auto& a, const auto& b) {
        return std::make_pair(a.second.to_annotate, a.second.pages) >
               std::make_pair(b.second.to_annotate, b.second.pages);
      });
  return sites;
}

ordered_json SiteJson(const std::string& name, const SiteFigures& site) {
  ordered_json json;
  json["site"] = name;
  json["clusters"] = site.clusters;
  json["pages"] = site.pages;
  json["coverage_drop"] = site.CoverageDrop();
  json["reused"] = site.ReusedShare();
  json["drop_plus_reused"] = site.CoverageDrop() + site.ReusedShare();
  json["repaired"] = ShareOf(site.repaired, site.pages);
  json["to_annotate"] = ShareOf(site.to_annotate, site.pages);
  return json;
}

void AppendSites(const ReuseOutcome& outcome, std::string* text) {
  const auto sites = SortedSites(outcome);
  const size_t shown = std::min(sites.size(), kSitesInText);
  if (shown == 0) return;
  size_t width = 4;
  for (size_t i = 0; i < shown; ++i) {
    width = std::max(width, Printable(sites[i].first).size());
  }
  absl::StrAppendFormat(text, "%-*s %8s %8s %8s %8s %8s %8s %8s\n",
                        static_cast<int>(width), "site", "clusters", "pages",
                        "drop", "reused", "sum", "repaired", "annotate");
  for (size_t i = 0; i < shown; ++i) {
    const SiteFigures& site = sites[i].second;
    absl::StrAppendFormat(
        text, "%-*s %8d %8d %7.1f%% %7.1f%% %8.3f %7.1f%% %7.1f%%\n",
        static_cast<int>(width), Printable(sites[i].first), site.clusters,
        site.pages, 100 * site.CoverageDrop(), 100 * site.ReusedShare(),
        site.CoverageDrop() + site.ReusedShare(),
        100 * ShareOf(site.repaired, site.pages),
        100 * ShareOf(site.to_annotate, site.pages));
  }
  if (sites.size() > shown) {
    absl::StrAppendFormat(text, "... and %d more\n", sites.size() - shown);
  }
}

void AppendToAnnotate(const ReuseOutcome& outcome, const std::string& out,
                      std::string* text) {
  const std::vector<ToAnnotate>& lines = outcome.to_annotate;
  if (lines.empty()) return;
  StrAppend(text, "annotate next:\n");
  for (size_t i = 0; i < std::min(lines.size(), kToAnnotateInReport); ++i) {
    absl::StrAppendFormat(
        text, "  %s  %s\n    %s\n", GroupedCount(lines[i].pages, "page"),
        Printable(lines[i].next_url), Printable(lines[i].reason));
  }
  if (lines.size() > kToAnnotateInReport) {
    absl::StrAppendFormat(text, "  ... and %d more, in %s/%s\n",
                          lines.size() - kToAnnotateInReport, out,
                          kToAnnotateFile);
  }
}

}  // namespace

cli::Report MakeReuseReport(const std::string& out, const ReuseOutcome& outcome,
                            const mr::Counters& counters) {
  cli::Report report;
  ordered_json& json = *report.json;
  json["out"] = out;
  json["clusters"] = outcome.clusters;
  for (const ReuseKind kind : kKinds) {
    json[std::string(ReuseKindName(kind))] =
        CountOf(outcome.by_kind, ReuseKindName(kind));
  }
  for (const HowMatched how : kHows) {
    json["reused_by"][std::string(HowMatchedName(how))] =
        CountOf(outcome.by_how, HowMatchedName(how));
  }
  json["reused_without_shared_urls"] = outcome.reused_untested;
  json["rules"] = outcome.rules.rule_size();
  json["rules_before"] = outcome.rules_before;
  json["rules_reused_by_cluster_match"] = outcome.rules_by_cluster_match;
  json["rules_retired"] = outcome.rules_retired;
  json["rules_of_other_sites"] = outcome.rules_of_other_sites;
  json["rules_of_absent_sites"] = outcome.rules_of_absent_sites;
  json["absent_sites"] = outcome.absent_sites;
  json["to_annotate"] = ordered_json::array();
  for (size_t i = 0;
       i < std::min(outcome.to_annotate.size(), kToAnnotateInReport); ++i) {
    json["to_annotate"].push_back(
        ordered_json::parse(FormatToAnnotate(outcome.to_annotate[i])));
  }
  const auto sites = SortedSites(outcome);
  json["num_sites"] = sites.size();
  json["sites"] = ordered_json::array();
  for (size_t i = 0; i < std::min(sites.size(), kSitesInJson); ++i) {
    json["sites"].push_back(SiteJson(sites[i].first, sites[i].second));
  }
  json["counters"] = counters;

  std::string& text = report.text;
  absl::StrAppendFormat(
      &text, "%s: %d reused, %d repaired, %d to annotate, %d ignored\n",
      Counted(outcome.clusters, "new cluster"),
      CountOf(outcome.by_kind, ReuseKindName(ReuseKind::kReused)),
      CountOf(outcome.by_kind, ReuseKindName(ReuseKind::kRepaired)),
      CountOf(outcome.by_kind, ReuseKindName(ReuseKind::kAnnotate)),
      CountOf(outcome.by_kind, ReuseKindName(ReuseKind::kIgnored)));
  absl::StrAppendFormat(
      &text,
      "reused by cluster match %d, page match %d (in part by sketch %d), field "
      "test alone %d; %d of them without a URL crawled before\n",
      CountOf(outcome.by_how, HowMatchedName(HowMatched::kCluster)),
      CountOf(outcome.by_how, HowMatchedName(HowMatched::kPage)) +
          CountOf(outcome.by_how, HowMatchedName(HowMatched::kPageBySketch)),
      CountOf(outcome.by_how, HowMatchedName(HowMatched::kPageBySketch)),
      CountOf(outcome.by_how, HowMatchedName(HowMatched::kFieldTest)),
      outcome.reused_untested);
  absl::StrAppendFormat(
      &text, "rules reused by cluster match: %d of %d (%.1f%%)\n",
      outcome.rules_by_cluster_match, outcome.rules_before,
      100 * ShareOf(outcome.rules_by_cluster_match, outcome.rules_before));
  if (outcome.rules_retired > 0) {
    absl::StrAppendFormat(&text, "%s without a new cluster\n",
                          Counted(outcome.rules_retired, "rule"));
  }
  if (outcome.rules_of_other_sites > 0) {
    absl::StrAppendFormat(&text, "%s of sites not in --sites, as they were\n",
                          Counted(outcome.rules_of_other_sites, "rule"));
  }
  if (outcome.rules_of_absent_sites > 0) {
    absl::StrAppendFormat(
        &text, "%s of %s without a page in the new crawl, as they were\n",
        Counted(outcome.rules_of_absent_sites, "rule"),
        Counted(outcome.absent_sites, "site"));
  }
  AppendSites(outcome, &text);
  AppendToAnnotate(outcome, out, &text);
  StrAppend(&text, "rules: ", out, "\n");
  return report;
}

}  // namespace trommel
