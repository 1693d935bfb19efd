#include "jobs/coverage/site_card.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/strings.h"
#include "jobs/report/chart.h"
#include "jobs/report/html.h"

namespace trommel::jobs::coverage_job {
namespace {

using report::Badge;
using report::Html;
using report::Markup;
using report::Paragraph;
using report::State;
using report::Text;

std::string PercentText(const coverage::Share& share) {
  return absl::StrFormat("%.1f%%", 100 * share.value());
}

// A drop is a difference of shares.
std::string PointsText(double drop) {
  return absl::StrFormat("%.1f points", 100 * drop);
}

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
  std::string cluster_flags;
  for (const std::string& flag : inputs.cluster_flags) {
    StrAppend(&cluster_flags, " ", report::ShellWord(flag));
  }
  return StrCat(
      "trommel cluster", cluster_flags, CrawlFlags(inputs, row.day, "crawl"),
      " \\\n  --out=clusters-", day, "\ntrommel reuse --rules=RULES \\\n  ",
      report::ShellWord(StrCat("--old-clusters=", old_clusters)),
      row.previous_day.has_value()
          ? CrawlFlags(inputs, *row.previous_day, "old-crawl")
          : std::string(" \\\n  --old-crawl=CRAWL_THAT_WAS_CLUSTERED"),
      " \\\n  --new-clusters=clusters-", day,
      CrawlFlags(inputs, row.day, "new-crawl"), " \\\n  --out=rules-", day);
}

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
    const coverage::Share by_signature =
        coverage::CoverageOf(row->counts, coverage::Counting::kSignature);
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
  if (summary.IsVanished(site.about)) {
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

}  // namespace

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

}  // namespace trommel::jobs::coverage_job
