#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "jobs/monitor/html_sections.h"
#include "jobs/report/blocks.h"
#include "jobs/report/html.h"
#include "jobs/report/table.h"

namespace trommel::jobs::monitor_job {
namespace {

using report::Badge;
using report::Cell;
using report::Html;
using report::Markup;
using report::Paragraph;
using report::Soft;
using report::State;
using report::Table;
using report::Text;
using report::WholeText;

// A page with more is no longer read; the tables have all.
constexpr size_t kMaxBrokenRules = 500;
constexpr size_t kMaxUnknownRules = 2000;

std::string OneLine(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) {
    StrAppend(&text, text.empty() ? "" : " | ", value);
  }
  return text;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The page that shows most of what broke: the one with most attributes that
// fail, then the first.
const WatchedBellwether* Example(const WatchedRule& rule) {
  const WatchedBellwether* example = nullptr;
  const auto failing = [](const WatchedBellwether& b) {
    return b.fields.missing.size() + b.fields.wrong.size();
  };
  for (const WatchedBellwether& bellwether : rule.bellwethers) {
    if (!bellwether.Fails()) continue;
    if (example == nullptr || failing(bellwether) > failing(*example)) {
      example = &bellwether;
    }
  }
  return example;
}

Html ExampleOf(const WatchedRule& rule) {
  const WatchedBellwether* const example = Example(rule);
  if (example == nullptr) return Html();
  Table table({{"Attribute"}, {"When learnt"}, {"Now"}, {""}});
  for (size_t i = 0; i < rule.attributes.size(); ++i) {
    const auto values = [&](const std::vector<record::Record>& records) {
      const std::vector<std::string> all =
          record::AllValues(records, static_cast<int>(i));
      return all.empty() ? Soft("none") : Text(OneLine(all));
    };
    const std::string& name = rule.attributes[i];
    const bool is_missing = Contains(example->fields.missing, name);
    const bool is_wrong = Contains(example->fields.wrong, name);
    table.AddRow({Text(name), values(example->golden), values(example->fresh),
                  is_missing ? Badge(State::kBroken, "missing")
                  : is_wrong ? Badge(State::kBroken, "wrong")
                             : Html()});
  }
  Html heading = Paragraph(report::Url(example->url));
  if (!example->placed_by.has_value()) {
    heading += Paragraph(Badge(State::kBroken, "signature changed"));
  }
  return report::Details(WholeText("an example page, before and after"),
                         heading + table.Build());
}

// "title 12, price 3"
Html Attributes(const std::map<std::string, int64_t>& pages) {
  std::string text;
  for (const auto& [name, count] : pages) {
    StrAppend(&text, text.empty() ? "" : ", ", name, " ", count);
  }
  return Soft(text);
}

// The three ways to fail, with the share of bellwethers behind each.
Html Ways(const WatchedRule& rule) {
  const monitor::RuleCounts& counts = rule.judged.counts;
  Html html;
  const auto add = [&](const char* way, int64_t count, const Html& about) {
    html += Paragraph(
        Badge(count == 0 ? State::kUnknown : State::kBroken, way) +
        Markup(" ") + WholeText(StrCat(count, " of ", counts.present, ", ")) +
        Markup(report::Percent(count, counts.present)) +
        (about.empty() ? Html() : Markup("<br>") + about));
  };
  add("signature changed", counts.signature_changed,
      counts.saved_by_fields == 0
          ? Html()
          : Soft(StrCat("the fields are right on ", counts.saved_by_fields)));
  add("null extraction", counts.null_extraction, Html());
  add("wrong extraction", counts.wrong_extraction, Html());
  if (!counts.missing.empty()) {
    html += Paragraph(WholeText("missing: ") + Attributes(counts.missing));
  }
  if (!counts.wrong.empty()) {
    html += Paragraph(WholeText("wrong: ") + Attributes(counts.wrong));
  }
  if (counts.absent() > 0) {
    html += Paragraph(
        Soft(StrCat(Counted(counts.absent(), "bellwether"), " not crawled")));
  }
  return html;
}

// Words for quick filters.
std::string WaysAsTags(const WatchedRule& rule) {
  const monitor::RuleVerdict& verdict = rule.judged.verdict;
  const monitor::RuleCounts& counts = rule.judged.counts;
  return StrCat(
      verdict.shingle_test_failed ? "signature" : "",
      verdict.field_test_failed && counts.null_extraction > 0 ? " null" : "",
      verdict.field_test_failed && counts.wrong_extraction > 0 ? " wrong" : "");
}

// "18 not crawled, 2 fetch_status: 404"
std::string WhyAbsent(const WatchedRule& rule) {
  std::map<std::string, int64_t> reasons;
  for (const WatchedBellwether& bellwether : rule.bellwethers) {
    if (!bellwether.is_present()) ++reasons[bellwether.absent];
  }
  std::string text;
  for (const auto& [reason, count] : reasons) {
    StrAppend(&text, text.empty() ? "" : ", ", count, " ", reason);
  }
  return text;
}

}  // namespace

Html BrokenRulesSection(const Findings& findings,
                        const std::vector<const WatchedSite*>& sites) {
  if (findings.totals.broken_rules == 0) {
    return Paragraph(WholeText("No rule is broken."));
  }
  std::vector<report::Card> cards;
  for (const WatchedSite* const site : sites) {
    for (size_t i = site->first_rule; i < site->end_rule; ++i) {
      const WatchedRule& rule = findings.watch.rules[i];
      if (rule.judged.verdict.verdict != monitor::Verdict::kBroken) continue;
      if (cards.size() == kMaxBrokenRules) break;
      cards.push_back(
          {Text(rule.site),
           Paragraph(Soft(StrCat(rule.schema, ", cluster ", rule.cluster_id))) +
               Ways(rule) + ExampleOf(rule),
           WaysAsTags(rule)});
    }
  }
  const size_t shown = cards.size();
  return report::FilterBox("broken-rules", "filter rules",
                           {{"signature", "signature changed"},
                            {"null", "null extraction"},
                            {"wrong", "wrong extraction"}}) +
         report::Cards("broken-rules", cards) +
         LeftOut(shown, static_cast<size_t>(findings.totals.broken_rules),
                 "broken rule", "rules");
}

Html UnknownRulesSection(const Findings& findings) {
  if (findings.totals.unknown_rules == 0) {
    return Paragraph(WholeText("Something is known of every rule."));
  }
  Table table({{"Site"},
               {"Cluster"},
               {"Bellwethers", true},
               {"Crawled", true},
               {"Why"},
               {"Absent"}},
              "unknown-rules");
  size_t shown = 0;
  for (const WatchedRule& rule : findings.watch.rules) {
    if (rule.judged.verdict.verdict != monitor::Verdict::kUnknown) continue;
    if (shown == kMaxUnknownRules) break;
    ++shown;
    table.AddRow({Text(rule.site), Text(rule.cluster_id),
                  Cell::Number(rule.judged.counts.bellwethers),
                  Cell::Number(rule.judged.counts.present),
                  Lines(rule.judged.verdict.reasons), Text(WhyAbsent(rule))});
  }
  return Paragraph(WholeText(
             "Too few of these rules' bellwethers are pages of the crawl to "
             "say that they are fine, or that they are broken.")) +
         report::FilterBox("unknown-rules", "filter rules") + table.Build() +
         LeftOut(shown, static_cast<size_t>(findings.totals.unknown_rules),
                 "unknown rule", "rules");
}

}  // namespace trommel::jobs::monitor_job
