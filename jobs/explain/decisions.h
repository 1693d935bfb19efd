#ifndef TROMMEL_JOBS_EXPLAIN_DECISIONS_H_
#define TROMMEL_JOBS_EXPLAIN_DECISIONS_H_

// What `trommel reuse` decided, for people.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/tables/decisions_table.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::explain {

// The decisions in the folders of these files of rules; none where rules were
// not written by `reuse`.
absl::StatusOr<std::vector<tables::DecisionRow>> ReadDecisions(
    const std::vector<io::Path>& rule_files);

// The decision on a cluster; of an old one that no new one is called like, that
// on what became of it. NotFound says what there is.
absl::StatusOr<tables::DecisionRow> FindDecision(
    const std::vector<tables::DecisionRow>& decisions,
    std::string_view cluster_id);

void AppendDecision(const tables::DecisionRow& decision, std::string* text);
nlohmann::ordered_json DecisionAsJson(const tables::DecisionRow& decision);

// The clusters of a site that are without a rule, for a page that has none.
void AppendClustersWithoutRule(
    const std::vector<tables::DecisionRow>& decisions, std::string_view site,
    std::string* text);

}  // namespace trommel::jobs::explain

#endif  // TROMMEL_JOBS_EXPLAIN_DECISIONS_H_
