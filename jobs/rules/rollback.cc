#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_diff.h"
#include "jobs/rules/actions.h"

namespace trommel {
namespace {

const proto::Rule* FindCluster(const proto::RuleSet& rules,
                               const std::string& cluster_id) {
  for (const proto::Rule& rule : rules.rule()) {
    if (rule.cluster_id() == cluster_id) return &rule;
  }
  return nullptr;
}

// What says that two versions treat a cluster alike; empty: it has no rule.
std::string IdIn(const proto::RuleSet& rules, const std::string& cluster_id) {
  const proto::Rule* const rule = FindCluster(rules, cluster_id);
  return rule == nullptr ? std::string() : RuleId(*rule);
}

// The cluster that a rule_id, or cluster_id, speaks of.
absl::StatusOr<std::string> ClusterOf(const proto::RuleSet& rules,
                                      const std::string& id,
                                      const std::string& version) {
  const std::string cluster_id = id.substr(0, id.find('@'));
  const std::string now = IdIn(rules, cluster_id);
  if (now.empty()) {
    return absl::NotFoundError(StrCat("--rule=", Printable(id), ": ", version,
                                      ", which is in service, has no rule for "
                                      "that cluster"));
  }
  if (id != cluster_id && id != now) {
    return absl::NotFoundError(StrCat("--rule=", Printable(id), ": ", version,
                                      ", which is in service, has ", now,
                                      " for that cluster"));
  }
  return cluster_id;
}

// The latest version before the current one that treats the cluster otherwise;
// empty when it has had this rule from the beginning.
absl::StatusOr<std::string> LatestThatDiffers(const RuleStore& store,
                                              const std::string& current,
                                              const std::string& cluster_id,
                                              const std::string& rule_id) {
  std::string version = current;
  while (!version.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, store.Info(version));
    version = info.base;
    TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet rules, store.Rules(version));
    if (IdIn(rules, cluster_id) != rule_id) return version;
  }
  return version;
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

absl::StatusOr<cli::Report> RollBack(RuleStore* store, const std::string& to,
                                     const std::string& rule) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store->Current());
  if (current.empty()) {
    return absl::FailedPreconditionError(
        StrCat(store->folder().name, " has no versions; nothing to take back"));
  }
  TROMMEL_ASSIGN_OR_RETURN(VersionInfo info, store->Info(current));
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet now, store->Rules(current));
  std::string target = to;
  std::string cluster_id;
  if (!rule.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(cluster_id, ClusterOf(now, rule, current));
    if (to.empty()) {
      TROMMEL_ASSIGN_OR_RETURN(target,
                               LatestThatDiffers(*store, current, cluster_id,
                                                 IdIn(now, cluster_id)));
    }
  } else if (to.empty()) {
    target = info.base;
  }
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet older, store->Rules(target));
  proto::RuleSet rules = older;
  if (!rule.empty()) {
    rules = now;
    ReplaceCluster(&rules, cluster_id, FindCluster(older, cluster_id));
  }
  const std::vector<RuleChange> changes = DiffRules(now, rules);
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
    TROMMEL_ASSIGN_OR_RETURN(const VersionInfo then, store->Info(target));
    info.cluster_dates = then.cluster_dates;
    info.losses = then.losses;
  }
  TROMMEL_ASSIGN_OR_RETURN(std::vector<ClusterStatus> statuses,
                           store->Statuses(rule.empty() ? target : current));
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

}  // namespace trommel
