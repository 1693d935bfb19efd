#include "jobs/run/stages/changed_sites.h"

#include "core/base/status.h"
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

}  // namespace

absl::StatusOr<ChangedSites> FindChangedSites(
    const Night& night, const rule_store::VersionInfo& rules) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path monitored,
                           io::ResolvePath(night.layout->Monitor(night.date)));
  TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> flagged,
                           tables::ReadFlaggedSites(monitored));
  ChangedSites changed;
  std::map<std::string, std::string> reasons;  // by date
  for (const std::string& site : flagged) {
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
