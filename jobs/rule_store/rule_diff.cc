#include "jobs/rule_store/rule_diff.h"

#include <map>
#include <set>
#include <utility>

#include "core/base/strings.h"
#include "core/rule/program_registry.h"
#include "core/rule/rule.h"

namespace trommel::jobs::rule_store {
namespace {

using RulesByCluster =
    std::map<std::pair<std::string, std::string>, const proto::Rule*>;

RulesByCluster ByCluster(const proto::RuleSet& rules) {
  RulesByCluster result;
  for (const proto::Rule& rule : rules.rule()) {
    result[{rule.site(), rule.cluster_id()}] = &rule;
  }
  return result;
}

// The parts of a rule's program as people are told of them, by attribute.
using PartsByAttribute = std::map<std::string, std::vector<std::string>>;

PartsByAttribute PartsOf(const proto::Rule* rule) {
  PartsByAttribute parts;
  if (rule == nullptr) return parts;
  const absl::StatusOr<std::unique_ptr<rule::PageExtractor>> extractor =
      rule::CompileRule(*rule);
  // A rule that does not compile has no parts that one could tell of; that it
  // is another is seen by its id.
  if (!extractor.ok()) return parts;
  for (rule::ProgramPart& part : (*extractor)->Describe().parts) {
    parts[part.attribute].push_back(std::move(part.text));
  }
  return parts;
}

RuleChange Compare(const proto::Rule* before, const proto::Rule* after) {
  const proto::Rule& any = before != nullptr ? *before : *after;
  RuleChange change;
  change.site = any.site();
  change.cluster_id = any.cluster_id();
  if (before != nullptr) change.before = rule::RuleId(*before);
  if (after != nullptr) change.after = rule::RuleId(*after);
  PartsByAttribute old = PartsOf(before);
  PartsByAttribute now = PartsOf(after);
  std::set<std::string> names;
  for (const auto& [name, xpaths] : old) names.insert(name);
  for (const auto& [name, xpaths] : now) names.insert(name);
  for (const std::string& name : names) {
    if (old[name] == now[name]) continue;
    change.attributes.push_back({name, old[name], now[name]});
  }
  return change;
}

}  // namespace

std::vector<RuleChange> DiffRules(const proto::RuleSet& before,
                                  const proto::RuleSet& after) {
  const RulesByCluster old = ByCluster(before);
  const RulesByCluster now = ByCluster(after);
  RulesByCluster all = old;
  all.insert(now.begin(), now.end());
  std::vector<RuleChange> changes;
  for (const auto& [cluster, any] : all) {
    const auto was = old.find(cluster);
    const auto is = now.find(cluster);
    RuleChange change = Compare(was == old.end() ? nullptr : was->second,
                                is == now.end() ? nullptr : is->second);
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace trommel::jobs::rule_store
