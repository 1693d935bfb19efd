#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/report/blocks.h"
#include "jobs/report/html.h"
#include "jobs/report/page.h"
#include "jobs/report/table.h"
#include "jobs/run/reports/run_graph_picture.h"
#include "jobs/run/reports/run_result.h"
#include "jobs/run/scheduling/local_pages.h"

namespace trommel::jobs::run::reports {
namespace {

using report::Cell;
using report::Html;
using report::Markup;
using report::Text;
using report::WholeText;

report::State StateOf(scheduling::StageStatus status) {
  switch (status) {
    case scheduling::StageStatus::kDone:
    case scheduling::StageStatus::kUnchanged:
    case scheduling::StageStatus::kPresent:
      return report::State::kOk;
    case scheduling::StageStatus::kFailed:
      return report::State::kBroken;
    case scheduling::StageStatus::kBlocked:
      return report::State::kWarn;
    default:
      return report::State::kUnknown;
  }
}

// Returns false, too, when it cannot be told.
bool Exists(const std::string& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

// Returns a link to a local file, relative to the report.
Html Link(const RunResult& result, const std::string& file,
          std::string_view text) {
  if (file.empty() || file.find("://") != std::string::npos || !Exists(file)) {
    return WholeText(text);
  }
  const std::string relative =
      std::filesystem::path(file).lexically_relative(result.folder).string();
  return Markup(StrCat("<a href=\"", report::AttributeValue(relative), "\">")) +
         WholeText(text) + Markup("</a>");
}

std::string Duration(double seconds) {
  return seconds == 0
             ? std::string()
             : absl::StrFormat("%.*f s", seconds < 10 ? 1 : 0, seconds);
}

Html Headline(const RunResult& result) {
  int64_t records = 0;
  int64_t pages = 0;
  for (const SiteRecords& site : RecordsBySite(result)) {
    records += site.records;
    pages += site.pages;
  }
  const int64_t failed = result.Count(scheduling::StageStatus::kFailed);
  const int64_t blocked = result.Count(scheduling::StageStatus::kBlocked);
  const auto number = [](int64_t value) { return WholeText(Grouped(value)); };
  return report::Figures(
      {{"Stages run", number(result.Count(scheduling::StageStatus::kDone)),
        WholeText(
            StrCat(Grouped(result.Count(scheduling::StageStatus::kUnchanged)),
                   " unchanged since"))},
       {"Failed", number(failed),
        WholeText(StrCat(Grouped(blocked), " blocked by them"))},
       {"Records", number(records),
        WholeText(StrCat("of ", GroupedCount(pages, "page")))},
       {"Alerts", number(static_cast<int64_t>(result.open_alerts.size())), {}},
       {"Took", WholeText(Duration(result.seconds)), WholeText(result.began)}});
}

Html Alerts(const RunResult& result) {
  report::Table table({{"Kind"}, {"Date"}, {"Site"}, {"What"}, {"Open"}});
  for (const alerts::Alert& alert : result.open_alerts) {
    const bool is_failure = alert.kind == "stage_failed";
    table.AddRow(
        {report::Badge(
             is_failure ? report::State::kBroken : report::State::kWarn,
             alert.kind),
         WholeText(alert.date), Text(alert.site), WholeText(alert.message),
         alert.report.empty()
             ? Html()
             : Link(result, alert.report,
                    std::filesystem::path(alert.report).filename().string())});
  }
  return table.Build();
}

Html Reports(const RunResult& result, const scheduling::Stage& stage) {
  Html links;
  for (const std::string& name : scheduling::PageNames()) {
    const std::string file = StrCat(stage.Pages(), "/", name);
    if (Exists(file)) {
      links += Link(result, file, name) + Markup(" ");
    }
  }
  return links;
}

Html Stages(const RunResult& result) {
  report::Table table({{"Stage"},
                       {"Status"},
                       {"Took", /*numeric=*/true},
                       {"Attempts", /*numeric=*/true},
                       {"Result"},
                       {"Why"},
                       {"Open"}},
                      "stage-table");
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    const scheduling::Stage& stage = result.graph.stages[i];
    const scheduling::StageOutcome& outcome = result.outcomes[i];
    table.AddRow(
        {WholeText(stage.Name()),
         report::Badge(StateOf(outcome.status),
                       scheduling::StageStatusName(outcome.status)),
         Cell(WholeText(Duration(outcome.seconds)), outcome.seconds),
         Cell::Number(outcome.attempts), WholeText(InShort(outcome.summary)),
         WholeText(outcome.reason),
         Reports(result, stage) + (outcome.log.empty()
                                       ? Html()
                                       : Link(result, outcome.log, "log"))});
  }
  return report::FilterBox("stage-table", "filter stages") + table.Build();
}

Html Sites(const RunResult& result) {
  report::Table table({{"Site"},
                       {"Date"},
                       {"Pages", /*numeric=*/true},
                       {"Records", /*numeric=*/true},
                       {"Share", /*numeric=*/true}},
                      "site-table");
  for (const SiteRecords& site : RecordsBySite(result)) {
    table.AddRow({Text(site.site), WholeText(site.date),
                  Cell::Number(site.pages), Cell::Number(site.records),
                  Cell::Share(site.records, site.pages)});
  }
  return report::FilterBox("site-table", "filter sites") + table.Build();
}

}  // namespace

std::string RunPage(const RunResult& result) {
  const std::string dates =
      result.dates.size() == 1
          ? result.dates.front()
          : StrCat(result.dates.front(), " to ", result.dates.back());
  report::Page page(StrCat("Run of ", dates), result.pipeline, "trommel run");
  page.SetLead(WholeText(NightInShort(result)) + Headline(result));
  page.AddSection("Graph", StageGraphPicture(result));
  if (!result.open_alerts.empty()) page.AddSection("Alerts", Alerts(result));
  page.AddSection("Stages", Stages(result));
  if (!RecordsBySite(result).empty()) {
    page.AddSection("Records per site", Sites(result));
  }
  return page.Html();
}

}  // namespace trommel::jobs::run::reports
