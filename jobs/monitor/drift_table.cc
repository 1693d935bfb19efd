#include "jobs/monitor/drift_table.h"

#include <arrow/type.h>

#include <utility>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::monitor_job {
namespace {

constexpr size_t kTopShapes = 5;
constexpr double kQuantiles[] = {0.1, 0.5, 0.9};

void WriteLengths(const monitor::ValueSummary& summary, io::RowWriter* table) {
  table->BeginList();
  for (const double quantile : kQuantiles) {
    table->Int64(summary.LengthQuantile(quantile));
  }
  table->EndList();
}

}  // namespace

std::shared_ptr<arrow::Schema> DriftSchema() {
  const auto text = [](const char* name) {
    return arrow::field(name, arrow::utf8(), false);
  };
  const auto number = [](const char* name) {
    return arrow::field(name, arrow::int64(), false);
  };
  const auto real = [](const char* name) {
    return arrow::field(name, arrow::float64(), false);
  };
  const auto lengths = [](const char* name) {
    return arrow::field(name, arrow::list(arrow::int64()), false);
  };
  return arrow::schema(
      {text("site"),
       text("schema"),
       text("attribute"),
       number("records_before"),
       number("records_after"),
       number("filled_before"),
       number("filled_after"),
       real("fill_probability"),
       text("shapes_before"),
       text("shapes_after"),
       real("shape_distance"),
       real("shape_noise"),
       lengths("lengths_before"),
       lengths("lengths_after"),
       real("length_distance"),
       real("length_noise"),
       real("distinct_before"),
       real("distinct_after"),
       real("distinct_noise"),
       text("state"),
       arrow::field("reasons", arrow::list(arrow::utf8()), false)});
}

absl::Status WriteDrift(const std::string& site, const std::string& schema,
                        const std::string& attribute,
                        const monitor::ValueSummary& before,
                        const monitor::ValueSummary& after,
                        const monitor::Drift& drift, io::RowWriter* table) {
  table->Text(site).Text(schema).Text(attribute);
  table->Int64(before.records).Int64(after.records);
  table->Int64(before.filled).Int64(after.filled);
  table->Double(drift.fill_probability);
  table->Text(before.TopShapes(kTopShapes)).Text(after.TopShapes(kTopShapes));
  table->Double(drift.shape.distance).Double(drift.shape.noise);
  WriteLengths(before, table);
  WriteLengths(after, table);
  table->Double(drift.length.distance).Double(drift.length.noise);
  table->Double(drift.distinct_before).Double(drift.distinct_after);
  table->Double(drift.distinct.noise);
  table->Text(monitor::DriftStateName(drift.state)).Texts(drift.reasons);
  return table->EndRow();
}

absl::Status ReadDrift(const io::Path& table,
                       const std::function<void(DriftRow)>& visit) {
  enum Column : size_t {
    kSite,
    kSchema,
    kAttribute,
    kRecordsBefore,
    kRecordsAfter,
    kFilledBefore,
    kFilledAfter,
    kShapesBefore,
    kShapesAfter,
    kState,
    kReasons,
  };
  return io::VisitRows(
      table,
      {{"site", io::ColumnType::kBytes},
       {"schema", io::ColumnType::kBytes},
       {"attribute", io::ColumnType::kBytes},
       {"records_before", io::ColumnType::kInt64},
       {"records_after", io::ColumnType::kInt64},
       {"filled_before", io::ColumnType::kInt64},
       {"filled_after", io::ColumnType::kInt64},
       {"shapes_before", io::ColumnType::kBytes},
       {"shapes_after", io::ColumnType::kBytes},
       {"state", io::ColumnType::kBytes},
       {"reasons", io::ColumnType::kBytesList}},
      [&](const io::Row& row) {
        DriftRow drift;
        drift.site = row.bytes(kSite);
        drift.schema = row.bytes(kSchema);
        drift.attribute = row.bytes(kAttribute);
        drift.records_before = row.int64(kRecordsBefore);
        drift.records_after = row.int64(kRecordsAfter);
        drift.filled_before = row.int64(kFilledBefore);
        drift.filled_after = row.int64(kFilledAfter);
        drift.shapes_before = row.bytes(kShapesBefore);
        drift.shapes_after = row.bytes(kShapesAfter);
        drift.state = row.bytes(kState);
        for (int64_t i = 0; i < row.list_size(kReasons); ++i) {
          drift.reasons.emplace_back(row.list_bytes(kReasons, i));
        }
        visit(std::move(drift));
        return absl::OkStatus();
      });
}

}  // namespace trommel::jobs::monitor_job
