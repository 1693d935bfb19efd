#ifndef TROMMEL_JOBS_TABLES_CLUSTERS_TABLE_H_
#define TROMMEL_JOBS_TABLES_CLUSTERS_TABLE_H_

// The table clusters/: one row per cluster, which is a template of a site.
//
//   site             string
//   cluster_id       string, 16 hex digits, unique over all sites
//   signatures       list<struct<signature string, importance int64>>, the
//                    most important first
//   sketch           binary (core/cluster/typical_sketch.h); null where
//                    clusters were not merged
//   importance       int64, the sum over the signatures
//   size             int64, pages of the crawl
//   size_by_sketch   int64, those of them that no signature covers
//   url_regex        string, RE2, matches the URLs of all its pages as tables
//                    have them: with U+FFFD for bytes that are not UTF-8
//   example_urls     list<string>
//   site_key         string: host, registered_domain or fixed
//   shingle_length   int64
//   own_words        int64, how many words a page has that hardly any other
//   page
//                    has (core/words/own_words.h); null where that is unknown,
//                    as in tables of former versions

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/cluster/placement.h"
#include "core/cluster/templates.h"
#include "core/signature/page_signature.h"
#include "jobs/tables/site_rule.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "proto/rule.pb.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::tables {

// Its folder in the output of `trommel cluster`.
inline constexpr char kClustersFolder[] = "clusters";

struct ClusterRow {
  std::string site;
  std::string cluster_id;
  cluster::Template tmpl;
  int64_t size = 0;
  int64_t size_by_sketch = 0;
  std::string url_regex;
  std::vector<std::string> example_urls;
  std::string site_key;
  int64_t shingle_length = 0;
  std::optional<int64_t> own_words;
};

std::shared_ptr<arrow::Schema> ClustersSchema();
absl::Status WriteCluster(const ClusterRow& cluster, io::RowWriter* table);

const std::vector<io::ColumnRequest>& ClustersColumns();
absl::StatusOr<ClusterRow> ReadCluster(const io::Row& row);

// What a clustering knows of a template before all pages are placed (template,
// site_key, shingle_length), as it travels from mappers to reducers.
std::string EncodeTemplate(const ClusterRow& cluster);
absl::Status DecodeTemplate(std::string_view bytes, ClusterRow* cluster);

// What a rule says of the cluster it is for; the rest of it is empty.
proto::Rule AboutCluster(const ClusterRow& cluster);

// All rows of a table of clusters, file by file. Stops at the first error,
// also one of `visit`.
absl::Status VisitClusters(
    const io::Path& table,
    const std::function<absl::Status(ClusterRow cluster)>& visit);

// The clusters of all sites, ready to place pages.
class ClusterIndex {
 public:
  struct Site {
    cluster::SiteTemplates templates;
    // Of the templates.
    std::vector<std::string> cluster_ids;
    std::vector<int64_t> sizes;      // when they were clustered
    std::vector<bool> say_the_same;  // whether their pages are copies of one
  };

  // InvalidArgument where clusters were made with different settings.
  static absl::StatusOr<ClusterIndex> Read(const io::Path& table);

  // How pages are assigned to sites, and how they are signed; of all clusters.
  const SiteRule& site_rule() const { return site_rule_; }
  int shingle_length() const { return shingle_length_; }
  // Whether clusters were merged, and so have sketches.
  bool merged() const { return merged_; }
  bool empty() const { return sites_.empty(); }

  // Null for a site without clusters.
  const Site* Find(std::string_view site) const;

 private:
  std::map<std::string, Site, std::less<>> sites_;
  SiteRule site_rule_;
  int shingle_length_ = signature::kDefaultShingleLength;
  bool merged_ = false;
};

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_CLUSTERS_TABLE_H_
