#include "jobs/tables/clustered_sites.h"

#include "mapreduce/io/row.h"
#include "mapreduce/io/visit_rows.h"

namespace trommel::jobs::tables {
namespace {

constexpr char kSitesTable[] = "sites";

}  // namespace

absl::Status VisitClusteredSites(
    const io::Path& clusters,
    const std::function<void(const ClusteredSite& site)>& visit) {
  return io::VisitRows(
      clusters.Child(kSitesTable),
      {{"site", io::ColumnType::kBytes},
       {"pages", io::ColumnType::kInt64},
       {"alike", io::ColumnType::kInt64, /*required=*/false},
       {"alike_text", io::ColumnType::kBytes, /*required=*/false}},
      [&](const io::Row& row) {
        ClusteredSite site;
        site.site = row.bytes(0);
        site.pages = row.int64(1);
        if (!row.is_null(2)) site.alike = row.int64(2);
        site.alike_text = row.bytes(3);
        visit(site);
        return absl::OkStatus();
      });
}

}  // namespace trommel::jobs::tables
