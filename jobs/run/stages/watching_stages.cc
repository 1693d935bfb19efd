// The stages that watch sites for change and keep what still holds: monitor,
// reuse, coverage.

#include <set>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status.h"
#include "core/monitor/verdict.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/layout/dates.h"
#include "jobs/run/stages/changed_sites.h"
#include "jobs/run/stages/stages.h"
#include "jobs/tables/sites_file.h"

namespace trommel::jobs::run::stages {
namespace {

using Kind = scheduling::StageInput::Kind;

absl::StatusOr<scheduling::StagePlan> PlanMonitor(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (base.empty()) {
    return scheduling::StagePlan::NotNeeded(
        "there were no rules before this date");
  }
  TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                           store.Info(base));
  if (info.num_rules == 0) {
    return scheduling::StagePlan::NotNeeded(StrCat(base, " has no rules"));
  }
  scheduling::StageCall call = JobCall(*night.layout, "monitor");
  call.facts = {RulesFact(info)};
  call.inputs = {
      {Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
      {Kind::kOutput, "rules", store.VersionFolder(base).Absolute()}};
  return scheduling::StagePlan::Run(std::move(call));
}

// Plans the trial of the rules on probation.
absl::StatusOr<scheduling::StagePlan> PlanProbation(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  TROMMEL_ASSIGN_OR_RETURN(const rule_store::StoredRules content,
                           store.Content(base));
  if (content.probation.rule().empty()) {
    return scheduling::StagePlan::NotNeeded("no rule is on probation");
  }
  scheduling::StageCall call = JobCall(*night.layout, "monitor");
  call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
                 {Kind::kFile, "rules", store.ProbationFile(base).Absolute()}};
  return scheduling::StagePlan::Run(std::move(call));
}

std::vector<alerts::Alert> MonitorAlerts(const std::string& report,
                                         const summaries::Monitor& summary) {
  std::vector<alerts::Alert> alerts;
  for (const summaries::Monitor::FlaggedSite& site : summary.flagged_sites) {
    if (site.verdict != monitor::SiteStateName(monitor::SiteState::kChanged))
      continue;
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = "site_changed";
    alert.site = site.site;
    alert.message =
        StrCat(site.site, " has changed: ", absl::StrJoin(site.reasons, "; "));
    alert.numbers = {{"rules", static_cast<double>(site.rules)},
                     {"broken", static_cast<double>(site.broken)},
                     {"share_of_rules", site.share_of_rules},
                     {"share_of_urls", site.share_of_urls}};
  }
  for (const summaries::Monitor::BrokenRule& rule : summary.broken_rules) {
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = "rule_broken";
    alert.site = rule.site;
    alert.rule = rule.rule_id;
    alert.message = StrCat("rule ", rule.rule_id, " of ", rule.site,
                           " is broken: ", absl::StrJoin(rule.reasons, "; "));
    for (const auto& [name, number] :
         {std::pair("bellwethers", rule.bellwethers),
          std::pair("present", rule.present),
          std::pair("signature_changed", rule.signature_changed),
          std::pair("null_extraction", rule.null_extraction),
          std::pair("wrong_extraction", rule.wrong_extraction),
          std::pair("failed", rule.failed)}) {
      alert.numbers.emplace_back(name, static_cast<double>(number));
    }
  }
  for (alerts::Alert& alert : alerts) alert.report = report;
  return alerts;
}

// Plans one call for each date: each takes the rules of the others along.
absl::StatusOr<scheduling::StagePlan> PlanReuse(
    const Night& night, const scheduling::Available& available) {
  const layout::Layout& layout = *night.layout;
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(layout.RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (base.empty()) {
    return scheduling::StagePlan::NotNeeded(
        "there were no rules before this date");
  }
  if (!available(layout.Clusters(night.date))) {
    return scheduling::StagePlan::NotNeeded(
        NothingFrom(layout, "cluster", night.date));
  }
  if (!available(layout.Monitor(night.date))) {
    return scheduling::StagePlan::NotNeeded(
        NothingFrom(layout, "monitor", night.date));
  }
  TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                           store.Info(base));
  TROMMEL_ASSIGN_OR_RETURN(const ChangedSites found,
                           FindChangedSites(night, info, available));
  const auto& changed = found.by_date;
  if (changed.empty()) {
    if (found.beyond_reuse.empty()) {
      return scheduling::StagePlan::NotNeeded("no site has changed");
    }
    const auto& [site, why] = *found.beyond_reuse.begin();
    return scheduling::StagePlan::NotNeeded(
        StrCat("nothing can be saved of ",
               Counted(found.beyond_reuse.size(), "changed site"), ": ", site,
               ": ", why));
  }
  std::set<std::string> all;
  std::vector<scheduling::StageCall> calls;
  std::string rules = store.VersionFolder(base).Absolute();
  for (const auto& [date, sites] : changed) {
    all.insert(sites.begin(), sites.end());
    scheduling::StageCall& call = calls.emplace_back(JobCall(layout, "reuse"));
    call.inputs = {{Kind::kOutput, "rules", rules},
                   {Kind::kOutput, "old-clusters", layout.Clusters(date)},
                   {Kind::kCrawl, "old-crawl", layout.Crawl(date)},
                   {Kind::kOutput, "new-clusters", layout.Clusters(night.date)},
                   {Kind::kCrawl, "new-crawl", layout.Crawl(night.date)},
                   {Kind::kFile, "sites",
                    StrCat(layout.Reuse(night.date), "-of-", date, ".sites"),
                    tables::FormatSitesFile(sites)}};
    if (calls.size() < changed.size()) {
      call.own_output = StrCat(layout.Reuse(night.date), "-of-", date);
      rules = call.own_output;
    }
  }
  // Publishing reads this one.
  calls.front().inputs.push_back({Kind::kFile, "",
                                  layout.ReusedSites(night.date),
                                  tables::FormatSitesFile(all)});
  return scheduling::StagePlan::RunAll(std::move(calls));
}

// Plans the comparison of the clusters of the first day there is with the
// crawls of the days after, as far back as the pipeline says. An earlier day
// whose crawl could not be clustered has none that could be compared with;
// tonight's is why it runs.
absl::StatusOr<scheduling::StagePlan> PlanCoverage(
    const Night& night, const scheduling::Available& available) {
  const layout::Layout& layout = *night.layout;
  const int days = layout.pipeline().limits().coverage_days();
  scheduling::StageCall call = JobCall(layout, "coverage");
  for (const std::string& date : layout::DatesBetween(
           layout::AddDays(night.date, 1 - days), night.date)) {
    const std::string clusters = layout.Clusters(date);
    if (!HasCrawl(layout.Crawl(date))) continue;
    if (date != night.date && !available(clusters)) continue;
    if (call.inputs.empty()) {
      call.inputs.push_back({Kind::kOutput, "clusters", clusters});
    }
    call.inputs.push_back({Kind::kCrawl, "crawl", layout.Crawl(date)});
  }
  if (call.inputs.size() < 3) {
    return scheduling::StagePlan::NotNeeded(
        "there is no earlier day to compare with");
  }
  return scheduling::StagePlan::Run(std::move(call));
}

std::vector<alerts::Alert> CoverageAlerts(const std::string& report,
                                          const std::string& date,
                                          const summaries::Coverage& summary) {
  std::vector<alerts::Alert> alerts;
  for (const summaries::Coverage::Drop& drop : summary.broken) {
    // The days before had alerts of their own.
    if (drop.day != date || !drop.is_change) continue;
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = "coverage_drop";
    alert.site = drop.site;
    alert.report = report;
    alert.message = absl::StrFormat("the coverage of %s has dropped by %.1f%%",
                                    drop.site, 100 * drop.drop);
    alert.numbers = {
        {"clusters", static_cast<double>(drop.clusters)},
        {"clusters_broken", static_cast<double>(drop.clusters_broken)},
        {"urls_compared", static_cast<double>(drop.urls_compared)},
        {"urls_lost", static_cast<double>(drop.urls_lost)},
        {"coverage", drop.coverage},
        {"drop", drop.drop}};
  }
  return alerts;
}

}  // namespace

