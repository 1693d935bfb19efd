#include "jobs/extract/report.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/cli/text_table.h"
#include "jobs/engine/job_verb.h"
#include "jobs/extract/extract_step.h"
#include "jobs/summaries/extract.h"
#include "jobs/tables/extract_output.h"
#include "jobs/tables/figures_table.h"

namespace trommel::jobs::extract {
namespace {

constexpr size_t kSitesInText = 20;
constexpr size_t kSitesInJson = 1000;

struct RuleTotals {
  std::map<std::string, int64_t> events;
  std::map<std::string, int64_t> filled;
};

struct SiteTotals {
  std::string site;
  int64_t pages = 0;
  int64_t extracted = 0;
  int64_t skipped = 0;
  int64_t records = 0;
  std::map<std::string, int64_t> rejects;
  std::map<std::string, int64_t> filled;
  std::map<std::string, RuleTotals> rules;
};

// The sites, those with most pages first.
std::vector<SiteTotals> SitesOf(const tables::Figures& figures) {
  std::vector<SiteTotals> sites;
  for (const auto& [key, count] : figures.counts()) {
    const auto& [site, rule_id, event] = key;
    if (sites.empty() || sites.back().site != site) {
      sites.emplace_back().site = site;
    }
    SiteTotals& totals = sites.back();
    if (event.rfind(tables::kFilledEventPrefix, 0) == 0) {
      const std::string attribute =
          event.substr(tables::kFilledEventPrefix.size());
      totals.filled[attribute] += count;
      totals.rules[rule_id].filled[attribute] += count;
      continue;
    }
    if (!rule_id.empty()) totals.rules[rule_id].events[event] += count;
    if (event == tables::kRecordsEvent) totals.records += count;
    if (!tables::EndsPage(event)) continue;
    totals.pages += count;
    if (event == tables::kExtractedEvent) {
      totals.extracted += count;
    } else if (event == tables::kSkippedEvent) {
      totals.skipped += count;
    } else {
      totals.rejects[event] += count;
    }
  }
  std::stable_sort(sites.begin(), sites.end(),
                   [](const SiteTotals& a, const SiteTotals& b) {
                     return a.pages > b.pages;
                   });
  return sites;
}

std::map<std::string, double> FillRates(
    const std::map<std::string, int64_t>& filled, int64_t records) {
  std::map<std::string, double> rates;
  for (const auto& [attribute, count] : filled) {
    rates[attribute] = ShareOf(count, records);
  }
  return rates;
}

summaries::Extract::Site SiteSummary(const SiteTotals& site) {
  summaries::Extract::Site summary;
  summary.site = site.site;
  summary.pages = site.pages;
  summary.records = site.records;
  summary.skipped = site.skipped;
  summary.coverage = ShareOf(site.extracted + site.skipped, site.pages);
  summary.rejects = site.rejects;
  summary.fill_rates = FillRates(site.filled, site.records);
  for (const auto& [rule_id, rule] : site.rules) {
    const auto records = rule.events.find(std::string(tables::kRecordsEvent));
    summary.rules.push_back(
        {rule_id, rule.events,
         FillRates(rule.filled,
                   records == rule.events.end() ? 0 : records->second)});
  }
  return summary;
}

}  // namespace

cli::Report MakeExtractReport(const std::string& out,
                              const mr::Counters& counters,
                              const tables::Figures& figures) {
  const std::vector<SiteTotals> sites = SitesOf(figures);
  const int64_t pages = mr::CounterOf(counters, mr::kRowsRead);
  const int64_t extracted = mr::CounterOf(counters, kPagesExtracted);
  const int64_t skipped = mr::CounterOf(counters, kPagesSkipped);
  const int64_t records = mr::CounterOf(counters, kRecordsWritten);
  const mr::Counters rejects = mr::RejectsByReason(counters);
  int64_t rejected = 0;
  for (const auto& [reason, count] : rejects) rejected += count;

  cli::Report report;
  summaries::Extract summary;
  summary.out = out;
  summary.pages = pages;
  summary.records = records;
  summary.skipped = skipped;
  summary.rejected = rejected;
  summary.rejects = rejects;
  summary.bytes_read = mr::CounterOf(counters, mr::kBytesRead);
  summary.coverage = ShareOf(extracted + skipped, pages);
  summary.num_sites = static_cast<int64_t>(sites.size());
  for (size_t i = 0; i < std::min(sites.size(), kSitesInJson); ++i) {
    summary.sites.push_back(SiteSummary(sites[i]));
  }
  summary.counters = counters;
  *report.json = ToJson(summary);

  absl::StrAppendFormat(&report.text, "%s of %s: %s, %d rejected",
                        Counted(pages, "page"),
                        Counted(static_cast<int64_t>(sites.size()), "site"),
                        Counted(records, "record"), rejected);
  if (skipped > 0) {
    absl::StrAppendFormat(&report.text, ", %d skipped as unchanged", skipped);
  }
  absl::StrAppendFormat(&report.text, "; coverage %.2f%%\n",
                        100 * ShareOf(extracted + skipped, pages));
  absl::StrAppendFormat(&report.text, "matched: %d by signature, %d by sketch",
                        mr::CounterOf(counters, kMatchedBySignature),
                        mr::CounterOf(counters, kMatchedBySketch));
  if (mr::CounterOf(counters, kTriedByUrl) > 0) {
    absl::StrAppendFormat(&report.text, "; tried by URL %d, kept %d",
                          mr::CounterOf(counters, kTriedByUrl),
                          mr::CounterOf(counters, kKeptByUrl));
  }
  report.text += '\n';
  StrAppend(&report.text, engine::RejectLines(counters));
  const int64_t doubtful = mr::CounterOf(counters, kRecordsDoubtful);
  if (doubtful > 0) {
    StrAppend(&report.text,
              "left out as doubtful: ", Counted(doubtful, "record"), "\n");
  }
  const size_t shown = std::min(sites.size(), kSitesInText);
  cli::TextTable table(
      {cli::TextTable::Left("site"), cli::TextTable::Right("pages", 9),
       cli::TextTable::Right("records", 9),
       cli::TextTable::Right("coverage", 9),
       cli::TextTable::Left("attributes filled", 0, /*gap=*/2)});
  for (size_t i = 0; i < shown; ++i) {
    const SiteTotals& site = sites[i];
    std::string filled;
    for (const auto& [attribute, count] : site.filled) {
      absl::StrAppendFormat(&filled, "%s%s %.0f%%", filled.empty() ? "" : ", ",
                            attribute, 100 * ShareOf(count, site.records));
    }
    const double coverage = ShareOf(site.extracted + site.skipped, site.pages);
    table.Add(Printable(site.site), site.pages, site.records,
              absl::StrFormat("%.2f%%", 100 * coverage), filled);
  }
  StrAppend(&report.text, table.Text());
  if (sites.size() > shown) {
    absl::StrAppendFormat(&report.text, "... and %d more\n",
                          sites.size() - shown);
  }
  absl::StrAppendFormat(&report.text, "records: %s/%s\n", out,
                        tables::kRecordsFolder);
  return report;
}

}  // namespace trommel::jobs::extract
