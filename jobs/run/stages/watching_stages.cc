// The stages that watch sites for change and keep what still holds: monitor,
// reuse, coverage.

#include <set>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/base/status.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/layout/dates.h"
#include "jobs/run/stages/changed_sites.h"
#include "jobs/run/stages/stages.h"
#include "jobs/tables/sites_file.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;
using Kind = StageInput::Kind;

absl::StatusOr<StagePlan> PlanMonitor(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(const RuleStore store,
                           RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (base.empty()) {
    return StagePlan::NotNeeded("there were no rules before this date");
  }
  TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, store.Info(base));
  if (info.num_rules == 0) {
    return StagePlan::NotNeeded(StrCat(base, " has no rules"));
  }
  StageCall call = JobCall(*night.layout, "monitor");
  call.facts = {RulesFact(info)};
  call.inputs = {
      {Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
      {Kind::kOutput, "rules", store.VersionFolder(base).Absolute()}};
  return StagePlan::Run(std::move(call));
}

std::string Reasons(const ordered_json& finding) {
  std::vector<std::string> reasons;
  for (const ordered_json& reason : finding.value("reasons", ordered_json())) {
    if (reason.is_string()) reasons.push_back(reason.get<std::string>());
  }
  return absl::StrJoin(reasons, "; ");
}

std::vector<Alert> MonitorAlerts(const std::string& report,
                                 const ordered_json& summary) {
  std::vector<Alert> alerts;
  for (const ordered_json& site :
       summary.value("flagged_sites", ordered_json::array())) {
    if (site.value("verdict", "") != "changed") continue;
    Alert& alert = alerts.emplace_back();
    alert.kind = "site_changed";
    alert.site = site.value("site", "");
    alert.message = StrCat(alert.site, " has changed: ", Reasons(site));
    for (const char* const number :
         {"rules", "broken", "share_of_rules", "share_of_urls"}) {
      alert.numbers.emplace_back(number, site.value(number, 0.0));
    }
  }
  for (const ordered_json& rule :
       summary.value("broken_rules", ordered_json::array())) {
    Alert& alert = alerts.emplace_back();
    alert.kind = "rule_broken";
    alert.site = rule.value("site", "");
    alert.rule = rule.value("rule_id", "");
    alert.message = StrCat("rule ", alert.rule, " of ", alert.site,
                           " is broken: ", Reasons(rule));
    for (const char* const number :
         {"bellwethers", "present", "signature_changed", "null_extraction",
          "wrong_extraction", "failed"}) {
      alert.numbers.emplace_back(number, rule.value(number, 0.0));
    }
  }
  for (Alert& alert : alerts) alert.report = report;
  return alerts;
}

// One call for each date: each takes the rules of the others along.
absl::StatusOr<StagePlan> PlanReuse(const Night& night,
                                    const Available& available) {
  const Layout& layout = *night.layout;
  TROMMEL_ASSIGN_OR_RETURN(const RuleStore store,
                           RuleStore::Open(layout.RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (base.empty()) {
    return StagePlan::NotNeeded("there were no rules before this date");
  }
  if (!available(layout.Clusters(night.date))) {
    return StagePlan::NotNeeded(NothingFrom(layout, "cluster", night.date));
  }
  if (!available(layout.Monitor(night.date))) {
    return StagePlan::NotNeeded(NothingFrom(layout, "monitor", night.date));
  }
  TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, store.Info(base));
  TROMMEL_ASSIGN_OR_RETURN(const ChangedSites found,
                           FindChangedSites(night, info));
  const auto& changed = found.by_date;
  if (changed.empty()) {
    if (found.beyond_reuse.empty()) {
      return StagePlan::NotNeeded("no site has changed");
    }
    const auto& [site, why] = *found.beyond_reuse.begin();
    return StagePlan::NotNeeded(
        StrCat("nothing can be saved of ",
               Counted(found.beyond_reuse.size(), "changed site"), ": ", site,
               ": ", why));
  }
  std::set<std::string> all;
  std::vector<StageCall> calls;
  std::string rules = store.VersionFolder(base).Absolute();
  for (const auto& [date, sites] : changed) {
    all.insert(sites.begin(), sites.end());
    StageCall& call = calls.emplace_back(JobCall(layout, "reuse"));
    call.inputs = {{Kind::kOutput, "rules", rules},
                   {Kind::kOutput, "old-clusters", layout.Clusters(date)},
                   {Kind::kCrawl, "old-crawl", layout.Crawl(date)},
                   {Kind::kOutput, "new-clusters", layout.Clusters(night.date)},
                   {Kind::kCrawl, "new-crawl", layout.Crawl(night.date)},
                   {Kind::kFile, "sites",
                    StrCat(layout.Reuse(night.date), "-of-", date, ".sites"),
                    FormatSitesFile(sites)}};
    if (calls.size() < changed.size()) {
      call.own_output = StrCat(layout.Reuse(night.date), "-of-", date);
      rules = call.own_output;
    }
  }
  // For publishing.
  calls.front().inputs.push_back(
      {Kind::kFile, "", layout.ReusedSites(night.date), FormatSitesFile(all)});
  return StagePlan::RunAll(std::move(calls));
}

// The clusters of the first day there is against the crawls of the days after,
// as far back as the pipeline says. An earlier day whose crawl could not be
// clustered has none that could be compared with; tonight's is why it runs.
absl::StatusOr<StagePlan> PlanCoverage(const Night& night,
                                       const Available& available) {
  const Layout& layout = *night.layout;
  const int days = layout.pipeline().limits().coverage_days();
  StageCall call = JobCall(layout, "coverage");
  for (const std::string& date :
       DatesBetween(AddDays(night.date, 1 - days), night.date)) {
    const std::string clusters = layout.Clusters(date);
    if (!HasCrawl(layout.Crawl(date))) continue;
    if (date != night.date && !available(clusters)) continue;
    if (call.inputs.empty()) {
      call.inputs.push_back({Kind::kOutput, "clusters", clusters});
    }
    call.inputs.push_back({Kind::kCrawl, "crawl", layout.Crawl(date)});
  }
  if (call.inputs.size() < 3) {
    return StagePlan::NotNeeded("there is no earlier day to compare with");
  }
  return StagePlan::Run(std::move(call));
}

std::vector<Alert> CoverageAlerts(const std::string& report,
                                  const std::string& date,
                                  const ordered_json& summary) {
  std::vector<Alert> alerts;
  for (const ordered_json& drop :
       summary.value("broken", ordered_json::array())) {
    // Those of the days before were told then.
    if (drop.value("day", "") != date || !drop.value("change", false)) continue;
    Alert& alert = alerts.emplace_back();
    alert.kind = "coverage_drop";
    alert.site = drop.value("site", "");
    alert.report = report;
    alert.message = absl::StrFormat("the coverage of %s has dropped by %.1f%%",
                                    alert.site, 100 * drop.value("drop", 0.0));
    for (const auto& [name, value] : drop.items()) {
      if (value.is_number()) alert.numbers.emplace_back(name, value);
    }
  }
  return alerts;
}

}  // namespace

absl::Status AddMonitorStage(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  Stage stage;
  stage.kind = "monitor";
  stage.date = night.date;
  stage.needs = {layout.Crawl(night.date)};
  if (!night.before.empty()) stage.uses = {layout.Published(night.before)};
  stage.output = layout.Monitor(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const Available&) { return PlanMonitor(night); };
  stage.alerts =
      [report = StrCat(stage.pages, "/report.html")](
          const ordered_json& summary) -> absl::StatusOr<std::vector<Alert>> {
    return MonitorAlerts(report, summary);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddReuseStage(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  Stage stage;
  stage.kind = "reuse";
  stage.date = night.date;
  stage.needs = {layout.Crawl(night.date), layout.Clusters(night.date),
                 layout.Monitor(night.date)};
  stage.output = layout.Reuse(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const Available& available) {
    return PlanReuse(night, available);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddCoverageStage(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  Stage stage;
  stage.kind = "coverage";
  stage.date = night.date;
  stage.needs = {layout.Crawl(night.date), layout.Clusters(night.date)};
  const int days = layout.pipeline().limits().coverage_days();
  for (int ago = 1; ago < days; ++ago) {
    stage.uses.push_back(layout.Clusters(AddDays(night.date, -ago)));
  }
  stage.output = layout.Coverage(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const Available& available) {
    return PlanCoverage(night, available);
  };
  stage.alerts =
      [report = StrCat(stage.pages, "/report.html"), date = night.date](
          const ordered_json& summary) -> absl::StatusOr<std::vector<Alert>> {
    return CoverageAlerts(report, date, summary);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

}  // namespace trommel::run
