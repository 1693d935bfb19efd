#include "jobs/run/stages/changed_sites.h"

#include "core/base/status.h"
#include "jobs/run/stages/blocked_sites.h"
#include "jobs/tables/monitor_tables.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {
namespace {

// Returns why nothing can be carried over from the clusters of a date; empty if
// it can.
std::string WhyBeyondReuse(const layout::Layout& layout,
                           const std::string& date,
                           const std::string& tonight) {
  if (date.empty()) return "nothing says which clusters its rules are for";
  if (date == tonight) {
    return "its rules are for the clusters of this date already";
  }
  const std::string clusters = layout.Clusters(date);
  if (!PathExists(StrCat(clusters, "/", io::kSuccessFile))) {
    return StrCat("the clusters that its rules are for are gone: ", clusters);
  }
  const std::string crawl = layout.Crawl(date);
  if (!HasCrawl(crawl)) {
    return StrCat("the crawl that its rules are for is gone: ", crawl);
  }
  return {};
}

// Returns the sites of which at least as many rules on probation give right
// records tonight as rules in service do not.
absl::StatusOr<std::set<std::string>> FindHealedSites(
    const Night& night, const scheduling::Available& available) {
  std::set<std::string> healed;
  if (!available(night.layout->Probation(night.date))) return healed;
  std::map<std::string, int> balances;  // by site
  const auto add = [&](const std::string& output,
                       const auto& weight) -> absl::Status {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path folder, io::ResolvePath(output));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<tables::RuleVerdictRow> rules,
                             tables::ReadRuleVerdicts(folder));
    for (const tables::RuleVerdictRow& rule : rules) {
      balances[rule.site] += weight(rule);
    }
    return absl::OkStatus();
  };
  TROMMEL_RETURN_IF_ERROR(add(night.layout->Probation(night.date),
                              [](const tables::RuleVerdictRow& rule) {
                                return rule.is_right() ? 1 : 0;
                              }));
  std::set<std::string> helped;
  for (const auto& [site, num_right] : balances) {
    if (num_right > 0) helped.insert(site);
  }
  TROMMEL_RETURN_IF_ERROR(add(night.layout->Monitor(night.date),
                              [](const tables::RuleVerdictRow& rule) {
                                return rule.is_broken() ? -1 : 0;
                              }));
  for (const std::string& site : helped) {
    if (balances[site] >= 0) healed.insert(site);
  }
  return healed;
}

}  // namespace

absl::StatusOr<ChangedSites> FindChangedSites(
    const Night& night, const rule_store::VersionInfo& rules,
    const scheduling::Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path monitored,
                           io::ResolvePath(night.layout->Monitor(night.date)));
  TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> flagged,
                           tables::ReadFlaggedSites(monitored));
  ChangedSites changed;
  std::map<std::string, std::string> reasons;  // by date
  TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> healed,
                           FindHealedSites(night, available));
  TROMMEL_ASSIGN_OR_RETURN(const auto blocked,
                           FindBlockedSites(night, available));
  for (const std::string& site : flagged) {
    if (healed.count(site) + blocked.count(site) > 0) continue;
    const auto found = rules.cluster_dates.find(site);
    const std::string date =
        found == rules.cluster_dates.end() ? std::string() : found->second;
    if (date > night.date) continue;
    if (reasons.count(date) == 0) {
      reasons[date] = WhyBeyondReuse(*night.layout, date, night.date);
    }
    if (reasons[date].empty()) {
      changed.by_date[date].insert(site);
    } else {
      changed.beyond_reuse[site] = reasons[date];
    }
  }
  return changed;
}

}  // namespace trommel::jobs::run::stages
