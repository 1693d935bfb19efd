#ifndef TROMMEL_JOBS_LEARN_OUTCOMES_TABLE_H_
#define TROMMEL_JOBS_LEARN_OUTCOMES_TABLE_H_

// What the job of `trommel learn` hands to its driver: one row per cluster.
//
//   status     string, the cluster's line of status.jsonl
//   rule       binary, a proto::Rule; null when there is none
//   warnings   list<struct<line int64, message string>>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "core/annotation/annotation.h"
#include "jobs/tables/rules_folder.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "proto/rule.pb.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::learn_job {

struct OutcomeRow {
  tables::ClusterStatus status;
  std::optional<proto::Rule> rule;
  std::vector<annotation::AnnotationProblem> warnings;
};

std::shared_ptr<arrow::Schema> OutcomesSchema();
absl::Status WriteOutcome(const OutcomeRow& outcome, io::RowWriter* table);

// All rows of a table, file by file. Stops at the first error, also one of
// `visit`.
absl::Status VisitOutcomes(
    const io::Path& table,
    const std::function<absl::Status(OutcomeRow outcome)>& visit);

}  // namespace trommel::jobs::learn_job

#endif  // TROMMEL_JOBS_LEARN_OUTCOMES_TABLE_H_
