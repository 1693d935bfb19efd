#include "jobs/run/stages/sites_to_sample.h"

#include <utility>

#include "core/base/status.h"
#include "core/learn/site_learning.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/stages/blocked_sites.h"
#include "jobs/run/stages/changed_sites.h"
#include "jobs/tables/monitor_tables.h"
#include "jobs/tables/rule_files.h"
#include "jobs/tables/rules_folder.h"
#include "jobs/tables/samples_table.h"
#include "jobs/tables/sites_file.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::stages {
namespace {

using Reasons = std::map<std::string, std::string>;  // by site

// Returns the sites of a vertical with templates in the crawl of a date.
absl::StatusOr<std::set<std::string>> SitesOfVertical(
    const Night& night, const proto::Vertical& vertical) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path clusters,
                           io::ResolvePath(night.layout->Clusters(night.date)));
  TROMMEL_ASSIGN_OR_RETURN(
      const auto crawled,
      tables::SitesOf(clusters.Child(tables::kSampledClustersFolder)));
  std::set<std::string> sites(crawled.begin(), crawled.end());
  if (vertical.site().empty()) return sites;
  std::set<std::string> wanted;
  for (const std::string& site : vertical.site()) {
    if (sites.count(site) > 0) wanted.insert(site);
  }
  return wanted;
}

// Returns the date of the last sample before tonight's, by site.
absl::StatusOr<std::map<std::string, std::string>> LastSamples(
    const Night& night, const proto::Vertical& vertical) {
  std::map<std::string, std::string> dates;
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<std::string> samples,
      EarlierSamples(*night.layout, vertical.name(), night.date));
  for (const std::string& sample : samples) {
    TROMMEL_ASSIGN_OR_RETURN(
        const io::Path file,
        io::ResolvePath(night.layout->SampledSites(vertical.name(), sample)));
    TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> sites,
                             tables::ReadSiteLines(file));
    for (const std::string& site : sites) dates[site] = sample;
  }
  return dates;
}

// Returns the sites of case 1. The last call of reuse has the statuses of those
// before it.
absl::StatusOr<Reasons> WithoutRuleByReuse(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path reused,
                           io::ResolvePath(night.layout->Reuse(night.date)));
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<tables::ClusterStatus> statuses,
      tables::ReadClusterStatuses(reused.Child(tables::kRulesFile)));
  Reasons reasons;
  for (const tables::ClusterStatus& status : statuses) {
    if (status.status ==
        learn::LearnStatusName(learn::LearnStatus::kNeedsAnnotation)) {
      reasons[status.site] =
          "it has changed, and for some of its pages no rule could be saved";
    }
  }
  return reasons;
}

// Returns the sites with a rule that gives no right records tonight. Of the
// others some values may be missing, which no editor can bring back.
absl::StatusOr<std::set<std::string>> SitesWithoutRecords(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path monitored,
                           io::ResolvePath(night.layout->Monitor(night.date)));
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<tables::RuleVerdictRow> rules,
                           tables::ReadRuleVerdicts(monitored));
  std::set<std::string> sites;
  for (const tables::RuleVerdictRow& rule : rules) {
    if (rule.is_known() && !rule.is_right()) sites.insert(rule.site);
  }
  return sites;
}

// Returns the sites of case 2.
absl::StatusOr<Reasons> WithoutReuse(const Night& night,
                                     const rule_store::VersionInfo& rules,
                                     const scheduling::Available& available) {
  const bool has_reuse = available(night.layout->Reuse(night.date));
  TROMMEL_ASSIGN_OR_RETURN(const ChangedSites changed,
                           FindChangedSites(night, rules, available));
  Reasons reasons;
  for (const auto& [site, why] : changed.beyond_reuse) {
    reasons[site] =
        StrCat("it has changed, and its rules cannot be saved: ", why);
  }
  if (has_reuse) return reasons;
  for (const auto& [date, sites] : changed.by_date) {
    for (const std::string& site : sites) {
      reasons[site] = StrCat(
          "it has changed, and the stage reuse, which could have saved "
          "its rules, ",
          IsOff(*night.layout, "reuse") ? "is off" : "has failed");
    }
  }
  return reasons;
}

// Returns why a site that was sampled before is sampled again, if it is.
absl::StatusOr<Reasons> WhyAgain(
    const Night& night, const std::map<std::string, std::string>& last_samples,
    const scheduling::Available& available) {
  Reasons by_reuse;
  if (available(night.layout->Reuse(night.date))) {
    TROMMEL_ASSIGN_OR_RETURN(by_reuse, WithoutRuleByReuse(night));
  }
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (base.empty()) return by_reuse;
  TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo rules,
                           store.Info(base));
  const auto sampled_on = [&](const std::string& site) {
    const auto found = last_samples.find(site);
    return found == last_samples.end() ? std::string() : found->second;
  };
  // Whether an editor was asked since the site lost what is missing.
  const auto is_asked = [&](const std::string& site) {
    const auto loss = rules.losses.find(site);
    return loss != rules.losses.end() && sampled_on(site) >= loss->second;
  };
  Reasons reasons;
  std::set<std::string> without_records;
  if (!by_reuse.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(without_records, SitesWithoutRecords(night));
  }
  for (const auto& [site, why] : by_reuse) {
    if (without_records.count(site) == 0 || is_asked(site)) continue;
    reasons.emplace(site, why);
  }
  if (available(night.layout->Monitor(night.date))) {
    TROMMEL_ASSIGN_OR_RETURN(const Reasons without_reuse,
                             WithoutReuse(night, rules, available));
    for (const auto& [site, why] : without_reuse) {
      if (!is_asked(site)) reasons.emplace(site, why);
    }
  }
  for (const auto& [site, date] : rules.losses) {
    if (sampled_on(site) >= date) continue;
    reasons.emplace(site, StrCat("it lost a rule on ", date,
                                 ", when nobody could be asked for another"));
  }
  return reasons;
}

}  // namespace

absl::StatusOr<SitesToSample> FindSitesToSample(
    const Night& night, const proto::Vertical& vertical,
    const scheduling::Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(const std::set<std::string> crawled,
                           SitesOfVertical(night, vertical));
  TROMMEL_ASSIGN_OR_RETURN(const auto last_samples,
                           LastSamples(night, vertical));
  TROMMEL_ASSIGN_OR_RETURN(const Reasons reasons,
                           WhyAgain(night, last_samples, available));
  TROMMEL_ASSIGN_OR_RETURN(const auto blocked,
                           FindBlockedSites(night, available));
  SitesToSample found;
  found.has_crawled = !crawled.empty();
  for (const std::string& site : crawled) {
    if (const auto wall = blocked.find(site); wall != blocked.end()) {
      if (last_samples.count(site) == 0) found.blocked.insert(*wall);
      continue;
    }
    const auto why = reasons.find(site);
    if (last_samples.count(site) == 0) {
      found.sites.insert(site);
    } else if (why != reasons.end()) {
      found.sites.insert(site);
      found.again.insert(*why);
    }
  }
  return found;
}

}  // namespace trommel::jobs::run::stages
