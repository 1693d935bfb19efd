#include "jobs/summaries/publish.h"

#include <optional>
#include <set>
#include <utility>

#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/next_rules.h"
#include "jobs/rules/actions.h"
#include "jobs/tables/monitor_tables.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::rules {
namespace {

absl::StatusOr<rule_store::FoundRules> ReadRules(const std::string& folder) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path file, tables::FindRulesFile(folder));
  TROMMEL_ASSIGN_OR_RETURN(const std::string bytes, io::ReadListedFile(file));
  absl::StatusOr<proto::RuleSet> rules = rule::DecodeRules(bytes);
  if (!rules.ok()) return Annotate(rules.status(), file.name);
  rule_store::FoundRules found;
  found.rules = *std::move(rules);
  TROMMEL_ASSIGN_OR_RETURN(found.statuses, tables::ReadClusterStatuses(file));
  return found;
}

absl::StatusOr<rule_store::NightFindings> ReadFindings(
    const PublishFlags& flags) {
  rule_store::NightFindings findings;
  findings.date = flags.date;
  for (const std::string& learnt : flags.learnt) {
    const size_t equals = learnt.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return absl::InvalidArgumentError(
          StrCat("--learnt=", learnt, " is not NAME=FOLDER"));
    }
    TROMMEL_ASSIGN_OR_RETURN(findings.learnt[learnt.substr(0, equals)],
                             ReadRules(learnt.substr(equals + 1)));
  }
  std::set<std::string> blocked_sites;
  if (!flags.blocked_sites.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path sites,
                             io::ResolvePath(flags.blocked_sites));
    TROMMEL_ASSIGN_OR_RETURN(blocked_sites, tables::ReadSiteLines(sites));
  }
  for (const std::string* const monitored :
       {&flags.monitored, &flags.tried, &flags.checked}) {
    if (monitored->empty()) continue;
    TROMMEL_ASSIGN_OR_RETURN(const io::Path folder,
                             io::ResolvePath(*monitored));
    TROMMEL_ASSIGN_OR_RETURN(std::vector<tables::RuleVerdictRow> verdicts,
                             tables::ReadRuleVerdicts(folder));
    for (tables::RuleVerdictRow& rule : verdicts) {
      if (blocked_sites.count(rule.site) > 0) continue;
      findings.trials.emplace(rule.rule_id, std::move(rule));
    }
  }
  if (!flags.monitored.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path folder,
                             io::ResolvePath(flags.monitored));
    TROMMEL_ASSIGN_OR_RETURN(findings.renewed,
                             tables::ReadRenewedRules(folder));
  }
  if (!flags.reused.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(findings.reused, ReadRules(flags.reused));
    TROMMEL_ASSIGN_OR_RETURN(const io::Path sites,
                             io::ResolvePath(flags.reused_sites));
    TROMMEL_ASSIGN_OR_RETURN(findings.changed_sites,
                             tables::ReadSiteLines(sites));
  }
  return findings;
}

std::string Why(const PublishFlags& flags, const rule_store::NextRules& next) {
  std::string why =
      flags.date.empty() ? "by hand" : StrCat("night of ", flags.date);
  const auto add = [&](int64_t count, const char* what) {
    if (count > 0) {
      StrAppend(&why, why.back() == ':' ? " " : ", ", count, " ", what);
    }
  };
  StrAppend(&why, ":");
  add(next.num_learnt, "learnt");
  add(next.num_reused, "reused");
  add(next.num_renewed, "watched by newer pages");
  add(static_cast<int64_t>(next.restored.size()), "restored");
  add(static_cast<int64_t>(next.withdrawn.size()), "withdrawn");
  add(static_cast<int64_t>(next.attributes.size()), "switched in part");
  return why;
}

std::vector<summaries::Publish::RuleMove> Summarize(
    const std::vector<rule_store::RuleMove>& rules) {
  std::vector<summaries::Publish::RuleMove> summary;
  for (const rule_store::RuleMove& rule : rules) {
    summary.push_back({rule.site, rule.rule_id, rule.reason});
  }
  return summary;
}

// Adds what the states of the rules say.
void SummarizeStates(const std::vector<rule_store::RuleState>& states,
                     summaries::Publish* summary) {
  std::set<std::string> served;  // clusters
  for (const rule_store::RuleState& state : states) {
    if (state.is_in_service()) served.insert(state.cluster_id);
  }
  for (const rule_store::RuleState& state : states) {
    if (state.is_pinned) {
      summary->pinned.push_back({state.site, state.rule_id, state.why});
    }
    if (state.is_missed && served.count(state.cluster_id) == 0) {
      summary->missed.push_back(
          {state.site, state.rule_id,
           StrCat(state.why, " (since ", state.since, "); it is back when ",
                  state.back_when)});
    }
    for (const rule_store::SwitchedOff& off : state.switched_off) {
      summary->switched_off.push_back(
          {state.site, state.rule_id, off.attribute, off.since, off.why});
    }
  }
}

