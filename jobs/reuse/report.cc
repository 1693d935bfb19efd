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
#include "jobs/cli/text_table.h"
#include "jobs/reuse/names.h"
#include "jobs/summaries/reuse.h"

namespace trommel::jobs::reuse_job {
namespace {

constexpr size_t kSitesInText = 20;
constexpr size_t kSitesInJson = 1000;
constexpr size_t kToAnnotateInReport = 20;

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

summaries::Reuse::Site SiteSummary(const std::string& name,
                                   const SiteFigures& site) {
  summaries::Reuse::Site summary;
  summary.site = name;
  summary.clusters = site.clusters;
  summary.pages = site.pages;
  summary.coverage_drop = site.CoverageDrop();
  summary.reused = site.ReusedShare();
  summary.drop_plus_reused = site.CoverageDrop() + site.ReusedShare();
  summary.repaired = ShareOf(site.repaired, site.pages);
  summary.to_annotate = ShareOf(site.to_annotate, site.pages);
  return summary;
}

void AppendSites(const ReuseOutcome& outcome, std::string* text) {
  const auto sites = SortedSites(outcome);
  const size_t shown = std::min(sites.size(), kSitesInText);
  if (shown == 0) return;
  std::vector<cli::TextTable::Column> columns = {cli::TextTable::Left("site")};
  for (const char* const header :
       {"clusters", "pages", "drop", "reused", "sum", "repaired", "annotate"}) {
    columns.push_back(cli::TextTable::Right(header, 8));
  }
  cli::TextTable table(std::move(columns));
  const auto percent = [](double share) {
    return absl::StrFormat("%.1f%%", 100 * share);
  };
  for (size_t i = 0; i < shown; ++i) {
    const SiteFigures& site = sites[i].second;
    table.Add(sites[i].first, site.clusters, site.pages,
              percent(site.CoverageDrop()), percent(site.ReusedShare()),
              absl::StrFormat("%.3f", site.CoverageDrop() + site.ReusedShare()),
              percent(ShareOf(site.repaired, site.pages)),
              percent(ShareOf(site.to_annotate, site.pages)));
  }
  StrAppend(text, table.Text());
  if (sites.size() > shown) {
    absl::StrAppendFormat(text, "... and %d more\n", sites.size() - shown);
  }
}

void AppendToAnnotate(const ReuseOutcome& outcome, const std::string& out,
                      std::string* text) {
  const std::vector<tables::ToAnnotate>& lines = outcome.to_annotate;
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

summaries::Reuse Summarize(const std::string& out, const ReuseOutcome& outcome,
                           const mr::Counters& counters) {
  const auto count_kind = [&](reuse::ReuseKind kind) {
    return CountOf(outcome.by_kind, reuse::ReuseKindName(kind));
  };
  const auto matched_by = [&](reuse::HowMatched how) {
    return CountOf(outcome.by_how, reuse::HowMatchedName(how));
  };
  summaries::Reuse summary;
  summary.out = out;
  summary.clusters = outcome.clusters;
  summary.reused = count_kind(reuse::ReuseKind::kReused);
  summary.repaired = count_kind(reuse::ReuseKind::kRepaired);
  summary.annotate = count_kind(reuse::ReuseKind::kAnnotate);
  summary.ignored = count_kind(reuse::ReuseKind::kIgnored);
  summary.reused_by = {matched_by(reuse::HowMatched::kCluster),
                       matched_by(reuse::HowMatched::kPage),
                       matched_by(reuse::HowMatched::kPageBySketch),
                       matched_by(reuse::HowMatched::kFieldTest)};
  summary.reused_without_shared_urls = outcome.reused_untested;
  summary.rules = outcome.rules.rule_size();
  summary.rules_before = outcome.rules_before;
  summary.rules_reused_by_cluster_match = outcome.rules_by_cluster_match;
  summary.rules_retired = outcome.rules_retired;
  summary.rules_of_other_sites = outcome.rules_of_other_sites;
  summary.rules_of_absent_sites = outcome.rules_of_absent_sites;
  summary.absent_sites = outcome.absent_sites;
  const size_t num_to_annotate =
      std::min(outcome.to_annotate.size(), kToAnnotateInReport);
  summary.to_annotate.assign(outcome.to_annotate.begin(),
                             outcome.to_annotate.begin() + num_to_annotate);
  const auto sites = SortedSites(outcome);
  summary.num_sites = static_cast<int64_t>(sites.size());
  for (size_t i = 0; i < std::min(sites.size(), kSitesInJson); ++i) {
    summary.sites.push_back(SiteSummary(sites[i].first, sites[i].second));
  }
  summary.counters = counters;
  return summary;
}

}  // namespace

cli::Report MakeReuseReport(const std::string& out, const ReuseOutcome& outcome,
                            const mr::Counters& counters) {
  cli::Report report;
  *report.json = ToJson(Summarize(out, outcome, counters));

  std::string& text = report.text;
  absl::StrAppendFormat(
      &text, "%s: %d reused, %d repaired, %d to annotate, %d ignored\n",
      Counted(outcome.clusters, "new cluster"),
      CountOf(outcome.by_kind, reuse::ReuseKindName(reuse::ReuseKind::kReused)),
      CountOf(outcome.by_kind,
              reuse::ReuseKindName(reuse::ReuseKind::kRepaired)),
      CountOf(outcome.by_kind,
              reuse::ReuseKindName(reuse::ReuseKind::kAnnotate)),
      CountOf(outcome.by_kind,
              reuse::ReuseKindName(reuse::ReuseKind::kIgnored)));
  absl::StrAppendFormat(
      &text,
      "reused by cluster match %d, page match %d (in part by sketch %d), field "
      "test alone %d; %d of them without a URL crawled before\n",
      CountOf(outcome.by_how,
              reuse::HowMatchedName(reuse::HowMatched::kCluster)),
      CountOf(outcome.by_how, reuse::HowMatchedName(reuse::HowMatched::kPage)) +
          CountOf(outcome.by_how,
                  reuse::HowMatchedName(reuse::HowMatched::kPageBySketch)),
      CountOf(outcome.by_how,
              reuse::HowMatchedName(reuse::HowMatched::kPageBySketch)),
      CountOf(outcome.by_how,
              reuse::HowMatchedName(reuse::HowMatched::kFieldTest)),
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

}  // namespace trommel::jobs::reuse_job
