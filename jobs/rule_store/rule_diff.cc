#include "jobs/rule_store/rule_diff.h"

#include <map>
#include <set>
#include <utility>

#include "core/base/strings.h"
#include "core/rule/rule.h"

namespace trommel {
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

// Returns an alternative as a person tells it from another.
std::string Describe(const proto::Extractor& extractor) {
  std::string text = XPathOf(extractor);
  if (extractor.has_range()) {
    const proto::TextRange& range = extractor.range();
    StrAppend(&text, "  words ", range.first_from_end() ? "-" : "",
              range.first(), " to ", range.last_from_end() ? "-" : "",
              range.last());
  }
  if (!extractor.regex().empty()) {
    StrAppend(&text, "  matching ", extractor.regex());
  }
  if (!extractor.check().empty()) {
    StrAppend(&text, "  that has ", extractor.check());
  }
  if (extractor.has_classifier()) StrAppend(&text, "  by classifier");
  return text;
}

std::map<std::string, std::vector<std::string>> AttributesOf(
    const proto::Rule* rule) {
  std::map<std::string, std::vector<std::string>> attributes;
  if (rule == nullptr) return attributes;
  for (const proto::AttributeRule& attribute : rule->attribute()) {
    for (const proto::Extractor& alternative : attribute.alternative()) {
      attributes[attribute.name()].push_back(Describe(alternative));
    }
  }
  return attributes;
}

RuleChange Compare(const proto::Rule* before, const proto::Rule* after) {
  const proto::Rule& any = before != nullptr ? *before : *after;
  RuleChange change;
  change.site = any.site();
  change.cluster_id = any.cluster_id();
  if (before != nullptr) change.before = RuleId(*before);
  if (after != nullptr) change.after = RuleId(*after);
  std::map<std::string, std::vector<std::string>> old = AttributesOf(before);
  std::map<std::string, std::vector<std::string>> now = AttributesOf(after);
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

}  // namespace trommel
