#include "jobs/reuse/repairs_table.h"

#include <arrow/type.h>

#include <utility>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::reuse_job {

std::shared_ptr<arrow::Schema> RepairsSchema() {
  return arrow::schema({arrow::field("cluster_id", arrow::utf8(), false),
                        arrow::field("old_cluster_id", arrow::utf8(), false),
                        arrow::field("rule", arrow::binary()),
                        arrow::field("reason", arrow::utf8(), false)});
}

absl::Status WriteRepair(const Repair& repair, io::RowWriter* table) {
  table->Text(repair.cluster_id).Text(repair.old_cluster_id);
  if (repair.rule.has_value()) {
    table->Bytes(repair.rule->SerializeAsString());
  } else {
    table->Null();
  }
  table->Text(repair.reason);
  return table->EndRow();
}

absl::StatusOr<std::map<std::string, Repair>> ReadRepairs(
    const io::Path& table) {
  std::map<std::string, Repair> repairs;
  const auto add = [&](const io::Row& row) -> absl::Status {
    Repair repair;
    repair.cluster_id = row.bytes(0);
    repair.old_cluster_id = row.bytes(1);
    repair.reason = row.bytes(3);
    const std::string_view bytes = row.bytes(2);
    if (!row.is_null(2) && !repair.rule.emplace().ParseFromArray(
                               bytes.data(), static_cast<int>(bytes.size()))) {
      return absl::DataLossError(
          StrCat("the rule of cluster ", repair.cluster_id, " cannot be read"));
    }
    std::string cluster_id = repair.cluster_id;
    repairs.emplace(std::move(cluster_id), std::move(repair));
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(
      io::VisitRows(table,
                    {{"cluster_id", io::ColumnType::kBytes},
                     {"old_cluster_id", io::ColumnType::kBytes},
                     {"rule", io::ColumnType::kBytes},
                     {"reason", io::ColumnType::kBytes}},
                    add));
  return repairs;
}

}  // namespace trommel::jobs::reuse_job
