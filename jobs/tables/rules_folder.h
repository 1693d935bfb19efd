#ifndef TROMMEL_JOBS_TABLES_RULES_FOLDER_H_
#define TROMMEL_JOBS_TABLES_RULES_FOLDER_H_

// The output of `trommel learn`, and part of that of `trommel reuse`.
//
//   rules.binpb      all rules (proto/rule.proto); the only file that is read
//   rules.textproto  the same for people
//   status.jsonl     a line for each cluster:
//     {"site":…,"cluster_id":…,"status":…,"next_url":…,"annotated_pages":…,
//      "reused_from":…,"reason":…}
//
// Rules and lines stand by site and cluster_id.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/json_fields.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::tables {

inline constexpr char kRulesTextFile[] = "rules.textproto";
inline constexpr char kStatusFile[] = "status.jsonl";

// A line of status.jsonl. Empty texts are null there.
struct ClusterStatus {
  std::string site;
  std::string cluster_id;
  std::string status;  // "done", "needs_annotation", "failed" or "ignored"
  std::string next_url;
  int64_t annotated_pages = 0;
  std::string reused_from;
  std::string reason;

  void VisitFields(JsonFields* fields);
};

// Without its end.
std::string FormatClusterStatus(const ClusterStatus& status);

// The lines of status.jsonl in a folder, or beside a file, of rules; none where
// there is no such file. InvalidArgument names the line that is none, and why.
absl::StatusOr<std::vector<ClusterStatus>> ReadClusterStatuses(
    const io::Path& rules_file);

// Writes the three files (kRulesFile is the first), in the order of sites and
// clusters.
absl::StatusOr<std::vector<io::ShardInfo>> WriteRulesFolder(
    const io::Path& folder, proto::RuleSet* rules,
    std::vector<ClusterStatus>* statuses);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_RULES_FOLDER_H_
