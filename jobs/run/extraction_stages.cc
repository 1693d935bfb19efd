// The stages that take a crawl to records: crawl, cluster, publish, extract.

#include <algorithm>
#include <optional>

#include "absl/time/clock.h"
#include "core/base/status.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/dates.h"
#include "jobs/run/readiness.h"
#include "jobs/run/stages.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;
using Kind = StageInput::Kind;

Stage StageOf(const Night& night, const char* kind) {
  Stage stage;
  stage.kind = kind;
  stage.date = night.date;
  return stage;
}

absl::StatusOr<StagePlan> PlanPublish(const Night& night,
                                      const std::vector<StageInput>& findings,
                                      const Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(const RuleStore store,
                           RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string latest, store.LatestDate());
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<DateRecord> record,
                           store.RecordOf(night.date));
  if (record.has_value() && night.date < latest) {
    return StagePlan::There(StrCat(
        record->version.empty() ? "no rules" : record->version,
        " served it; rules move forward only and ", latest, " is published"));
  }
  StageCall call;
  call.verb = {"rules", "publish"};
  call.flags = {StrCat("--date=", night.date)};
  call.other_flags = {StrCat("--store=", night.layout->RuleStoreFolder())};
  for (const StageInput& finding : findings) {
    if (available(finding.path)) call.inputs.push_back(finding);
  }
  if (available(night.layout->Reuse(night.date))) {
    call.inputs.push_back(
        {Kind::kFile, "reused-sites", night.layout->ReusedSites(night.date)});
  }
  // The version it starts from decides what it makes; it finds it by itself.
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  call.facts = {StrCat("base ", base)};
  call.takes_out = false;
  return StagePlan::Run(std::move(call));
}

absl::StatusOr<std::vector<Alert>> PublishAlerts(const ordered_json& summary) {
  std::vector<Alert> alerts;
  for (const char* const list : {"withheld", "withdrawn"}) {
    for (const ordered_json& rule : summary.value(list, ordered_json())) {
      Alert& alert = alerts.emplace_back();
      alert.kind = StrCat("rule_", list);
      alert.site = rule.value("site", "");
      alert.rule = rule.value("rule_id", "");
      alert.message = StrCat("rule ", alert.rule, " of ", alert.site, " is ",
                             list, ": ", rule.value("reason", ""));
    }
  }
  return alerts;
}

absl::StatusOr<StagePlan> PlanExtract(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(const RuleStore store,
                           RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<DateRecord> record,
                           store.RecordOf(night.date));
  if (!record.has_value()) {
    return StagePlan::NotNeeded("no rules are published for this date");
  }
  if (record->version.empty()) {
    return StagePlan::NotNeeded(
        "no rules yet: annotate the sample, then run again");
  }
  StageCall call = JobCall(*night.layout, "extract");
  call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
                 {Kind::kOutput, "rules",
                  store.VersionFolder(record->version).Absolute()}};
  return StagePlan::Run(std::move(call));
}

}  // namespace

absl::Status AddCrawlStage(const Night& night, std::vector<Stage>* stages) {
  Stage stage = StageOf(night, "crawl");
  stage.output = night.layout->Crawl(night.date);
  stage.plan = [night, crawl = stage.output](
                   const Available&) -> absl::StatusOr<StagePlan> {
    const absl::Status status =
        CheckCrawlIsReady(crawl, night.layout->pipeline().ready(), absl::Now());
    if (absl::IsNotFound(status) && night.in_range) {
      StagePlan plan = StagePlan::NotNeeded(std::string(status.message()));
      Alert& alert = plan.alerts.emplace_back();
      alert.kind = "crawl_missing";
      alert.message = plan.reason;
      return plan;
    }
    TROMMEL_RETURN_IF_ERROR(status);
    return StagePlan::There(crawl);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddClusterStage(const Night& night, std::vector<Stage>* stages) {
  Stage stage = StageOf(night, "cluster");
  stage.needs = {night.layout->Crawl(night.date)};
  stage.output = night.layout->Clusters(night.date);
  stage.plan = [night](const Available&) -> absl::StatusOr<StagePlan> {
    StageCall call = JobCall(*night.layout, "cluster");
    call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)}};
    return StagePlan::Run(std::move(call));
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddPublishStage(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  Stage stage = StageOf(night, "publish");
  // Whatever became of what could have changed the rules, those there are go on
  // serving.
  stage.needs = {layout.Crawl(night.date)};
  if (!night.before.empty()) stage.uses = {layout.Published(night.before)};
  std::vector<StageInput> findings = {
      {Kind::kOutput, "monitored", layout.Monitor(night.date)},
      {Kind::kOutput, "reused", layout.Reuse(night.date)}};
  for (const proto::Vertical& vertical : layout.pipeline().vertical()) {
    TROMMEL_ASSIGN_OR_RETURN(
        std::vector<std::string> samples,
        EarlierSamples(layout, vertical.name(), night.date));
    for (const Stage& earlier : *stages) {
      if (earlier.kind == "sample" && earlier.vertical == vertical.name()) {
        samples.push_back(earlier.date);
      }
    }
    std::sort(samples.begin(), samples.end());
    samples.erase(std::unique(samples.begin(), samples.end()), samples.end());
    for (const std::string& sample : samples) {
      findings.push_back({Kind::kOutput,
                          StrCat("learnt=", vertical.name(), "/", sample),
                          layout.Learnt(vertical.name(), sample)});
    }
  }
  for (const StageInput& finding : findings) {
    stage.uses.push_back(finding.path);
  }
  stage.output = layout.Published(night.date);
  stage.plan = [night,
                findings = std::move(findings)](const Available& available) {
    return PlanPublish(night, findings, available);
  };
  stage.alerts = PublishAlerts;
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddExtractStage(const Night& night, std::vector<Stage>* stages) {
  Stage stage = StageOf(night, "extract");
  stage.needs = {night.layout->Crawl(night.date),
                 night.layout->Published(night.date)};
  stage.output = night.layout->Records(night.date);
  stage.plan = [night](const Available&) { return PlanExtract(night); };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

}  // namespace trommel::run
