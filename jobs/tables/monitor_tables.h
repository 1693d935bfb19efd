#ifndef TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_
#define TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_

// What `trommel monitor` leaves for other verbs: the table rules/ with the
// verdict on each rule, flagged_sites.txt, the sites to look after, and
// renewed.binpb, rules with newer bellwethers.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::tables {

inline constexpr char kFlaggedSitesFile[] = "flagged_sites.txt";
// Rules that are right, of which most bellwethers are no longer crawled, with
// newer ones.
inline constexpr char kRenewedRulesFile[] = "renewed.binpb";

struct RuleVerdictRow {
  std::string site;
  std::string rule_id;
  std::string verdict;  // "fine", "broken" or "unknown"
  // Bellwethers in the crawl, and of these:
  int64_t present = 0;
  int64_t signature_changed = 0;
  int64_t with_record = 0;  // give a complete one
  // Attributes that give wrong values, and why this is said of each.
  std::vector<std::string> wrong_attributes;
  std::vector<std::string> wrong_reasons;

  bool is_known() const { return verdict != "unknown"; }
  bool is_broken() const { return verdict == "broken"; }
  // Whether its template still takes most of its pages.
  bool is_placed() const { return 2 * signature_changed <= present; }
  bool gives_records() const {
    return present > 0 && 2 * with_record >= present;
  }
  // Whether it gives records, and nothing of them is wrong.
  bool is_right() const {
    return is_known() && is_placed() && gives_records() &&
           wrong_attributes.empty();
  }
};

// `folder` is the output of monitor.
absl::StatusOr<std::vector<RuleVerdictRow>> ReadRuleVerdicts(
    const io::Path& folder);
absl::StatusOr<std::set<std::string>> ReadFlaggedSites(const io::Path& folder);
absl::StatusOr<proto::RuleSet> ReadRenewedRules(const io::Path& folder);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_MONITOR_TABLES_H_
