#include "jobs/monitor/html_report.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/strings.h"
#include "jobs/monitor/html_sections.h"
#include "jobs/report/blocks.h"
#include "jobs/report/html.h"
#include "jobs/report/page.h"
#include "jobs/report/table.h"

namespace trommel::jobs::monitor_job {
namespace {

using report::Badge;
using report::Cell;
using report::Html;
using report::Markup;
using report::Paragraph;
using report::State;
using report::Table;
using report::Text;
using report::WholeText;

// A page with more is no longer read; the tables have all.
constexpr size_t kMaxSites = 5000;

// --- Figures -----------------------------------------------------------------

// Badges for what there is: "2 changed", "4 fine".
struct CountOf {
  int64_t count;
  State state;
  const char* what;
};
Html Badges(const std::vector<CountOf>& counts) {
  Html html;
  for (const CountOf& c : counts) {
    if (c.count == 0) continue;
    html += Badge(c.state, StrCat(Grouped(c.count), " ", c.what)) + Markup(" ");
  }
  return html;
}

Html SummaryFigures(const Findings& findings) {
  const Totals& t = findings.totals;
  const auto number = [](int64_t value) { return WholeText(Grouped(value)); };
  std::vector<report::Figure> figures = {
      {"Sites", number(static_cast<int64_t>(findings.watch.sites.size())),
       Badges({{t.changed_sites, State::kBroken, "changed"},
               {t.broken_sites, State::kWarn, "broken in part"},
               {t.unknown_sites, State::kUnknown, "unknown"},
               {t.fine_sites, State::kOk, "fine"}})},
      {"Rules", number(t.fine_rules + t.broken_rules + t.unknown_rules),
       Badges({{t.broken_rules, State::kBroken, "broken"},
               {t.unknown_rules, State::kUnknown, "unknown"},
               {t.fine_rules, State::kOk, "fine"}})},
      {"Bellwethers crawled",
       WholeText(StrCat(Grouped(t.present), " of ", Grouped(t.bellwethers))),
       WholeText(StrCat(Grouped(t.by_signature), " placed by signature, ",
                        Grouped(t.by_sketch), " by sketch"))},
      {"Bellwethers that fail", number(t.failed),
       Badges({{t.signature_changed, State::kBroken, "signature changed"},
               {t.null_extraction, State::kBroken, "null"},
               {t.wrong_extraction, State::kBroken, "wrong"}})}};
  if (findings.has_records()) {
    figures.push_back(
        {"Attributes of records",
         number(t.fine_attributes + t.drifted_attributes +
                t.unknown_attributes),
         Badges({{t.drifted_attributes, State::kWarn, "drifted"},
                 {t.unknown_attributes, State::kUnknown, "unknown"},
                 {t.fine_attributes, State::kOk, "fine"}})});
  }
  return report::Figures(figures);
}

// --- Sites -------------------------------------------------------------------

State BadgeOf(monitor::SiteState state) {
  switch (state) {
    case monitor::SiteState::kFine:
      return State::kOk;
    case monitor::SiteState::kBroken:
      return State::kWarn;
    case monitor::SiteState::kChanged:
      return State::kBroken;
    case monitor::SiteState::kUnknown:
      break;
  }
  return State::kUnknown;
}

// The worse, the smaller.
int Severity(monitor::SiteState state) {
  switch (state) {
    case monitor::SiteState::kChanged:
      return 0;
    case monitor::SiteState::kBroken:
      return 1;
    case monitor::SiteState::kUnknown:
      return 2;
    case monitor::SiteState::kFine:
      break;
  }
  return 3;
}

// The worst first; of equals the one with more pages failing.
std::vector<const WatchedSite*> BySeverity(const WatchResult& watch) {
  std::vector<const WatchedSite*> sites;
  for (const WatchedSite& site : watch.sites) sites.push_back(&site);
  std::stable_sort(
      sites.begin(), sites.end(),
      [](const WatchedSite* a, const WatchedSite* b) {
        const monitor::SiteVerdict& x = a->verdict;
        const monitor::SiteVerdict& y = b->verdict;
        return std::tuple(Severity(x.state), -x.broken, -x.share_of_urls) <
               std::tuple(Severity(y.state), -y.broken, -y.share_of_urls);
      });
  return sites;
}

struct SiteUrls {
  int64_t failed = 0;
  int64_t present = 0;
};
SiteUrls UrlsOfBrokenRules(const Findings& findings, const WatchedSite& site) {
  SiteUrls urls;
  for (size_t i = site.first_rule; i < site.end_rule; ++i) {
    const monitor::JudgedRule& rule = findings.watch.rules[i].judged;
    if (rule.verdict.verdict != monitor::Verdict::kBroken) continue;
    urls.failed += rule.counts.failed;
    urls.present += rule.counts.present;
  }
  return urls;
}

Html Sites(const Findings& findings,
           const std::vector<const WatchedSite*>& sites) {
  Table table({{"Site"},
               {"Verdict"},
               {"Rules", true},
               {"Broken", true, "rules that failed the shingle or field test"},
               {"Share of rules", true, "broken ones among all of the site"},
               {"Share of URLs", true,
                "failing ones among the crawled bellwethers of broken rules"},
               {"Why"}},
              "site-list");
  const size_t shown = std::min(sites.size(), kMaxSites);
  for (size_t i = 0; i < shown; ++i) {
    const WatchedSite& site = *sites[i];
    const monitor::SiteVerdict& verdict = site.verdict;
    const std::string state(monitor::SiteStateName(verdict.state));
    const SiteUrls urls = UrlsOfBrokenRules(findings, site);
    const bool is_broken = verdict.broken > 0;
    table.AddRow(
        {Text(site.site),
         Cell(Badge(BadgeOf(verdict.state), state), Severity(verdict.state)),
         Cell::Number(verdict.rules), Cell::Number(verdict.broken),
         is_broken ? Cell::Share(verdict.broken, verdict.rules)
                   : Cell(Html(), 0),
         is_broken ? Cell::Share(urls.failed, urls.present) : Cell(Html(), 0),
         Lines(verdict.reasons)},
        state);
  }
  Html html = report::FilterBox("site-list", "filter sites",
                                {{"changed", "changed"},
                                 {"broken", "broken in part"},
                                 {"unknown", "unknown"},
                                 {"fine", "fine"}});
  html += table.Build();
  html += LeftOut(shown, sites.size(), "site", "sites");
  return html;
}

// --- The rest ----------------------------------------------------------------

Html Next(const Findings& findings) {
  const std::vector<std::string> commands = NextCommands(findings);
  if (commands.empty()) {
    return Paragraph(WholeText("Nothing: no rule is broken."));
  }
  Html html = Paragraph(
      WholeText("Cluster the crawl anew and keep every rule that still holds; "
                "what is left goes to an editor. The sites with a broken rule "
                "are in ") +
      report::Code(tables::kFlaggedSitesFile) + WholeText("."));
  for (const std::string& command : commands) {
    html += report::Command(command);
  }
  return html;
}

Html HowToRead(const monitor::VerdictThresholds& thresholds) {
  const auto percent = [](double share) { return StrCat(100 * share, "%"); };
  return report::Terms(
      {{WholeText("signature changed"),
        WholeText("The page is no longer placed in the rule's template: the "
                  "rule is not applied to it.")},
       {WholeText("null extraction"),
        WholeText("The rule no longer finds what must be there: a mandatory "
                  "attribute, or a constant one that had a value (where the "
                  "schema has no mandatory attribute, any that had one).")},
       {WholeText("wrong extraction"),
        WholeText("A constant attribute has another value than when the rule "
                  "was learnt.")},
       {WholeText("broken rule"),
        WholeText(StrCat("More than ", percent(thresholds.rule),
                         " of its crawled bellwethers have another signature, "
                         "or fail the test of their fields."))},
       {WholeText("site change"),
        WholeText(StrCat("At least ", percent(thresholds.site),
                         " of the crawled bellwethers of the site's broken "
                         "rules fail. Below that, and with few of the rules, "
                         "it is more often an accident of the crawl than a "
                         "new design: the site is broken in part."))},
       {WholeText("unknown"),
        WholeText(StrCat("Fewer than ", thresholds.min_bellwethers,
                         " bellwethers of the rule (or than all, if it has "
                         "fewer) could be looked at."))}});
}

Html Notes(const std::vector<std::string>& notes) {
  Html html;
  for (const std::string& note : notes) html += report::Note(Text(note));
  return html;
}

}  // namespace

report::Html Lines(const std::vector<std::string>& lines) {
  Html html;
  for (const std::string& line : lines) {
    if (!html.empty()) html += Markup("<br>");
    html += Text(line);
  }
  return html;
}

report::Html LeftOut(size_t shown, size_t all, std::string_view noun,
                     std::string_view table) {
  if (all <= shown) return Html();
  return report::Note(
      WholeText(StrCat(Grouped(static_cast<int64_t>(shown)), " of ",
                       GroupedCount(static_cast<int64_t>(all), noun),
                       " shown; the table ", table, "/ has all.")));
}

std::string MonitorPage(const Findings& findings) {
  const Totals& totals = findings.totals;
  const int64_t rules =
      totals.fine_rules + totals.broken_rules + totals.unknown_rules;
  report::Page page(
      "Rules and sites",
      StrCat(GroupedCount(rules, "rule"), " of ",
             GroupedCount(static_cast<int64_t>(findings.watch.sites.size()),
                          "site"),
             " on ", findings.crawls.empty() ? "" : findings.crawls[0],
             findings.crawls.size() > 1 ? " and others" : ""),
      "trommel monitor");
  const std::vector<const WatchedSite*> sites = BySeverity(findings.watch);
  page.SetLead(SummaryFigures(findings) + Notes(findings.notes));
  page.AddSection("What to run next", Next(findings));
  page.AddSection("What broke", BrokenRulesSection(findings, sites));
  page.AddSection("Sites", Sites(findings, sites));
  page.AddSection("What is not known", UnknownRulesSection(findings));
  if (findings.has_records()) {
    page.AddSection("Drift of records", DriftSection(findings));
  }
  page.AddSection("How to read this", HowToRead(findings.thresholds));
  return page.Html();
}

}  // namespace trommel::jobs::monitor_job
