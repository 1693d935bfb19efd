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

namespace trommel::jobs::tables {

inline constexpr char kFlaggedSitesFile[] = "flagged_sites.txt";

struct RuleVerdictRow {
  std::string site;
  std::string rule_id;
  std::string verdict;  // "fine", "broken" or "unknown"
  int64_t present = 0;  // bellwethers in the crawl
  int64_t null_extraction = 0;
  int64_t wrong_extraction = 0;

  bool is_broken() const { return verdict == "broken"; }
  // Not only does its template no longer take its pages: where it does, what
  // comes out is not right.
  bool extracts_wrongly() const {
    return 2 * (null_extraction + wrong_extraction) > present;
  }
};

// `folder` is the output of monitor.
absl::StatusOr<std::vector<RuleVerdictRow>> ReadRuleVerdicts(
    const io::Path& folder);
absl::StatusOr<std::set<std::string>> ReadFlaggedSites(const io::Path& folder);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_
