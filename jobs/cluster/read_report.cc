#include "jobs/cluster/read_report.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "jobs/tables/clusters_table.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::cluster_job {
namespace {

constexpr size_t kMaxSites = 100;
constexpr size_t kMaxClusters = 40;

bool HasMorePages(const ClusterReport::Site& a, const ClusterReport::Site& b) {
  return a.pages != b.pages ? a.pages > b.pages : a.site < b.site;
}

bool IsLarger(const ClusterReport::Cluster& a,
              const ClusterReport::Cluster& b) {
  return a.size != b.size ? a.size > b.size : a.cluster_id < b.cluster_id;
}

// Keeps the first `limit` by the order, sorted.
template <typename T, typename Order>
void KeepFirst(size_t limit, Order order, std::vector<T>* values) {
  std::sort(values->begin(), values->end(), order);
  if (values->size() > limit) values->resize(limit);
}

absl::Status ReadSites(const io::Path& table, ClusterReport* report) {
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                           io::ListTableFiles(table));
  std::vector<ClusterReport::Site>& sites = report->largest_sites;
  for (const io::Entry& file : files) {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::RowReader> rows,
        io::RowReader::Open(file.path,
                            {{"site", io::ColumnType::kBytes},
                             {"pages", io::ColumnType::kInt64},
                             {"sampled", io::ColumnType::kInt64},
                             {"clusters", io::ColumnType::kInt64},
                             {"by_signature", io::ColumnType::kInt64},
                             {"by_sketch", io::ColumnType::kInt64},
                             {"uncovered", io::ColumnType::kInt64},
                             {"too_short", io::ColumnType::kInt64},
                             {"alike", io::ColumnType::kInt64},
                             {"alike_text", io::ColumnType::kBytes}},
                            {}));
    io::Row row;
    while (true) {
      TROMMEL_ASSIGN_OR_RETURN(const bool more, rows->Next(&row));
      if (!more) break;
      ClusterReport::Site site;
      site.site = row.bytes(0);
      site.pages = row.int64(1);
      site.sampled = row.int64(2);
      site.num_clusters = row.int64(3);
      site.by_signature = row.int64(4);
      site.by_sketch = row.int64(5);
      site.uncovered = row.int64(6);
      site.too_short = row.int64(7);
      site.alike = row.int64(8);
      site.alike_text = row.bytes(9);
      ++report->sites;
      report->pages += site.pages;
      report->sampled += site.sampled;
      report->clusters += site.num_clusters;
      report->by_signature += site.by_signature;
      report->by_sketch += site.by_sketch;
      report->uncovered += site.uncovered;
      report->too_short += site.too_short;
      report->alike += site.alike;
      report->alike_sites += site.alike > 0 ? 1 : 0;
      sites.push_back(std::move(site));
      if (sites.size() > 4 * kMaxSites) {
        KeepFirst(kMaxSites, HasMorePages, &sites);
      }
    }
  }
  KeepFirst(kMaxSites, HasMorePages, &sites);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ClusterReport> ReadReport(const io::Path& sites_table,
                                         const io::Path& clusters_table) {
  ClusterReport report;
  TROMMEL_RETURN_IF_ERROR(ReadSites(sites_table, &report));
  std::map<std::string_view, ClusterReport::Site*> sites;
  for (ClusterReport::Site& site : report.largest_sites) {
    sites[site.site] = &site;
  }
  TROMMEL_RETURN_IF_ERROR(tables::VisitClusters(
      clusters_table, [&](tables::ClusterRow row) -> absl::Status {
        const auto found = sites.find(row.site);
        if (found == sites.end()) return absl::OkStatus();
        ClusterReport::Cluster cluster;
        cluster.cluster_id = std::move(row.cluster_id);
        cluster.size = row.size;
        cluster.by_sketch = row.size_by_sketch;
        cluster.importance = row.tmpl.Importance();
        for (const cluster::Signature& signature : row.tmpl.signatures) {
          cluster.signatures.emplace_back(signature.vector.Text(),
                                          signature.importance);
        }
        cluster.url_regex = std::move(row.url_regex);
        cluster.example_urls = std::move(row.example_urls);
        std::vector<ClusterReport::Cluster>& clusters = found->second->clusters;
        clusters.push_back(std::move(cluster));
        if (clusters.size() > 4 * kMaxClusters) {
          KeepFirst(kMaxClusters, IsLarger, &clusters);
        }
        return absl::OkStatus();
      }));
  for (ClusterReport::Site& site : report.largest_sites) {
    KeepFirst(kMaxClusters, IsLarger, &site.clusters);
  }
  return report;
}

}  // namespace trommel::jobs::cluster_job
