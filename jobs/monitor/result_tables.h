#ifndef TROMMEL_JOBS_MONITOR_RESULT_TABLES_H_
#define TROMMEL_JOBS_MONITOR_RESULT_TABLES_H_

// What `trommel monitor` writes of rules. By site, cluster and URL.
//
// sites/, one row per site that has rules:
//   site            string
//   rules, broken, unknown   int64, rules
//   share_of_rules  double, broken ones among all
//   share_of_urls   double, failing ones among the crawled bellwethers of the
//                   broken rules; the two shares of Table IV of the Vertex
//                   paper
//   verdict         string: fine, broken, changed or unknown
//   reasons         list<string>
//
// rules/, one row per rule:
//   site, cluster_id, rule_id, schema   string
//   bellwethers, present, absent        int64
//   placed_by_signature, placed_by_sketch, signature_changed   int64, of those
//                   present: how their templates still take them, or do not
//   null_extraction, wrong_extraction   int64, of those present
//   failed          int64, in any of the three ways
//   saved_by_fields int64, signature changed but the fields are right
//   share_signature_changed, share_null_extraction, share_wrong_extraction,
//   share_failed    double, of those present
//   verdict         string: fine, broken or unknown
//   reasons         list<string>
//
// bellwethers/, one row per bellwether of a rule:
//   site, cluster_id, rule_id, url   string
//   outcome         string: fine, failed or absent
//   absent_reason   string: "not crawled", "fetch_status: 404", ...; else null
//   fetch_time      timestamp, UTC, of the page; null when unknown or absent
//   placed_by       string: signature or sketch; null if neither, or absent
//   fields          string: pass, null or wrong; null for one that is absent
//   missing, wrong  list<string>, attributes
//   golden, fresh   list<struct<attribute string, values list<string>>>, record
//                   after record

#include <vector>

#include "absl/status/statusor.h"
#include "jobs/monitor/watch.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::monitor_job {

inline constexpr char kSitesFolder[] = "sites";
inline constexpr char kRuleVerdictsFolder[] = "rules";
inline constexpr char kBellwethersFolder[] = "bellwethers";

// The three tables below a folder; their files, relative to it.
absl::StatusOr<std::vector<io::ShardInfo>> WriteResultTables(
    const WatchResult& result, const io::Path& folder);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_RESULT_TABLES_H_
