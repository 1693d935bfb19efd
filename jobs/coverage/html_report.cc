#include "jobs/coverage/html_report.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/coverage/crawl_days.h"
#include "jobs/report/blocks.h"
#include "jobs/report/html.h"
#include "jobs/report/page.h"
#include "jobs/report/table.h"

namespace trommel::jobs::coverage_job {
namespace {

using report::Cell;
using report::Html;
using report::Markup;
using report::Paragraph;
using report::Text;

constexpr char kSitesId[] = "site-cards";
constexpr char kBrokenId[] = "broken-rows";

// Table III of the paper.
Html ChangesTable(const CoverageSummary& summary, coverage::Counting counting) {
  std::vector<report::Column> columns = {{"Changes", true}};
  std::vector<const CoverageSummary::Timeline*> timelines;
  for (const auto& timeline : summary.timelines) {
    if (timeline.counting != counting) continue;
    columns.push_back({StrCat(timeline.threshold, "%"), true,
                       StrCat("a drop of more than ", timeline.threshold,
                              " points is a change")});
    timelines.push_back(&timeline);
  }
  report::Table table(std::move(columns));
  for (size_t i = 0; i < timelines[0]->sites.size(); ++i) {
    std::vector<Cell> cells = {Cell::Number(static_cast<int64_t>(i))};
    for (const auto* timeline : timelines) {
      cells.push_back(Cell::Number(timeline->sites[i]));
    }
    table.AddRow(cells);
  }
  std::vector<Cell> totals = {Text("Total changes")};
  for (const auto* timeline : timelines) {
    totals.push_back(Cell::Number(timeline->changes));
  }
  table.AddTotal(totals);
  return table.Build();
}

Html ChangesSection(const CoverageSummary& summary) {
  Html html = Paragraph(
      Text("How many sites changed how often, by the drop of coverage that "
           "counts as a change. After a change a site is clustered anew, so "
           "one change counts once."));
  html += Markup("<div class=\"versions\"><div><h4>") +
          Text("Pages in a cluster count as covered") + Markup("</h4>") +
          ChangesTable(summary, coverage::Counting::kPlaced) +
          Markup("</div><div><h4>") +
          Text("Only pages that a signature covers") + Markup("</h4>") +
          ChangesTable(summary, coverage::Counting::kSignature) +
          Markup("</div></div>\n");
  return html;
}

// Table IV.
Html BrokenSection(const CoverageSummary& summary) {
  if (summary.broken.empty()) {
    return Paragraph(Text("No site changed, and no cluster broke."));
  }
  Html html;
  const auto num_shown = static_cast<int64_t>(summary.broken.size());
  if (num_shown < summary.num_broken) {
    html += report::Note(
        Text(StrCat("Shown: the ", Grouped(num_shown), " largest drops of ",
                    Grouped(summary.num_broken), "; all are in coverage/.")));
  }
  html += report::FilterBox(kBrokenId, "Filter by site or day",
                            {{"changed", "Changes only"}});
  report::Table table(
      {{"Site"},
       {"Day"},
       {"Clusters", true, "in use on that day"},
       {"Broken", true, "clusters that the majority of their URLs left"},
       {"URLs broken", true,
        "of the URLs of broken clusters that were crawled again: those that "
        "are no longer in their cluster"},
       {"Coverage", true},
       {"Drop", true, "since the day before, in points"},
       {"Beyond", true, "the highest threshold that the drop exceeds"}},
      kBrokenId);
  for (const CoverageRow& row : summary.broken) {
    const int beyond = summary.HighestExceeded(row);
    table.AddRow(
        {Text(row.site), Text(DayText(row.day)), Cell::Number(row.clusters),
         Cell::Number(row.clusters_broken),
         row.urls.compared == 0 ? Cell(report::Soft("none known"), -1)
                                : Cell::Share(row.urls.lost, row.urls.compared),
         Cell::Share(row.coverage.part, row.coverage.whole),
         Cell(Text(absl::StrFormat("%.1f", 100 * row.Drop())), row.Drop()),
         beyond == 0 ? Cell(report::Soft("none"), 0)
                     : Cell(Text(StrCat(beyond, "%")), beyond)},
        row.IsChange() ? "changed" : "");
  }
  return html + table.Build();
}

Html SitesSection(const CoverageSummary& summary,
                  const CoverageInputs& inputs) {
  if (summary.shown.empty()) return Paragraph(Text("There is no site."));
  Html html = Paragraph(
      Text("Sites that changed first, the largest drop first. ") +
      Markup("<span class=\"key line\"></span>") + Text("in a cluster") +
      Markup(" <span class=\"key fainter\"></span>") +
      Text("covered by a signature") +
      Markup(" <span class=\"key mark\"></span>") + Text("a change"));
  const auto num_shown = static_cast<int64_t>(summary.shown.size());
  if (num_shown < summary.sites) {
    html += report::Note(Text(StrCat("Shown: ", Grouped(num_shown), " of ",
                                     GroupedCount(summary.sites, "site"),
                                     "; all are in coverage/ and sites/.")));
  }
  html += report::FilterBox(kSitesId, "Filter by site",
                            {{"changed", "Changed"},
                             {"broken", "Broken in part"},
                             {"vanished", "Vanished"},
                             {"new", "New"},
                             {"steady", "Steady"}});
  std::vector<report::Card> cards;
  for (const auto& site : summary.shown) {
    cards.push_back(SiteCard(summary, site, inputs));
  }
  return html + report::Cards(kSitesId, cards);
}

Html Lead(const CoverageSummary& summary) {
  const auto& first = summary.timelines[0];
  const int64_t changed =
      summary.sites_compared - (first.sites.empty() ? 0 : first.sites[0]);
  Html html = report::Figures(
      {{"Sites", Text(Grouped(summary.sites)),
        Text(StrCat(Grouped(summary.sites_compared),
                    " compared on at least one day"))},
       {"Changed", Text(Grouped(changed)),
        Text(StrCat("of these sites; ", GroupedCount(first.changes, "change"),
                    " beyond ", first.threshold, " points"))},
       {"Pages", Text(Grouped(summary.pages)),
        Text(StrCat("on ", GroupedCount(static_cast<int64_t>(
                                            summary.pages_of_day.size()),
                                        "day")))},
       {"Vanished", Text(Grouped(summary.sites_vanished)),
        Text("had pages, and none on the last day")},
       {"Not crawled", Text(Grouped(summary.sites_never_crawled)),
        Text("have clusters, and no page on any day")},
       {"New", Text(Grouped(summary.sites_new)),
        Text("had no clusters; clustered from their own pages")}});
  std::vector<std::string> missing, empty;
  int64_t expected = 0;
  for (const auto& [day, pages] : summary.pages_of_day) {
    for (; expected != 0 && expected < day && missing.size() < 100;
         ++expected) {
      missing.push_back(DayText(expected));
    }
    expected = day + 1;
    if (pages == 0) empty.push_back(DayText(day));
  }
  const auto list = [](const std::vector<std::string>& days) {
    std::string text;
    for (const std::string& day : days) {
      StrAppend(&text, text.empty() ? "" : ", ", day);
    }
    return report::WholeText(text);
  };
  if (!missing.empty()) {
    html += report::Note(
        Text("Not crawled: ") + list(missing) +
        Text(". The day after a gap is compared with the last one before it."));
  }
  if (!empty.empty()) {
    html += report::Note(Text("The crawl is empty: ") + list(empty) +
                         Text(". No site is called changed for that."));
  }
  return html;
}

Html WordsSection() {
  return report::Terms({
      {Text("Coverage"),
       Text(
           "Of the pages of a site on a day, the share in one of its clusters: "
           "by a signature that covers theirs, or by structural resemblance.")},
      {Text("Drop"),
       Text(
           "Coverage on the last day with pages minus coverage on this day, in "
           "points of percent. The first day is compared with the day of "
           "clustering.")},
      {Text("Change"),
       Text("A drop beyond the threshold. The site is clustered anew from that "
            "day's pages, and later days are measured with these clusters.")},
      {Text("Broken"),
       Text(
           "A cluster that more than half of its URLs, of those crawled on "
           "both days, are no longer in. Where fewer than five URLs, and fewer "
           "than half of its pages, were crawled again: one whose share of the "
           "site's pages fell to less than half.")},
      {Text("Vanished"),
       Text("A site without a page on the last day. That is no change; when it "
            "comes back it is compared with its last day.")},
      {Text("New"),
       Text(
           "A site without clusters is clustered from its first pages; that is "
           "no change.")},
  });
}

}  // namespace

std::string CoverageHtml(const CoverageSummary& summary,
                         const CoverageInputs& inputs) {
  std::string scope = StrCat(
      GroupedCount(summary.sites, "site"), ", ",
      GroupedCount(static_cast<int64_t>(summary.pages_of_day.size()), "day"));
  if (!summary.pages_of_day.empty()) {
    StrAppend(&scope, ", ", DayText(summary.pages_of_day.begin()->first),
              " to ", DayText(summary.last_day()));
  }
  report::Page page("Coverage", scope, "trommel coverage");
  page.SetLead(Lead(summary));
  page.AddSection("Changes", ChangesSection(summary));
  page.AddSection("What broke", BrokenSection(summary));
  page.AddSection("Sites", SitesSection(summary, inputs));
  page.AddSection("In this report", WordsSection());
  return page.Html();
}

}  // namespace trommel::jobs::coverage_job
