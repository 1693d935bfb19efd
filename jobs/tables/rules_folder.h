#ifndef TROMMEL_JOBS_TABLES_RULES_FOLDER_H_
#define TROMMEL_JOBS_TABLES_RULES_FOLDER_H_

// The output of `trommel learn`, and part of that of `trommel reuse`.
//
//   rules.binpb      all rules (proto/rule.proto); the only file that is read
//   rules.textproto  the same for people
//   status.jsonl     a line for each cluster:
//     {"site":…,"cluster_id":…,"status":…,"next_url":…,"next_attribute":…,
//      "annotated_pages":…,"reused_from":…,"reason":…,
//      "doubts":[{"attribute":…,"url":…,"weight":…,"text":…}],
//      "fill":{ATTRIBUTE:…},"examples":{ATTRIBUTE:[…]}}
//
// Rules and lines stand by site and cluster_id.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/json_fields.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::tables {

inline constexpr char kRulesTextFile[] = "rules.textproto";
inline constexpr char kStatusFile[] = "status.jsonl";

struct StatusDoubt {
  std::string attribute;
  std::string url;
  double weight = 0;  // two digits after the point
  std::string text;

  TROMMEL_JSON_FIELDS(attribute, url, weight, text);
};

// A line of status.jsonl. Empty texts are null there. As
// learn::ClusterOutcome has it; lines of former days lack next_attribute and
// what follows `reason`.
struct ClusterStatus {
  std::string site;
  std::string cluster_id;
  std::string status;  // "done", "needs_annotation", "failed" or "ignored"
  std::string next_url;
  std::string next_attribute;
  int64_t annotated_pages = 0;
  std::string reused_from;
  std::string reason;
  std::vector<StatusDoubt> doubts;
  // By attribute. Four digits after the point.
  std::vector<std::pair<std::string, double>> fill;
  std::vector<std::pair<std::string, std::vector<std::string>>> examples;

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