absl::Status AddMonitorStage(const Night& night,
                             std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage;
  stage.kind = "monitor";
  stage.date = night.date;
  stage.needs = {layout.Crawl(night.date)};
  if (!night.before.empty()) stage.uses = {layout.Published(night.before)};
  stage.output = layout.Monitor(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const scheduling::Available&) {
    return PlanMonitor(night);
  };
  stage.alerts = AlertsFrom<summaries::Monitor>(
      [report = StrCat(stage.pages, "/report.html")](
          const summaries::Monitor& summary) {
        return MonitorAlerts(report, summary);
      });
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddProbationStage(const Night& night,
                               std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage = StageOf(night, "probation");
  stage.needs = {layout.Crawl(night.date)};
  if (!night.before.empty()) stage.uses = {layout.Published(night.before)};
  stage.output = layout.Probation(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const scheduling::Available&) {
    return PlanProbation(night);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddReuseStage(const Night& night,
                           std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage;
  stage.kind = "reuse";
  stage.date = night.date;
  stage.needs = {layout.Crawl(night.date), layout.Clusters(night.date),
                 layout.Monitor(night.date)};
  stage.uses = {layout.Probation(night.date)};
  stage.output = layout.Reuse(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const scheduling::Available& available) {
    return PlanReuse(night, available);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddCoverageStage(const Night& night,
                              std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage;
  stage.kind = "coverage";
  stage.date = night.date;
  stage.needs = {layout.Crawl(night.date), layout.Clusters(night.date)};
  const int days = layout.pipeline().limits().coverage_days();
  for (int ago = 1; ago < days; ++ago) {
    stage.uses.push_back(layout.Clusters(layout::AddDays(night.date, -ago)));
  }
  stage.output = layout.Coverage(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const scheduling::Available& available) {
    return PlanCoverage(night, available);
  };
  stage.alerts = AlertsFrom<summaries::Coverage>(
      [report = StrCat(stage.pages, "/report.html"),
       date = night.date](const summaries::Coverage& summary) {
        return CoverageAlerts(report, date, summary);
      });
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

}  // namespace trommel::jobs::run::stages
