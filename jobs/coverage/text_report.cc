#include "jobs/coverage/text_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "core/base/text.h"
#include "jobs/cli/text_table.h"
#include "jobs/coverage/crawl_days.h"
#include "jobs/summaries/coverage.h"

namespace trommel::jobs::coverage_job {
namespace {

constexpr size_t kBrokenInText = 20;

std::string_view CountingText(coverage::Counting counting) {
  return counting == coverage::Counting::kPlaced
             ? "pages in a cluster are covered"
             : "only pages that a signature covers are covered";
}

void AppendTotals(const CoverageSummary& summary, std::string* text) {
  const auto& days = summary.pages_of_day;
  absl::StrAppendFormat(text, "%s of %s on %s", Counted(summary.pages, "page"),
                        Counted(summary.sites, "site"),
                        Counted(static_cast<int64_t>(days.size()), "day"));
  if (!days.empty()) {
    absl::StrAppendFormat(text, ", %s to %s", DayText(days.begin()->first),
                          DayText(days.rbegin()->first));
  }
  *text += '\n';
  for (const auto& [day, pages] : days) {
    if (pages == 0) {
      absl::StrAppendFormat(text, "the crawl of %s is empty\n", DayText(day));
    }
  }
  for (const auto& [what, count] :
       {std::pair("vanished (no page on the last day)", summary.sites_vanished),
        std::pair("without a page on any day", summary.sites_never_crawled),
        std::pair("new (no clusters to begin with)", summary.sites_new),
        std::pair("never compared (pages on one day only)",
                  summary.sites - summary.sites_compared -
                      summary.sites_never_crawled)}) {
    if (count > 0) {
      absl::StrAppendFormat(text, "%s %s\n", Counted(count, "site"), what);
    }
  }
  if (summary.rejected > 0) {
    absl::StrAppendFormat(text, "%s rejected\n",
                          Counted(summary.rejected, "page"));
  }
}

// Table III of the paper.
void AppendChanges(const CoverageSummary& summary, coverage::Counting counting,
                   std::string* text) {
  absl::StrAppendFormat(
      text, "\nsites by number of changes, by drop of coverage (%s)\n",
      std::string(CountingText(counting)));
  std::vector<const CoverageSummary::Timeline*> timelines;
  std::vector<cli::TextTable::Column> columns = {
      cli::TextTable::Left("changes")};
  for (const auto& timeline : summary.timelines) {
    if (timeline.counting != counting) continue;
    timelines.push_back(&timeline);
    columns.push_back(
        cli::TextTable::Right(StrCat(timeline.threshold, "%"), 7));
  }
  cli::TextTable table(std::move(columns));
  for (size_t i = 0; i < timelines[0]->sites.size(); ++i) {
    std::vector<std::string> row = {StrCat(i)};
    for (const auto* timeline : timelines) {
      row.push_back(StrCat(timeline->sites[i]));
    }
    table.AddRow(std::move(row));
  }
  std::vector<std::string> total = {"total changes"};
  for (const auto* timeline : timelines) {
    total.push_back(StrCat(timeline->changes));
  }
  table.AddRow(std::move(total));
  *text += table.Text();
}

// Table IV.
void AppendBroken(const CoverageSummary& summary, std::string* text) {
  if (summary.broken.empty()) {
    *text += "\nno cluster broke\n";
    return;
  }
  const size_t shown = std::min(summary.broken.size(), kBrokenInText);
  cli::TextTable table(
      {cli::TextTable::Left("site"), cli::TextTable::Left("day", 10),
       cli::TextTable::Right("clusters"), cli::TextTable::Right("broken"),
       cli::TextTable::Right("URLs broken"), cli::TextTable::Right("drop", 7),
       cli::TextTable::Left("beyond")});
  for (size_t i = 0; i < shown; ++i) {
    const CoverageRow& row = summary.broken[i];
    const int beyond = summary.HighestExceeded(row);
    const coverage::Share lost = {row.urls.lost, row.urls.compared};
    table.Add(row.site, DayText(row.day), row.clusters, row.clusters_broken,
              row.urls.compared == 0
                  ? "-"
                  : absl::StrFormat("%.1f%%", 100 * lost.value()),
              absl::StrFormat("%.1f%%", 100 * row.Drop()),
              beyond == 0 ? "-" : StrCat(beyond, "%"));
  }
  StrAppend(text, "\n", table.Text());
  if (summary.num_broken > static_cast<int64_t>(shown)) {
    absl::StrAppendFormat(text, "... and %d more\n",
                          summary.num_broken - static_cast<int64_t>(shown));
  }
}

summaries::Coverage::Drop DropSummary(const CoverageRow& row) {
  summaries::Coverage::Drop drop;
  drop.site = Printable(row.site);
  drop.day = DayText(row.day);
  drop.clusters = row.clusters;
  drop.clusters_broken = row.clusters_broken;
  drop.urls_compared = row.urls.compared;
  drop.urls_lost = row.urls.lost;
  drop.coverage = row.coverage.value();
  drop.drop = row.Drop();
  drop.is_change = row.IsChange();
  return drop;
}

}  // namespace

cli::Report MakeCoverageReport(const CoverageSummary& summary,
                               const std::string& out) {
  cli::Report report;
  summaries::Coverage printed;
  printed.out = out;
  printed.pages = summary.pages;
  printed.sites = summary.sites;
  for (const auto& [day, pages] : summary.pages_of_day) {
    printed.days[DayText(day)] = pages;
  }
  printed.sites_compared = summary.sites_compared;
  printed.sites_new = summary.sites_new;
  printed.sites_vanished = summary.sites_vanished;
  printed.sites_never_crawled = summary.sites_never_crawled;
  printed.rejected = summary.rejected;
  for (const auto& timeline : summary.timelines) {
    printed.changes.push_back(
        {std::string(coverage::CountingName(timeline.counting)),
         timeline.threshold, timeline.sites, timeline.changes});
  }
  printed.num_broken = summary.num_broken;
  for (const CoverageRow& row : summary.broken) {
    printed.broken.push_back(DropSummary(row));
  }
  *report.json = ToJson(printed);

  AppendTotals(summary, &report.text);
  AppendChanges(summary, coverage::Counting::kPlaced, &report.text);
  AppendChanges(summary, coverage::Counting::kSignature, &report.text);
  AppendBroken(summary, &report.text);
  absl::StrAppendFormat(&report.text, "\ncoverage: %s (report.html shows it)\n",
                        out);
  return report;
}

}  // namespace trommel::jobs::coverage_job
