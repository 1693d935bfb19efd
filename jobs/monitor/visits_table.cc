#include "jobs/monitor/visits_table.h"

#include <arrow/type.h>

#include <utility>
#include <vector>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::monitor_job {
namespace {

// As requested.
enum Column : size_t {
  kClusterId,
  kUrl,
  kFetchTime,
  kContentDigest,
  kProblem,
  kPlacedBy,
  kExtraction,
  kIsFresh,
};

absl::StatusOr<Visit> ReadVisit(const io::Row& row) {
  Visit visit;
  visit.cluster_id = row.bytes(kClusterId);
  visit.url = row.bytes(kUrl);
  if (!row.is_null(kFetchTime)) visit.fetch_time_us = row.int64(kFetchTime);
  visit.content_digest = row.bytes(kContentDigest);
  visit.problem = row.bytes(kProblem);
  if (!row.is_null(kPlacedBy)) {
    visit.placed_by = row.bytes(kPlacedBy) == cluster::PlacedByName(
                                                  cluster::PlacedBy::kSignature)
                          ? cluster::PlacedBy::kSignature
                          : cluster::PlacedBy::kSketch;
  }
  const std::string_view bytes = row.bytes(kExtraction);
  if (!visit.extraction.ParseFromArray(bytes.data(),
                                       static_cast<int>(bytes.size()))) {
    return absl::DataLossError("a visit's extraction cannot be read");
  }
  visit.is_fresh = row.int64(kIsFresh) != 0;
  return visit;
}

}  // namespace

std::shared_ptr<arrow::Schema> VisitsSchema() {
  return arrow::schema({
      arrow::field("cluster_id", arrow::utf8(), false),
      arrow::field("url", arrow::utf8(), false),
      arrow::field("fetch_time",
                   arrow::timestamp(arrow::TimeUnit::MICRO, "UTC")),
      arrow::field("content_digest", arrow::utf8(), false),
      arrow::field("problem", arrow::utf8()),
      arrow::field("placed_by", arrow::utf8()),
      arrow::field("extraction", arrow::binary(), false),
      arrow::field("is_fresh", arrow::int64(), false),
  });
}

absl::Status WriteVisit(const Visit& visit, io::RowWriter* table) {
  table->Text(visit.cluster_id)
      .Text(visit.url)
      .TimeOrNull(visit.fetch_time_us)
      .Text(visit.content_digest)
      .TextOrNull(visit.problem);
  if (visit.placed_by.has_value()) {
    table->Text(cluster::PlacedByName(*visit.placed_by));
  } else {
    table->Null();
  }
  table->Bytes(visit.extraction.SerializeAsString())
      .Int64(visit.is_fresh ? 1 : 0);
  return table->EndRow();
}

absl::Status ReadVisits(const io::Path& table,
                        const std::function<absl::Status(Visit)>& visit) {
  return io::VisitRows(table,
                       {{"cluster_id", io::ColumnType::kBytes},
                        {"url", io::ColumnType::kBytes},
                        {"fetch_time", io::ColumnType::kTimestamp},
                        {"content_digest", io::ColumnType::kBytes},
                        {"problem", io::ColumnType::kBytes},
                        {"placed_by", io::ColumnType::kBytes},
                        {"extraction", io::ColumnType::kBytes},
                        {"is_fresh", io::ColumnType::kInt64}},
                       [&](const io::Row& row) -> absl::Status {
                         TROMMEL_ASSIGN_OR_RETURN(Visit read, ReadVisit(row));
                         return visit(std::move(read));
                       });
}

}  // namespace trommel::jobs::monitor_job
