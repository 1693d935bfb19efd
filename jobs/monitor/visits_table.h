#ifndef TROMMEL_JOBS_MONITOR_VISITS_TABLE_H_
#define TROMMEL_JOBS_MONITOR_VISITS_TABLE_H_

// What the tasks of `trommel monitor` leave for the submitter: one row for each
// page of the crawl that is a bellwether, and each rule that it is one of, and
// rows for a few other pages of each rule's template, which may become
// bellwethers when those are gone.
//
//   cluster_id      string, of the rule
//   url             string
//   fetch_time      timestamp, UTC; null when unknown
//   content_digest  string
//   problem         string: why the page cannot be looked at; null when it can
//   placed_by       string: "signature" or "sketch" if the page is still placed
//                   in the rule's template, else null
//   extraction      binary, proto::PageRecords: what the rule extracts now
//   is_fresh        int64: 1 if the page is no bellwether of the rule

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "core/cluster/placement.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "proto/record.pb.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::monitor_job {

inline constexpr char kVisitsFolder[] = "_visits";

struct Visit {
  std::string cluster_id;
  std::string url;
  std::optional<int64_t> fetch_time_us;
  std::string content_digest;
  std::string problem;
  std::optional<cluster::PlacedBy> placed_by;
  proto::PageRecords extraction;
  bool is_fresh = false;
};

std::shared_ptr<arrow::Schema> VisitsSchema();
absl::Status WriteVisit(const Visit& visit, io::RowWriter* table);
// All rows of a table. Stops at the first error, also one of `visit`.
absl::Status ReadVisits(const io::Path& table,
                        const std::function<absl::Status(Visit)>& visit);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_VISITS_TABLE_H_
