#include <algorithm>
#include <nlohmann/json.hpp>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/cli/text_table.h"
#include "jobs/rule_store/rule_diff.h"
#include "jobs/rules/actions.h"

namespace trommel::jobs::rules {
namespace {

void AppendXPaths(char sign, const std::vector<std::string>& xpaths,
                  std::string* text) {
  for (const std::string& xpath : xpaths) {
    absl::StrAppendFormat(text, "      %c %s\n", sign, Printable(xpath));
  }
}

void AppendChange(const rule_store::RuleChange& change, std::string* text) {
  absl::StrAppendFormat(text, "%s %s %s\n",
                        change.before.empty()  ? "added  "
                        : change.after.empty() ? "removed"
                                               : "changed",
                        Printable(change.site), change.cluster_id);
  absl::StrAppendFormat(text, "    %s -> %s\n",
                        change.before.empty() ? "-" : change.before,
                        change.after.empty() ? "-" : change.after);
  if (change.attributes.empty()) {
    StrAppend(text, "    the same XPaths; other pages are matched\n");
  }
  for (const rule_store::AttributeChange& attribute : change.attributes) {
    StrAppend(text, "    ", Printable(attribute.attribute), "\n");
    AppendXPaths('-', attribute.before, text);
    AppendXPaths('+', attribute.after, text);
  }
}

// A rule that is in service with all that it gives needs no line.
bool IsWorthALine(const rule_store::RuleState& state) {
  return !state.is_in_service() || state.is_pinned ||
         !state.switched_off.empty();
}

std::string StateLines(const rule_store::RuleState& state) {
  const std::string since =
      state.since.empty() ? std::string() : StrCat(" since ", state.since);
  std::string text =
      StrCat(state.is_in_service() ? (state.is_pinned ? "pinned" : "in part")
                                   : "on probation",
             ": ", state.rule_id, " of ", Printable(state.site), since, ": ",
             Printable(state.why), "\n");
  for (const rule_store::SwitchedOff& off : state.switched_off) {
    StrAppend(&text, "    without ", off.attribute, " since ", off.since, ": ",
              Printable(off.why), "\n");
  }
  if (!state.back_when.empty()) {
    StrAppend(&text, "    back when ", Printable(state.back_when), "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<cli::Report> ListVersions(const rule_store::RuleStore& store) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<rule_store::VersionInfo> versions,
                           store.List());
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store.Current());
  cli::Report report;
  nlohmann::ordered_json& json = *report.json;
  json["store"] = store.folder().name;
  json["current"] = current;
  json["versions"] = nlohmann::ordered_json::array();
  cli::TextTable table(
      {cli::TextTable::Left("", 1), cli::TextTable::Left("version", 8),
       cli::TextTable::Left("from", 8), cli::TextTable::Right("rules", 6),
       cli::TextTable::Left("made", 20, /*gap=*/2),
       cli::TextTable::Left("why", 0, /*gap=*/2)});
  for (const rule_store::VersionInfo& version : versions) {
    json["versions"].push_back({{"version", version.version},
                                {"base", version.base},
                                {"date", version.date},
                                {"made", version.made},
                                {"rules", version.num_rules},
                                {"why", version.why}});
    table.Add(version.version == current ? "*" : " ", version.version,
              version.base.empty() ? "-" : version.base, version.num_rules,
              version.made, Printable(version.why));
  }
  TROMMEL_ASSIGN_OR_RETURN(const rule_store::StoredRules content,
                           store.Content(current));
  json["rules"] = nlohmann::ordered_json::array();
  report.text = versions.empty()
                    ? StrCat(store.folder().name, " has no versions yet\n")
                    : table.Text();
  for (const rule_store::RuleState& state : content.states) {
    json["rules"].push_back(ToJson(state));
    if (IsWorthALine(state)) StrAppend(&report.text, StateLines(state));
  }
  return report;
}

absl::StatusOr<cli::Report> DiffVersions(const rule_store::RuleStore& store,
                                         const std::string& before,
                                         const std::string& after) {
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet old, store.Rules(before));
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet now, store.Rules(after));
  const std::vector<rule_store::RuleChange> changes =
      rule_store::DiffRules(old, now);
  cli::Report report;
  nlohmann::ordered_json& json = *report.json;
  json["before"] = before;
  json["after"] = after;
  json["changes"] = nlohmann::ordered_json::array();
  for (const rule_store::RuleChange& change : changes) {
    nlohmann::ordered_json rule_json;
    rule_json["site"] = change.site;
    rule_json["cluster_id"] = change.cluster_id;
    rule_json["before"] = change.before;
    rule_json["after"] = change.after;
    rule_json["attributes"] = nlohmann::ordered_json::array();
    for (const rule_store::AttributeChange& attribute : change.attributes) {
      rule_json["attributes"].push_back({{"attribute", attribute.attribute},
                                         {"before", attribute.before},
                                         {"after", attribute.after}});
    }
    json["changes"].push_back(std::move(rule_json));
    AppendChange(change, &report.text);
  }
  absl::StrAppendFormat(
      &report.text, "%s of %s to %s of %s: %s\n",
      Counted(old.rule_size(), "rule"), before,
      Counted(now.rule_size(), "rule"), after,
      changes.empty()
          ? "no difference"
          : Counted(static_cast<int64_t>(changes.size()), "difference"));
  return report;
}

}  // namespace trommel::jobs::rules
