#ifndef TROMMEL_JOBS_REUSE_OVERLAP_TABLE_H_
#define TROMMEL_JOBS_REUSE_OVERLAP_TABLE_H_

// What new clusters have in common with old ones, as a table of counts:
//
//   site             string
//   cluster_id       string, of the new cluster; empty: pages in none
//   old_cluster_id   string, empty: in none
//   event            string: "by_signature", "by_sketch" or "nowhere", pages of
//                    the new crawl by where the old clusters place them;
//                    "shared", URLs in both clusters
//   count            int64
//
// Every task writes its own counts; OverlapTotals::Read() adds them up.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "absl/status/status.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::reuse_job {

inline constexpr std::string_view kBySignature = "by_signature";
inline constexpr std::string_view kBySketch = "by_sketch";
inline constexpr std::string_view kNowhere = "nowhere";
inline constexpr std::string_view kShared = "shared";

std::shared_ptr<arrow::Schema> OverlapSchema();

// The counts of a task.
class OverlapWriter {
 public:
  void Add(std::string_view site, std::string_view cluster_id,
           std::string_view old_cluster_id, std::string_view event);
  size_t size() const { return counts_.size(); }
  // And forgets them.
  absl::Status Write(io::RowWriter* table);

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, int64_t> counts_;
};

struct PairOverlap {
  int64_t shared = 0;
  int64_t by_signature = 0;
  int64_t by_sketch = 0;
};

struct ClusterOverlap {
  int64_t pages = 0;
  int64_t nowhere = 0;                      // of these, in no old cluster
  std::map<std::string, PairOverlap> with;  // by old cluster
};

struct OverlapTotals {
  std::map<std::string, ClusterOverlap> clusters;  // by new cluster
  std::map<std::string, ClusterOverlap> sites;     // all pages, `with` empty

  static absl::StatusOr<OverlapTotals> Read(const io::Path& table);
};

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_OVERLAP_TABLE_H_
