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

// Returns what is known of each cluster when one has gone back to what it was.
void ReplaceStatus(std::vector<tables::ClusterStatus>* statuses,
                   const std::string& cluster_id,
                   const std::vector<tables::ClusterStatus>& older) {
  const auto is_of_cluster = [&](const tables::ClusterStatus& status) {
    return status.cluster_id == cluster_id;
  };
  std::erase_if(*statuses, is_of_cluster);
  std::copy_if(older.begin(), older.end(), std::back_inserter(*statuses),
               is_of_cluster);
}

void ReplaceCluster(proto::RuleSet* rules, const std::string& cluster_id,
                    const proto::Rule* by) {
  proto::RuleSet result;
  for (const proto::Rule& rule : rules->rule()) {
    if (rule.cluster_id() != cluster_id) *result.add_rule() = rule;
  }
  if (by != nullptr) *result.add_rule() = *by;
  *rules = std::move(result);
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
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet now, store->Rules(current));
  std::string target = to;
  TROMMEL_ASSIGN_OR_RETURN(proto::RuleSet older, store->Rules(target));
  std::string cluster_id;
  if (!rule.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(cluster_id,
                             ClusterOf(rule, current, now, to, older));
  }
  if (to.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(target,
                             LastThatDiffers(*store, current, now, cluster_id));
    TROMMEL_ASSIGN_OR_RETURN(older, store->Rules(target));
  }
  proto::RuleSet rules = older;
  if (!rule.empty()) {
    rules = now;
    ReplaceCluster(&rules, cluster_id, FindCluster(older, cluster_id));
  }
  const std::vector<rule_store::RuleChange> changes =
      rule_store::DiffRules(now, rules);
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
  TROMMEL_ASSIGN_OR_RETURN(std::vector<tables::ClusterStatus> statuses,
                           store->Statuses(target));
  if (!rule.empty()) {
    const std::vector<tables::ClusterStatus> then = std::move(statuses);
    TROMMEL_ASSIGN_OR_RETURN(statuses, store->Statuses(current));
    ReplaceStatus(&statuses, cluster_id, then);
  }
  TROMMEL_ASSIGN_OR_RETURN(info,
                           store->Publish(info, rules, std::move(statuses)));

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
