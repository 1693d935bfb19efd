#include "jobs/coverage/html_report.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/report/blocks.h"
#include "jobs/report/chart.h"
#include "jobs/report/html.h"
#include "jobs/report/page.h"
#include "jobs/report/table.h"

namespace trommel {
namespace {

using report::Badge;
using report::Cell;
using report::Html;
using report::Markup;
using report::Paragraph;
using report::State;
using report::Text;

constexpr char kSitesId[] = "site-cards";
constexpr char kBrokenId[] = "broken-rows";

std::string PercentText(const Share& share) {
  return absl::StrFormat("%.1f%%", 100 * share.value());
}

// A drop is a difference of shares.
std::string PointsText(double drop) {
  return absl::StrFormat("%.1f points", 100 * drop);
}

// --- The commands to run next ------------------------------------------------

// The crawls that hold the pages of a day, as flags.
std::string CrawlFlags(const CoverageInputs& inputs, int64_t day,
                       std::string_view flag) {
  std::string flags;
  std::string last;
  for (const CrawlDay& crawl : inputs.crawls) {
    if (crawl.day.has_value() && *crawl.day != day) continue;
    for (std::string path : crawl.paths) {
      // Files of a crawl that was taken apart by day: their folder.
      const size_t slash = path.rfind('/');
      if (crawl.paths.size() > 1 && path.ends_with(".parquet") &&
          slash != std::string::npos) {
        path.resize(slash);
      }
      if (path == last) continue;
      StrAppend(&flags, " \\\n  ",
                report::ShellWord(StrCat("--", flag, "=", path)));
      last = std::move(path);
    }
  }
  return flags;
}

std::string NextCommand(const CoverageRow& row, const CoverageInputs& inputs) {
  const std::string day = DayText(row.day);
  const std::string old_clusters = row.clustered_on.empty()
                                       ? inputs.clusters
                                       : StrCat("clusters-", row.clustered_on);
  return StrCat(
      "trommel cluster", CrawlFlags(inputs, row.day, "crawl"),
      " \\\n  --out=clusters-", day, "\ntrommel reuse --rules=rules \\\n  ",
      report::ShellWord(StrCat("--old-clusters=", old_clusters)),
      row.previous_day.has_value()
          ? CrawlFlags(inputs, *row.previous_day, "old-crawl")
          : std::string(" \\\n  --old-crawl=CRAWL_THAT_WAS_CLUSTERED"),
      " \\\n  --new-clusters=clusters-", day,
      CrawlFlags(inputs, row.day, "new-crawl"), " \\\n  --out=rules-", day);
}

// --- A site ------------------------------------------------------------------

// A version of a page; `more` is a further line about it.
Html Version(std::string_view url, std::string_view signature,
             std::string_view cluster, std::vector<report::Term> more = {}) {
  if (url.empty()) return Paragraph(report::Soft("no page known"));
  std::vector<report::Term> terms = {
      {Text("Signature"), signature.empty() ? report::Soft("none, too few tags")
                                            : report::Code(signature)},
      {Text("Cluster"),
       cluster.empty() ? report::Soft("none") : report::Code(cluster)}};
  for (report::Term& term : more) terms.push_back(std::move(term));
  return Paragraph(report::Url(url)) + report::Terms(terms);
}

Html Example(const ExampleRow& example, const CoverageRow& row) {
  std::vector<report::Term> anew;
  if (row.anew.has_value()) {
    anew.push_back(
        {Text("Clustered anew"), example.new_cluster_id.empty()
                                     ? report::Soft("none")
                                     : report::Code(example.new_cluster_id)});
  }
  return report::BeforeAfter(
      {row.previous_day.has_value()
           ? StrCat("Before, ", DayText(*row.previous_day))
           : std::string("Before"),
       Version(example.url_before, example.signature_before,
               example.cluster_id_before),
       ""},
      {StrCat("After, ", DayText(row.day)),
       Version(example.url_after, example.signature_after,
               example.cluster_id_after, std::move(anew)),
       ""});
}

Html DayDetails(const CoverageSummary::Site& site, const CoverageRow& row,
                const CoverageInputs& inputs) {
  Html html = Markup("<h4>") + Text(DayText(row.day)) + Markup(" ");
  html += row.IsChange() ? Badge(State::kBroken, "change")
                         : Badge(State::kWarn, "clusters broken");
  html += Markup("</h4>\n");
  std::string text = row.before.has_value()
                         ? StrCat("Coverage ", PercentText(row.coverage),
                                  " after ", PercentText(*row.before),
                                  ": a drop of ", PointsText(row.Drop()), ". ")
                         : StrCat("Coverage ", PercentText(row.coverage), ". ");
  StrAppend(&text, Grouped(row.clusters_broken), " of ",
            GroupedCount(row.clusters, "cluster"), " broken");
  if (row.urls.compared > 0) {
    StrAppend(&text, "; ", Grouped(row.urls.lost), " of their ",
              GroupedCount(row.urls.compared, "URL"),
              " crawled again left them");
  }
  text += ".";
  if (row.anew.has_value()) {
    StrAppend(&text, " Clustered anew from this day, coverage is ",
              PercentText(*row.anew), ".");
  }
  html += Paragraph(report::WholeText(text));
  for (const ExampleRow& example : site.examples) {
    if (example.day != row.day) continue;
    html += Example(example, row);
    break;  // one is enough; the others are in the table
  }
  if (row.IsChange()) html += report::Command(NextCommand(row, inputs));
  return html;
}

Html SiteChart(const CoverageSummary& summary,
               const CoverageSummary::Site& site) {
  report::ShareChart chart;
  chart.first_day = summary.pages_of_day.begin()->first;
  chart.last_day = summary.last_day();
  chart.description = StrCat("Coverage of ", site.about.site, " by day");
  auto row = site.days.begin();
  for (const auto& [day, pages] : summary.pages_of_day) {
    report::ShareChart::Point point;
    point.day = day;
    point.label = DayText(day);
    if (row == site.days.end() || row->day != day) {
      point.tip = pages == 0 ? "the crawl is empty" : "no page of this site";
      chart.points.push_back(std::move(point));
      continue;
    }
    const Share by_signature = CoverageOf(row->counts, Counting::kSignature);
    point.share = row->coverage.value();
    point.fainter = by_signature.value();
    point.marked = row->IsChange();
    point.tip = StrCat(PercentText(row->coverage), " of ",
                       GroupedCount(row->counts.pages, "page"), " (",
                       PercentText(by_signature), " by signature)");
    if (row->IsChange()) {
      StrAppend(&point.tip, ", a change: down ", PointsText(row->Drop()));
    }
    chart.points.push_back(std::move(point));
    ++row;
  }
  return Chart(chart) +
         Markup(StrCat("<div class=\"axis\" aria-hidden=\"true\"><span>",
                       DayText(chart.first_day), "</span><span>",
                       DayText(chart.last_day), "</span></div>"));
}

Html SiteBadges(const CoverageSummary& summary,
                const CoverageSummary::Site& site, std::string* tags) {
  Html badges;
  const auto add = [&](State state, const std::string& text,
                       std::string_view tag) {
    badges += Badge(state, text) + Markup(" ");
    StrAppend(tags, tags->empty() ? "" : " ", tag);
  };
  int64_t broken_only = 0;
  for (const CoverageRow& row : site.days) {
    broken_only += !row.IsChange() && row.clusters_broken > 0 ? 1 : 0;
  }
  if (site.changes > 0) {
    add(State::kBroken, GroupedCount(site.changes, "change"), "changed");
  }
  if (broken_only > 0) add(State::kWarn, "clusters broken", "broken");
  if (summary.IsVanished(site)) {
    add(State::kWarn, StrCat("no page since ", DayText(*site.about.last_day)),
        "vanished");
  }
  if (site.IsNeverCrawled()) add(State::kUnknown, "not crawled", "vanished");
  if (site.IsNew()) {
    add(State::kUnknown,
        site.about.first_day.has_value()
            ? StrCat("new on ", DayText(*site.about.first_day))
            : std::string("new"),
        "new");
  }
  if (tags->empty()) add(State::kOk, "steady", "steady");
  return badges;
}

report::Card SiteCard(const CoverageSummary& summary,
                      const CoverageSummary::Site& site,
                      const CoverageInputs& inputs) {
  report::Card card;
  card.heading = Text(site.about.site.empty() ? "(no name)" : site.about.site);
  card.content = Paragraph(SiteBadges(summary, site, &card.tags));
  if (site.IsNeverCrawled()) {
    card.content += Paragraph(
        report::Soft(StrCat(GroupedCount(site.about.clusters, "cluster"),
                            ", and no page on any day.")));
    return card;
  }
  card.content += SiteChart(summary, site);
  const CoverageRow& last = site.days.back();
  card.content += Paragraph(
      Text(StrCat(PercentText(last.coverage), " covered on ",
                  DayText(last.day))) +
      report::Soft(StrCat(", largest drop ", PointsText(site.largest_drop),
                          "; ", GroupedCount(last.counts.pages, "page"), ", ",
                          GroupedCount(last.clusters, "cluster"))));
  Html details;
  int64_t num_days = 0;
  for (const CoverageRow& row : site.days) {
    if (!row.IsChange() && row.clusters_broken == 0) continue;
    ++num_days;
    details += DayDetails(site, row, inputs);
  }
  if (num_days > 0) {
    card.content += report::Details(
        Text(StrCat("What broke on ", GroupedCount(num_days, "day"))), details);
  }
  return card;
}

// --- Sections ----------------------------------------------------------------

// Table III of the paper.
Html ChangesTable(const CoverageSummary& summary, Counting counting) {
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
          ChangesTable(summary, Counting::kPlaced) + Markup("</div><div><h4>") +
          Text("Only pages that a signature covers") + Markup("</h4>") +
          ChangesTable(summary, Counting::kSignature) +
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
    const int beyond = HighestExceeded(row, summary.thresholds);
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

}  // namespace trommel
