#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_diff.h"
#include "jobs/rules/actions.h"

namespace trommel::jobs::rules {
namespace {

const proto::Rule* FindCluster(const proto::RuleSet& rules,
                               const std::string& cluster_id) {
  for (const proto::Rule& rule : rules.rule()) {
    if (rule.cluster_id() == cluster_id) return &rule;
  }
  return nullptr;
}

// Returns what says that two versions treat a cluster alike; empty: it has no
// rule.
std::string IdIn(const proto::RuleSet& rules, const std::string& cluster_id) {
  const proto::Rule* const rule = FindCluster(rules, cluster_id);
  return rule == nullptr ? std::string() : rule::RuleId(*rule);
}

// Returns the cluster that a rule_id, or cluster_id, speaks of. The rule is in
// service, or in the version to go back to.
absl::StatusOr<std::string> ClusterOf(const std::string& id,
                                      const std::string& current,
                                      const proto::RuleSet& now,
                                      const std::string& to,
                                      const proto::RuleSet& older) {
  const std::string cluster_id = id.substr(0, id.find('@'));
  const std::string id_now = IdIn(now, cluster_id);
  const std::string id_then = IdIn(older, cluster_id);
  if (id_now.empty() && id_then.empty()) {
    return absl::NotFoundError(StrCat(
        "--rule=", Printable(id), ": ", current,
        ", which is in service, has no rule for that cluster",
        to.empty() ? "; one that was withdrawn comes back with --to=VERSION"
                   : StrCat(", and ", to, " has none either")));
  }
  if (id != cluster_id && id != id_now && id != id_then) {
    return absl::NotFoundError(StrCat(
        "--rule=", Printable(id), ": ", current, ", which is in service, has ",
        id_now.empty() ? "none" : id_now, " for that cluster",
        id_then.empty() ? "" : StrCat(", and ", to, " has ", id_then)));
  }
  return cluster_id;
}

// Returns the last version in service before the current one that treats the
// cluster (or, without one, any cluster) otherwise; empty when there was none.
absl::StatusOr<std::string> LastThatDiffers(const rule_store::RuleStore& store,
                                            const std::string& current,
                                            const proto::RuleSet& now,
                                            const std::string& cluster_id) {
  TROMMEL_ASSIGN_OR_RETURN(rule_store::VersionInfo info, store.Info(current));
  while (!info.previous.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(info, store.Info(info.previous));
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules,
                             store.Rules(info.version));
    if (cluster_id.empty() ? !rule_store::DiffRules(now, rules).empty()
                           : IdIn(rules, cluster_id) != IdIn(now, cluster_id)) {
      return info.version;
    }
  }
  return std::string();
}

// Takes of a cluster what an older version has of it, its rule on probation
// included.
void ReplaceCluster(rule_store::StoredRules* content,
                    const std::string& cluster_id,
                    const rule_store::StoredRules& older) {
  const auto replace_rules = [&](const proto::RuleSet& from,
                                 proto::RuleSet* to) {
    proto::RuleSet result;
    for (const proto::Rule& rule : to->rule()) {
      if (rule.cluster_id() != cluster_id) *result.add_rule() = rule;
    }
    const proto::Rule* const by = FindCluster(from, cluster_id);
    if (by != nullptr) *result.add_rule() = *by;
    *to = std::move(result);
  };
  replace_rules(older.rules, &content->rules);
  replace_rules(older.probation, &content->probation);
  const auto replace_lines = [&](const auto& from, auto* to) {
    const auto is_of_cluster = [&](const auto& line) {
      return line.cluster_id == cluster_id;
    };
    std::erase_if(*to, is_of_cluster);
    std::copy_if(from.begin(), from.end(), std::back_inserter(*to),
                 is_of_cluster);
  };
  replace_lines(older.statuses, &content->statuses);
  replace_lines(older.states, &content->states);
}

}  // namespace

absl::StatusOr<cli::Report> RollBack(rule_store::RuleStore* store,
                                     const std::string& to,
                                     const std::string& rule) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store->Current());
  if (current.empty()) {
    return absl::FailedPreconditionError(
        StrCat(store->folder().name, " has no versions; nothing to take back"));
  }
  TROMMEL_ASSIGN_OR_RETURN(rule_store::VersionInfo info, store->Info(current));
  TROMMEL_ASSIGN_OR_RETURN(rule_store::StoredRules now,
                           store->Content(current));
  std::string target = to;
  TROMMEL_ASSIGN_OR_RETURN(rule_store::StoredRules older,
                           store->Content(target));
  std::string cluster_id;
  if (!rule.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(
        cluster_id, ClusterOf(rule, current, now.rules, to, older.rules));
  }
  if (to.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(
        target, LastThatDiffers(*store, current, now.rules, cluster_id));
    TROMMEL_ASSIGN_OR_RETURN(older, store->Content(target));
  }
  const proto::RuleSet rules_now = now.rules;
  rule_store::StoredRules content = std::move(older);
  if (!rule.empty()) {
    ReplaceCluster(&now, cluster_id, content);
    content = std::move(now);
  }
  const std::vector<rule_store::RuleChange> changes =
      rule_store::DiffRules(rules_now, content.rules);
  if (changes.empty()) {
    return absl::FailedPreconditionError(StrCat(
        current, ", which is in service, has the same rules as ",
        target.empty() ? "an empty store" : target, "; nothing to take back"));
  }
  const std::string what =
      StrCat(rule.empty() ? "taken back to " : StrCat(rule, " taken back to "),
             target.empty() ? "no rules" : target);
  // What learning has given stays known, so that it does not bring back at
  // night what a person took back.
  info.date.clear();
  info.base = current;
  info.why = what;
  if (rule.empty() && !target.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo then,
                             store->Info(target));
    info.cluster_dates = then.cluster_dates;
    info.losses = then.losses;
  }
  TROMMEL_ASSIGN_OR_RETURN(info, store->Publish(info, std::move(content)));

  cli::Report report;
  nlohmann::ordered_json& json = *report.json;
  json["version"] = info.version;
  json["base"] = current;
  json["to"] = target;
  json["changed"] = changes.size();
  report.text = StrCat(
      info.version, " is in service: ", what, ", ",
      Counted(static_cast<int64_t>(changes.size()), "rule"), " differ from ",
      current, "\nsee: trommel rules diff --store=", store->folder().name, " ",
      current, " ", info.version, "\n");
  return report;
}

}  // namespace trommel::jobs::rules
