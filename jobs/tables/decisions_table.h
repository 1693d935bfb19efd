#ifndef TROMMEL_JOBS_TABLES_DECISIONS_TABLE_H_
#define TROMMEL_JOBS_TABLES_DECISIONS_TABLE_H_

// The table decisions/ of `trommel reuse`: what became of each new cluster, and
// of the rules that no new cluster has.
//
//   site             string
//   cluster_id       string, of the new cluster; null for a rule that is
//                    retired
//   decision         string: "reused", "repaired", "annotate", "ignored";
//                    "carried_over" for rules that were not looked at, and
//                    "retired" for those whose cluster is gone
//   how              string, how the old cluster was found: "cluster_match",
//                    "page_match", "page_match_by_sketch" or "field_test"; null
//                    where no rule goes on
//   rule_id          string, of the rule that the cluster has now; null: none
//   old_cluster_id   string or null
//   old_rule_id      string or null, of the rule that goes on or was tried
//   reason           string, for people
//   size             int64, pages of the cluster in the new crawl
//   shared_urls      int64, URLs of the cluster that were in old clusters
//   passed, null, wrong, appeared, silent
//                    int64, these by the field test (core/reuse/field_counts.h)
//   unshared         int64, the cluster's other pages that were looked at

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::tables {

// In the output of `trommel reuse`.
inline constexpr char kDecisionsFolder[] = "decisions";

// Besides those of core/reuse/decision.h.
inline constexpr std::string_view kCarriedOver = "carried_over";
inline constexpr std::string_view kRetired = "retired";

// Empty texts are null in the table.
struct DecisionRow {
  std::string site;
  std::string cluster_id;
  int64_t size = 0;
  std::string decision;
  std::string how;
  std::string rule_id;
  std::string old_cluster_id;
  std::string old_rule_id;
  int64_t shared_urls = 0;
  int64_t passed = 0;
  int64_t null = 0;
  int64_t wrong = 0;
  int64_t appeared = 0;
  int64_t silent = 0;
  int64_t unshared = 0;
  std::string reason;
};

std::shared_ptr<arrow::Schema> DecisionsSchema();
absl::Status WriteDecision(const DecisionRow& decision, io::RowWriter* table);

// All rows of a table, file by file. Stops at the first error, also one of
// `visit`.
absl::Status VisitDecisions(
    const io::Path& table,
    const std::function<absl::Status(DecisionRow decision)>& visit);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_DECISIONS_TABLE_H_
