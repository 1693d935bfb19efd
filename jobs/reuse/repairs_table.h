#ifndef TROMMEL_JOBS_REUSE_REPAIRS_TABLE_H_
#define TROMMEL_JOBS_REUSE_REPAIRS_TABLE_H_

// What came of repairing rules, before their field test:
//
//   cluster_id       string, of the new cluster
//   old_cluster_id   string, of the rule that broke
//   rule             binary, a proto::Rule for the new cluster; null: none
//   reason           string, for people

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "proto/rule.pb.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::reuse_job {

struct Repair {
  std::string cluster_id;
  std::string old_cluster_id;
  std::optional<proto::Rule> rule;
  std::string reason;
};

std::shared_ptr<arrow::Schema> RepairsSchema();
absl::Status WriteRepair(const Repair& repair, io::RowWriter* table);
// By new cluster.
absl::StatusOr<std::map<std::string, Repair>> ReadRepairs(
    const io::Path& table);

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_REPAIRS_TABLE_H_
