#include "jobs/reuse/overlap_table.h"

#include <arrow/type.h>

#include "core/base/status.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::reuse_job {

std::shared_ptr<arrow::Schema> OverlapSchema() {
  return arrow::schema({arrow::field("site", arrow::utf8(), false),
                        arrow::field("cluster_id", arrow::utf8(), false),
                        arrow::field("old_cluster_id", arrow::utf8(), false),
                        arrow::field("event", arrow::utf8(), false),
                        arrow::field("count", arrow::int64(), false)});
}

void OverlapWriter::Add(std::string_view site, std::string_view cluster_id,
                        std::string_view old_cluster_id,
                        std::string_view event) {
  ++counts_[Key(site, cluster_id, old_cluster_id, event)];
}

absl::Status OverlapWriter::Write(io::RowWriter* table) {
  for (const auto& [key, count] : counts_) {
    const auto& [site, cluster_id, old_cluster_id, event] = key;
    table->Text(site)
        .Text(cluster_id)
        .Text(old_cluster_id)
        .Text(event)
        .Int64(count);
    TROMMEL_RETURN_IF_ERROR(table->EndRow());
  }
  counts_.clear();
  return absl::OkStatus();
}

absl::StatusOr<OverlapTotals> OverlapTotals::Read(const io::Path& table) {
  OverlapTotals overlap;
  const auto add = [&](const io::Row& row) -> absl::Status {
    const std::string site(row.bytes(0)), cluster_id(row.bytes(1));
    const std::string old_cluster_id(row.bytes(2));
    const std::string_view event = row.bytes(3);
    const int64_t count = row.int64(4);
    ClusterOverlap& cluster = overlap.clusters[cluster_id];
    if (event == kShared) {
      cluster.with[old_cluster_id].shared += count;
      return absl::OkStatus();
    }
    cluster.pages += count;
    overlap.sites[site].pages += count;
    if (event == kBySignature) {
      cluster.with[old_cluster_id].by_signature += count;
    } else if (event == kBySketch) {
      cluster.with[old_cluster_id].by_sketch += count;
    } else if (event == kNowhere) {
      cluster.nowhere += count;
      overlap.sites[site].nowhere += count;
    } else {
      return absl::DataLossError(StrCat(table.name, ": unknown event ", event));
    }
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(
      io::VisitRows(table,
                    {{"site", io::ColumnType::kBytes},
                     {"cluster_id", io::ColumnType::kBytes},
                     {"old_cluster_id", io::ColumnType::kBytes},
                     {"event", io::ColumnType::kBytes},
                     {"count", io::ColumnType::kInt64}},
                    add));
  overlap.clusters.erase("");
  return overlap;
}

}  // namespace trommel::jobs::reuse_job
