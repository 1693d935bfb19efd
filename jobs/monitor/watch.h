#ifndef TROMMEL_JOBS_MONITOR_WATCH_H_
#define TROMMEL_JOBS_MONITOR_WATCH_H_

// From visits to verdicts: what became of every bellwether of every rule.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/placement.h"
#include "core/monitor/rule_trial.h"
#include "core/monitor/verdict.h"
#include "core/record/comparison.h"
#include "core/record/record.h"
#include "jobs/monitor/visits_table.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::monitor_job {

// The fresh pages of a rule that are kept, and the bellwethers that a rule has
// when they are renewed.
inline constexpr size_t kMaxFreshBellwethers = 20;

// Why a bellwether is absent that no page of the crawl has the URL of.
inline constexpr char kNotCrawled[] = "not crawled";

struct WatchedBellwether {
  std::string url;
  std::string absent;  // why; empty for one that is present
  // Of one that is present.
  std::optional<int64_t> fetch_time_us;
  std::optional<cluster::PlacedBy> placed_by;  // none: the signature changed
  record::FieldOutcome fields;
  std::vector<record::Record> golden;  // also of one that is absent
  std::vector<record::Record> fresh;

  bool is_present() const { return absent.empty(); }
  bool Fails() const {
    return is_present() && (!placed_by.has_value() ||
                            fields.result != record::FieldResult::kPass);
  }
};

struct WatchedRule {
  std::string site;
  std::string cluster_id;
  std::string rule_id;
  std::string schema;
  std::vector<std::string> attributes;  // of the schema
  std::vector<WatchedBellwether> bellwethers;
  monitor::JudgedRule judged;
  monitor::RuleTrial trial;
  std::vector<monitor::WrongAttribute> wrong_attributes;
  int64_t by_sketch = 0;  // present ones placed by sketch
};

struct WatchedSite {
  std::string site;
  monitor::SiteVerdict verdict;
  size_t first_rule = 0;  // among all; a site's rules stand together
  size_t end_rule = 0;
};

struct WatchResult {
  std::vector<WatchedRule> rules;  // by site and cluster
  std::vector<WatchedSite> sites;  // by name
};

// Holds the rules and one visit of each bellwether, whatever the crawl's size.
class Watch {
 public:
  // By site and cluster, as ReadRuleFiles() gives them.
  explicit Watch(proto::RuleSet rules);

  // The visit of a page. Of several pages with a bellwether's URL the latest
  // that can be looked at counts, then the one with the smallest digest; if
  // none can, the latest says why.
  void Add(Visit visit);

  WatchResult Judge(const monitor::VerdictThresholds& thresholds) const;

  // Returns the rules, of those that `result` found to be right, of which fewer
  // than half of the bellwethers were crawled, with fresh ones: those crawled
  // that pass, then fresh pages, with what the rule extracts from them now.
  proto::RuleSet RenewBellwethers(const WatchResult& result) const;

 private:
  void AddFresh(Visit visit);
  WatchedBellwether Outcome(const proto::Rule& rule,
                            const proto::PageRecords& bellwether) const;

  proto::RuleSet rules_;
  // By cluster and URL; none until a page is visited.
  std::map<std::pair<std::string, std::string>, std::optional<Visit>> visits_;
  // By cluster and hash of the URL.
  std::map<std::string, std::map<uint64_t, Visit>> fresh_;
};

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_WATCH_H_
