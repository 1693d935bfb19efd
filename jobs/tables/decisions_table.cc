#include "jobs/tables/decisions_table.h"

#include <arrow/type.h>

#include <utility>
#include <vector>

#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {
namespace {

// The columns in their order, as members of a row.
struct TextColumn {
  const char* name;
  std::string DecisionRow::*member;
  bool is_nullable;
};
struct CountColumn {
  const char* name;
  int64_t DecisionRow::*member;
};
constexpr TextColumn kTexts[] = {
    {"site", &DecisionRow::site, false},
    {"cluster_id", &DecisionRow::cluster_id, true},
    {"decision", &DecisionRow::decision, false},
    {"how", &DecisionRow::how, true},
    {"rule_id", &DecisionRow::rule_id, true},
    {"old_cluster_id", &DecisionRow::old_cluster_id, true},
    {"old_rule_id", &DecisionRow::old_rule_id, true},
    {"reason", &DecisionRow::reason, false},
};
constexpr CountColumn kCounts[] = {
    {"size", &DecisionRow::size},
    {"shared_urls", &DecisionRow::shared_urls},
    {"passed", &DecisionRow::passed},
    {"null", &DecisionRow::null},
    {"wrong", &DecisionRow::wrong},
    {"appeared", &DecisionRow::appeared},
    {"silent", &DecisionRow::silent},
    {"unshared", &DecisionRow::unshared},
};

}  // namespace

std::shared_ptr<arrow::Schema> DecisionsSchema() {
  std::vector<std::shared_ptr<arrow::Field>> fields;
  for (const TextColumn& column : kTexts) {
    fields.push_back(
        arrow::field(column.name, arrow::utf8(), column.is_nullable));
  }
  for (const CountColumn& column : kCounts) {
    fields.push_back(arrow::field(column.name, arrow::int64(), false));
  }
  return arrow::schema(std::move(fields));
}

absl::Status WriteDecision(const DecisionRow& decision, io::RowWriter* table) {
  for (const TextColumn& column : kTexts) {
    const std::string& text = decision.*column.member;
    if (text.empty() && column.is_nullable) {
      table->Null();
    } else {
      table->Text(text);
    }
  }
  for (const CountColumn& column : kCounts) {
    table->Int64(decision.*column.member);
  }
  return table->EndRow();
}

absl::Status VisitDecisions(
    const io::Path& table,
    const std::function<absl::Status(DecisionRow decision)>& visit) {
  std::vector<io::ColumnRequest> requests;
  for (const TextColumn& column : kTexts) {
    requests.push_back({column.name, io::ColumnType::kBytes});
  }
  for (const CountColumn& column : kCounts) {
    requests.push_back({column.name, io::ColumnType::kInt64});
  }
  return io::VisitRows(table, requests, [&](const io::Row& row) {
    DecisionRow decision;
    size_t i = 0;
    for (const TextColumn& column : kTexts) {
      decision.*column.member = row.bytes(i++);
    }
    for (const CountColumn& column : kCounts) {
      decision.*column.member = row.int64(i++);
    }
    return visit(std::move(decision));
  });
}

}  // namespace trommel::jobs::tables
