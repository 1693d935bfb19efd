#include "jobs/summaries/publish.h"

#include <optional>
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
  for (const std::string* const monitored :
       {&flags.monitored, &flags.checked}) {
    if (monitored->empty()) continue;
    TROMMEL_ASSIGN_OR_RETURN(const io::Path folder,
                             io::ResolvePath(*monitored));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<tables::RuleVerdictRow> verdicts,
                             tables::ReadRuleVerdicts(folder));
    for (const tables::RuleVerdictRow& rule : verdicts) {
      if (rule.is_broken() && rule.extracts_wrongly()) {
        findings.broken.insert(rule.rule_id);
      }
    }
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
  add(static_cast<int64_t>(next.withdrawn.size()), "withdrawn");
  return why;
}

std::vector<summaries::Publish::OutOfService> Summarize(
    const std::vector<rule_store::RuleOutOfService>& rules) {
  std::vector<summaries::Publish::OutOfService> summary;
  for (const rule_store::RuleOutOfService& rule : rules) {
    summary.push_back({rule.site, rule.rule_id, rule.reason});
  }
  return summary;
}

// Returns the version that serves, made if need be.
absl::StatusOr<std::string> ServingVersion(
    rule_store::RuleStore* store, const PublishFlags& flags,
    const std::string& base, const rule_store::RulesBefore& before,
    const rule_store::NextRules& next) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store->Current());
  const bool same =
      rule::EncodeRules(next.rules) == rule::EncodeRules(before.found.rules) &&
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
  TROMMEL_ASSIGN_OR_RETURN(info,
                           store->Publish(info, next.rules, next.statuses));
  return info.version;
}

}  // namespace

absl::StatusOr<cli::Report> PublishNight(rule_store::RuleStore* store,
                                         const PublishFlags& flags) {
  TROMMEL_ASSIGN_OR_RETURN(
      const std::string base,
      flags.date.empty() ? store->Current() : store->BaseOf(flags.date));
  TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet base_rules, store->Rules(base));
  rule::SortRules(&base_rules);
  TROMMEL_ASSIGN_OR_RETURN(const std::string latest, store->LatestDate());
  std::string version = base;
  rule_store::NextRules next;
  if (!flags.date.empty() && flags.date < latest) {
    // Rules move forward only.
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<rule_store::DateRecord> record,
                             store->RecordOf(flags.date));
    if (record.has_value()) version = record->version;
    next.rules = base_rules;
  } else {
    rule_store::RulesBefore before;
    before.found.rules = base_rules;
    TROMMEL_ASSIGN_OR_RETURN(before.found.statuses, store->Statuses(base));
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
  summaries::Publish summary;
  summary.store = store->folder().name;
  summary.date = flags.date;
  summary.version = version;
  summary.base = base;
  summary.rules = next.rules.rule_size();
  summary.learnt = next.num_learnt;
  summary.reused = next.num_reused;
  summary.withheld = Summarize(next.withheld);
  summary.withdrawn = Summarize(next.withdrawn);
  *report.json = ToJson(summary);
  StrAppend(&report.text,
            version.empty()   ? std::string("no rules yet")
            : version == base ? StrCat(version, " stays in service")
                              : StrCat(version, " is in service"),
            ": ", Counted(next.rules.rule_size(), "rule"), "; ",
            next.num_learnt, " learnt, ", next.num_reused, " reused, ",
            next.withdrawn.size(), " withdrawn, ", next.withheld.size(),
            " withheld\n");
  for (const auto* const rules : {&next.withdrawn, &next.withheld}) {
    for (const rule_store::RuleOutOfService& rule : *rules) {
      StrAppend(&report.text,
                rules == &next.withdrawn ? "withdrawn: " : "withheld: ",
                rule.rule_id, " of ", rule.site, ": ", rule.reason, "\n");
    }
  }
  return report;
}

}  // namespace trommel::jobs::rules
