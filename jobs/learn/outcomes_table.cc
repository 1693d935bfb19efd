#include "jobs/learn/outcomes_table.h"

#include <arrow/type.h>

#include <string>
#include <utility>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::learn_job {
namespace {

// As requested: lists of structs are read field by field.
enum Column : size_t {
  kStatus,
  kRule,
  kWarningLines,
  kWarningMessages,
};

const std::vector<io::ColumnRequest>& OutcomesColumns() {
  static const auto* const columns = new std::vector<io::ColumnRequest>{
      {"status", io::ColumnType::kBytes},
      {"rule", io::ColumnType::kBytes},
      {"warnings.line", io::ColumnType::kInt64List},
      {"warnings.message", io::ColumnType::kBytesList}};
  return *columns;
}

absl::StatusOr<OutcomeRow> ReadOutcome(const io::Row& row) {
  OutcomeRow outcome;
  TROMMEL_ASSIGN_OR_RETURN(
      outcome.status, FromJsonText<tables::ClusterStatus>(row.bytes(kStatus)));
  if (!row.is_null(kRule)) {
    const std::string_view bytes = row.bytes(kRule);
    if (!outcome.rule.emplace().ParseFromArray(
            bytes.data(), static_cast<int>(bytes.size()))) {
      return absl::DataLossError(StrCat("the rule of cluster ",
                                        outcome.status.cluster_id,
                                        " cannot be read"));
    }
  }
  for (int64_t i = 0; i < row.list_size(kWarningLines); ++i) {
    outcome.warnings.push_back(
        {row.list_int64(kWarningLines, i),
         std::string(row.list_bytes(kWarningMessages, i))});
  }
  return outcome;
}

}  // namespace

std::shared_ptr<arrow::Schema> OutcomesSchema() {
  const auto warning =
      arrow::struct_({arrow::field("line", arrow::int64(), false),
                      arrow::field("message", arrow::utf8(), false)});
  return arrow::schema({
      arrow::field("status", arrow::utf8(), false),
      arrow::field("rule", arrow::binary()),
      arrow::field("warnings", arrow::list(warning), false),
  });
}

absl::Status WriteOutcome(const OutcomeRow& outcome, io::RowWriter* table) {
  table->Text(tables::FormatClusterStatus(outcome.status));
  if (outcome.rule.has_value()) {
    table->Bytes(outcome.rule->SerializeAsString());
  } else {
    table->Null();
  }
  table->BeginList();
  for (const annotation::AnnotationProblem& warning : outcome.warnings) {
    table->BeginStruct().Int64(warning.line).Text(warning.message).EndStruct();
  }
  table->EndList();
  return table->EndRow();
}

absl::Status VisitOutcomes(
    const io::Path& table,
    const std::function<absl::Status(OutcomeRow outcome)>& visit) {
  return io::VisitRows(
      table, OutcomesColumns(), [&](const io::Row& row) -> absl::Status {
        TROMMEL_ASSIGN_OR_RETURN(OutcomeRow outcome, ReadOutcome(row));
        return visit(std::move(outcome));
      });
}

}  // namespace trommel::jobs::learn_job
