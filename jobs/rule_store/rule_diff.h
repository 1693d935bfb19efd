#ifndef TROMMEL_JOBS_RULE_STORE_RULE_DIFF_H_
#define TROMMEL_JOBS_RULE_STORE_RULE_DIFF_H_

#include <string>
#include <vector>

#include "proto/rule.pb.h"

namespace trommel::jobs::rule_store {

// How one attribute of a rule differs. Empty where it has none.
struct AttributeChange {
  std::string attribute;
  std::vector<std::string> before;  // the XPaths, in the order they are tried
  std::vector<std::string> after;
};

// How the rule of a cluster differs between two sets.
struct RuleChange {
  std::string site;
  std::string cluster_id;
  std::string before;  // its rule_id; empty: the rule is new
  std::string after;   // empty: the rule is gone
  std::vector<AttributeChange> attributes;
};

// Returns the changes by site and cluster. Rules with the same rule_id do not
// differ. A rule that differs with the same XPaths (another URL pattern, say)
// has no attributes.
std::vector<RuleChange> DiffRules(const proto::RuleSet& before,
                                  const proto::RuleSet& after);

}  // namespace trommel::jobs::rule_store

#endif  // TROMMEL_JOBS_RULE_STORE_RULE_DIFF_H_