// Returns the version that serves, made if need be.
absl::StatusOr<std::string> ServingVersion(
    rule_store::RuleStore* store, const PublishFlags& flags,
    const std::string& base, const rule_store::RulesBefore& before,
    const rule_store::NextRules& next) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store->Current());
  const bool same = rule_store::AreSame(next.content, before.content) &&
                    next.losses == before.losses;
  if (same && base.empty() && current.empty()) return std::string();
  if (same && !base.empty()) {
    if (current != base) TROMMEL_RETURN_IF_ERROR(store->Serve(base));
    return base;
  }
  rule_store::VersionInfo info;
  info.date = flags.date;
  info.base = base;
  info.why = Why(flags, next);
  info.learnt = next.learnt;
  info.cluster_dates = next.cluster_dates;
  info.losses = next.losses;
  TROMMEL_ASSIGN_OR_RETURN(info, store->Publish(info, next.content));
  return info.version;
}

summaries::Publish Summarize(const rule_store::RuleStore& store,
                             const PublishFlags& flags,
                             const std::string& version,
                             const std::string& base,
                             const rule_store::NextRules& next) {
  summaries::Publish summary;
  summary.store = store.folder().name;
  summary.date = flags.date;
  summary.version = version;
  summary.base = base;
  summary.rules = next.content.rules.rule_size();
  summary.learnt = next.num_learnt;
  summary.reused = next.num_reused;
  summary.probation = next.content.probation.rule_size();
  summary.withheld = Summarize(next.withheld);
  summary.withdrawn = Summarize(next.withdrawn);
  summary.restored = Summarize(next.restored);
  SummarizeStates(next.content.states, &summary);
  for (const rule_store::AttributeMove& move : next.attributes) {
    summary.attributes.push_back(
        {move.site, move.rule_id, move.attribute, move.is_off, move.reason});
  }
  return summary;
}

std::string Text(const summaries::Publish& summary) {
  std::string text;
  StrAppend(&text,
            summary.version.empty() ? std::string("no rules yet")
            : summary.version == summary.base
                ? StrCat(summary.version, " stays in service")
                : StrCat(summary.version, " is in service"),
            ": ", Counted(summary.rules, "rule"), "; ", summary.learnt,
            " learnt, ", summary.reused, " reused, ", summary.restored.size(),
            " restored, ", summary.withdrawn.size(), " withdrawn, ",
            summary.withheld.size(), " withheld; ", summary.probation,
            " on probation\n");
  for (const auto& [what, rules] : {std::pair("restored", &summary.restored),
                                    std::pair("withdrawn", &summary.withdrawn),
                                    std::pair("withheld", &summary.withheld),
                                    std::pair("pinned", &summary.pinned)}) {
    for (const summaries::Publish::RuleMove& rule : *rules) {
      StrAppend(&text, what, ": ", rule.rule_id, " of ", rule.site, ": ",
                rule.reason, "\n");
    }
  }
  for (const summaries::Publish::AttributeMove& move : summary.attributes) {
    StrAppend(&text, "switched ", move.is_off ? "off" : "on", ": ",
              move.attribute, " of ", move.rule_id, " of ", move.site, ": ",
              move.reason, "\n");
  }
  return text;
}

}  // namespace

absl::StatusOr<cli::Report> PublishNight(rule_store::RuleStore* store,
                                         const PublishFlags& flags) {
  TROMMEL_ASSIGN_OR_RETURN(
      const std::string base,
      flags.date.empty() ? store->Current() : store->BaseOf(flags.date));
  rule_store::RulesBefore before;
  TROMMEL_ASSIGN_OR_RETURN(before.content, store->Content(base));
  rule::SortRules(&before.content.rules);
  TROMMEL_ASSIGN_OR_RETURN(const std::string latest, store->LatestDate());
  std::string version = base;
  rule_store::NextRules next;
  if (!flags.date.empty() && flags.date < latest) {
    // Rules move forward only.
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<rule_store::DateRecord> record,
                             store->RecordOf(flags.date));
    if (record.has_value()) version = record->version;
    next.content = before.content;
  } else {
    if (!base.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                               store->Info(base));
      before.learnt = info.learnt;
      before.cluster_dates = info.cluster_dates;
      before.losses = info.losses;
    }
    TROMMEL_ASSIGN_OR_RETURN(const rule_store::NightFindings findings,
                             ReadFindings(flags));
    next = rule_store::MakeNextRules(before, findings);
    TROMMEL_ASSIGN_OR_RETURN(version,
                             ServingVersion(store, flags, base, before, next));
  }
  if (!flags.date.empty()) {
    TROMMEL_RETURN_IF_ERROR(store->RecordDate({flags.date, version, base}));
  }

  cli::Report report;
  const summaries::Publish summary =
      Summarize(*store, flags, version, base, next);
  *report.json = ToJson(summary);
  report.text = Text(summary);
  return report;
}

}  // namespace trommel::jobs::rules
