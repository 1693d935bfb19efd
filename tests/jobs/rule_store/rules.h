#ifndef TROMMEL_TESTS_JOBS_RULE_STORE_RULES_H_
#define TROMMEL_TESTS_JOBS_RULE_STORE_RULES_H_

#include <string>
#include <vector>

#include "proto/rule.pb.h"

namespace trommel::testing_support {

// A rule with one attribute.
inline proto::Rule MakeRule(const std::string& site,
                            const std::string& cluster_id,
                            const std::string& xpath, bool valid = true) {
  proto::Rule rule;
  rule.set_site(site);
  rule.set_cluster_id(cluster_id);
  rule.mutable_schema()->set_name("movie");
  rule.mutable_schema()->add_attribute()->set_name("title");
  proto::AttributeRule* const attribute =
      rule.mutable_program()->mutable_fields()->add_attribute();
  attribute->set_name("title");
  attribute->add_alternative()->set_xpath(xpath);
  rule.mutable_validity()->set_valid(valid);
  rule.mutable_validity()->set_precision(valid ? 1 : 0.5);
  return rule;
}

inline proto::RuleSet MakeRules(const std::vector<proto::Rule>& rules) {
  proto::RuleSet set;
  for (const proto::Rule& rule : rules) *set.add_rule() = rule;
  return set;
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_JOBS_RULE_STORE_RULES_H_
