#ifndef TROMMEL_JOBS_RULE_STORE_RULE_STORE_H_
#define TROMMEL_JOBS_RULE_STORE_RULE_STORE_H_

// All versions of the rules that a pipeline extracts with.
//
//   STORE/v000001/               a rules folder (jobs/tables/rules_folder.h)
//   STORE/v000001/version.json   why, when and from what it was made
//   STORE/v000001/probation.binpb   the rules on probation (rule_state.h)
//   STORE/v000001/states.jsonl      a line for each rule, in service or not
//   STORE/CURRENT                the name of the version in service, and the
//                                digest of the name
//   STORE/dates/2026-01-31.json  the version that serves the crawl of that date
//
// Versions are never changed or deleted; taking one back makes a new one that
// equals the older. A version appears all at once and is in service when
// CURRENT, a file replaced by rename, names it. Each step of a publication may
// be the last before the process is killed: doing all of them again comes to
// the same.
//
// Rules move forward only. While a date is the latest that has a record, it may
// be published again (annotations came in, say): it starts from the version
// before its own. Once a later date has a record the date keeps its version, so
// that its extraction can be repeated.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/json_fields.h"
#include "jobs/rule_store/rule_state.h"
#include "jobs/tables/rules_folder.h"
#include "mapreduce/io/path.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::rule_store {

// The rules that learning has given so far, by rule_id, for each sample that it
// learnt from: what it gives again is no news, even if the rule is no longer in
// service.
using LearntRules = std::map<std::string, std::set<std::string>>;

// The date whose clusters a site's rules are for, by site, which is when they
// were sampled or, after a change of the site, found again.
using ClusterDates = std::map<std::string, std::string>;

// The date, by site, on which it lost a rule with none in its place, or the
// first on which the only one that was learnt for it did not hold.
using LossDates = std::map<std::string, std::string>;

// The rules of a version.
struct StoredRules {
  proto::RuleSet rules;  // in service
  // What is known of each cluster, those without a rule included.
  std::vector<tables::ClusterStatus> statuses;
  proto::RuleSet probation;       // at most one for each cluster
  std::vector<RuleState> states;  // of all of these rules
};

// The content of version.json.
struct VersionInfo {
  std::string version;  // "v000001"
  std::string made;     // when, UTC
  std::string date;     // the night that made it; empty: a person did
  std::string base;     // the version it was made from; empty: the first
  // The version that was in service until then; empty: none. Not `base` when a
  // night is published for the second time.
  std::string previous;
  std::string why;
  int64_t num_rules = 0;
  LearntRules learnt;
  ClusterDates cluster_dates;
  LossDates losses;

  void VisitFields(JsonFields* fields);
};

// The content of dates/DATE.json.
struct DateRecord {
  std::string date;
  std::string version;  // empty: there were no rules
  std::string base;     // what it was before the date's own changes

  TROMMEL_JSON_FIELDS(date, version, base);
};

// Whether two versions come to the same: the same rules in the same states.
bool AreSame(const StoredRules& a, const StoredRules& b);

class RuleStore {
 public:
  // The folder need not exist; it is then a store without versions.
  static absl::StatusOr<RuleStore> Open(std::string_view path_or_uri);

  const io::Path& folder() const { return folder_; }
  io::Path VersionFolder(const std::string& version) const {
    return folder_.Child(version);
  }
  io::Path DateFile(const std::string& date) const;

  // Returns all versions, the oldest first.
  absl::StatusOr<std::vector<VersionInfo>> List() const;
  absl::StatusOr<VersionInfo> Info(const std::string& version) const;
  // Returns the version in service; empty when there is none.
  absl::StatusOr<std::string> Current() const;
  // Returns all of the rules in service, not only what extraction needs. None
  // for version "".
  absl::StatusOr<proto::RuleSet> Rules(const std::string& version) const;
  // Returns all that the version has, the states of every rule included; stores
  // of former versions have neither states nor rules on probation.
  absl::StatusOr<StoredRules> Content(const std::string& version) const;
  // The file with the rules on probation; former versions have none.
  io::Path ProbationFile(const std::string& version) const;

  // Returns the version that the work of a date starts from, as said above.
  absl::StatusOr<std::string> BaseOf(const std::string& date) const;
  absl::StatusOr<std::optional<DateRecord>> RecordOf(
      const std::string& date) const;
  // Returns the latest date with a record; empty when there is none.
  absl::StatusOr<std::string> LatestDate() const;

  // Writes a version and puts it in service. `info.version`, what was in
  // service before and the number of rules are filled in. Should the latest
  // version be the same rules, made from the same base for the same date, it is
  // that.
  absl::StatusOr<VersionInfo> Publish(VersionInfo info, StoredRules content);
  // Puts an existing version in service.
  absl::Status Serve(const std::string& version);
  absl::Status RecordDate(const DateRecord& record);

 private:
  explicit RuleStore(io::Path folder) : folder_(std::move(folder)) {}

  absl::Status WriteVersion(const VersionInfo& info,
                            StoredRules* content) const;
  // Returns the names, the oldest first.
  absl::StatusOr<std::vector<std::string>> VersionNames() const;
  absl::StatusOr<std::vector<std::string>> Dates() const;

  io::Path folder_;
};

}  // namespace trommel::jobs::rule_store

#endif  // TROMMEL_JOBS_RULE_STORE_RULE_STORE_H_
