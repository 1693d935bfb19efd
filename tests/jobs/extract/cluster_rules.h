#ifndef TROMMEL_TESTS_JOBS_EXTRACT_CLUSTER_RULES_H_
#define TROMMEL_TESTS_JOBS_EXTRACT_CLUSTER_RULES_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "jobs/tables/clusters_table.h"
#include "proto/rule.pb.h"

namespace trommel::testing_support {

// XPaths by attribute, the alternatives in order.
using AttributePaths = std::map<std::string, std::vector<std::string>>;

// Rules for the clusters of a table, all with the same XPaths: what learning
// makes, without learning.
inline absl::Status AddClusterRules(
    const io::Path& clusters, const proto::Schema& schema,
    const AttributePaths& paths,
    const std::function<bool(const jobs::tables::ClusterRow& cluster)>& wanted,
    proto::RuleSet* rules) {
  return jobs::tables::VisitClusters(
      clusters, [&](jobs::tables::ClusterRow cluster) {
        if (!wanted(cluster)) return absl::OkStatus();
        proto::Rule* const rule = rules->add_rule();
        rule->set_site(cluster.site);
        rule->set_cluster_id(cluster.cluster_id);
        rule->set_site_key(cluster.site_key);
        rule->set_shingle_length(cluster.shingle_length);
        rule->set_importance(cluster.tmpl.Importance());
        rule->set_url_regex(cluster.url_regex);
        for (const cluster::Signature& signature : cluster.tmpl.signatures) {
          proto::Signature* const added = rule->add_signature();
          added->set_signature(signature.vector.Text());
          added->set_importance(signature.importance);
        }
        if (cluster.tmpl.sketch.has_value()) {
          rule->set_sketch(cluster.tmpl.sketch->Encode());
        }
        *rule->mutable_schema() = schema;
        for (const auto& [attribute, alternatives] : paths) {
          proto::AttributeRule* const added =
              rule->mutable_program()->mutable_fields()->add_attribute();
          added->set_name(attribute);
          for (const std::string& xpath : alternatives) {
            added->add_alternative()->set_xpath(xpath);
          }
        }
        return absl::OkStatus();
      });
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_JOBS_EXTRACT_CLUSTER_RULES_H_
