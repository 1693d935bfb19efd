#ifndef TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_
#define TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_

// What `trommel monitor` leaves for other verbs: the table rules/ with the
// verdict on each rule, and flagged_sites.txt, the sites to look after.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel {

struct WatchedRule {
  std::string site;
  std::string rule_id;
  std::string verdict;  // "fine", "broken" or "unknown"
  bool field_test_failed = false;

  bool is_broken() const { return verdict == "broken"; }
};

// `folder` is the output of monitor.
absl::StatusOr<std::vector<WatchedRule>> ReadWatchedRules(
    const io::Path& folder);
absl::StatusOr<std::set<std::string>> ReadFlaggedSites(const io::Path& folder);

}  // namespace trommel

#endif  // TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_
