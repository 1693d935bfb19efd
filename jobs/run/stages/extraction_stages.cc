// The stages that take a crawl to records, and say what became of it: crawl,
// cluster, extract, compare.

#include <optional>

#include "absl/time/clock.h"
#include "core/base/status.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/layout/dates.h"
#include "jobs/run/stages/blocked_sites.h"
#include "jobs/run/stages/delivery.h"
#include "jobs/run/stages/readiness.h"
#include "jobs/run/stages/stages.h"
#include "mapreduce/io/output_dir.h"

namespace trommel::jobs::run::stages {
namespace {

using Kind = scheduling::StageInput::Kind;

absl::StatusOr<scheduling::StagePlan> PlanExtract(const Night& night) {
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<rule_store::DateRecord> record,
                           store.RecordOf(night.date));
  if (!record.has_value()) {
    return scheduling::StagePlan::NotNeeded(
        "no rules are published for this date");
  }
  if (record->version.empty()) {
    return scheduling::StagePlan::NotNeeded(
        "no rules yet: annotate the sample, then run again");
  }
  scheduling::StageCall call = JobCall(*night.layout, "extract");
  TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                           store.Info(record->version));
  call.facts = {RulesFact(info)};
  call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
                 {Kind::kOutput, "rules",
                  store.VersionFolder(record->version).Absolute()}};
  call.own_output = night.layout->Extracted(night.date);
  return scheduling::StagePlan::Run(std::move(call));
}

// The nights before that a night is compared with, at most.
constexpr int kNightsCompared = 40;

// Without rules nothing was to be delivered, and nothing is compared.
absl::StatusOr<scheduling::StagePlan> PlanCompare(
    const Night& night, const scheduling::Available& available) {
  const layout::Layout& layout = *night.layout;
  scheduling::StageCall call = JobCall(layout, "compare");
  call.flags.push_back(StrCat("--date=", night.date));
  call.inputs = {{Kind::kOutput, "records", layout.Records(night.date)},
                 {Kind::kOutput, "rejects", layout.Rejects(night.date)},
                 {Kind::kOutput, "figures", layout.Figures(night.date)}};
  for (int ago = kNightsCompared; ago > 0; --ago) {
    const std::string before =
        layout.Deliveries(layout::AddDays(night.date, -ago));
    if (!available(before)) continue;
    call.inputs.push_back({Kind::kOutput, "before", before});
  }
  TROMMEL_ASSIGN_OR_RETURN(const auto blocked,
                           FindBlockedSites(night, available));
  if (!blocked.empty()) {
    call.inputs.push_back({Kind::kFile, "blocked",
                           layout.BlockedSites(night.date),
                           FormatBlockedSites(blocked)});
  }
  return scheduling::StagePlan::Run(std::move(call));
}

std::vector<alerts::Alert> CompareAlerts(const std::string& deliveries,
                                         const summaries::Compare& summary) {
  std::vector<alerts::Alert> alerts;
  for (const summaries::Compare::Finding& finding : summary.findings) {
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = finding.kind;
    alert.severity = finding.severity;
    alert.site = finding.site;
    alert.rule = finding.rule_id;
    alert.attribute = finding.attribute;
    alert.message = finding.message;
    alert.report = deliveries;
    alert.numbers = {{"before", finding.before},
                     {"after", finding.after},
                     {"affected", static_cast<double>(finding.affected)}};
    alert.examples = finding.example_urls;
  }
  return alerts;
}

}  // namespace

absl::Status AddCrawlStage(const Night& night,
                           std::vector<scheduling::Stage>* stages) {
  scheduling::Stage stage = StageOf(night, "crawl");
  stage.output = night.layout->Crawl(night.date);
  stage.plan = [night, crawl = stage.output](const scheduling::Available&)
      -> absl::StatusOr<scheduling::StagePlan> {
    const absl::Status status =
        CheckCrawlIsReady(crawl, night.layout->pipeline().ready(), absl::Now());
    if (absl::IsNotFound(status) && night.in_range) {
      scheduling::StagePlan plan =
          scheduling::StagePlan::NotNeeded(std::string(status.message()));
      alerts::Alert& alert = plan.alerts.emplace_back();
      alert.kind = "crawl_missing";
      alert.message = plan.reason;
      return plan;
    }
    TROMMEL_RETURN_IF_ERROR(status);
    // Looking into every file is for the first time only.
    if (!PathExists(StrCat(night.layout->Clusters(night.date), "/",
                           io::kSuccessFile))) {
      TROMMEL_RETURN_IF_ERROR(CheckCrawlCanBeRead(crawl));
    }
    return scheduling::StagePlan::Present(crawl);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddClusterStage(const Night& night,
                             std::vector<scheduling::Stage>* stages) {
  scheduling::Stage stage = StageOf(night, "cluster");
  stage.needs = {night.layout->Crawl(night.date)};
  stage.output = night.layout->Clusters(night.date);
  stage.pages = night.layout->Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const scheduling::Available&)
      -> absl::StatusOr<scheduling::StagePlan> {
    scheduling::StageCall call = JobCall(*night.layout, "cluster");
    call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)}};
    return scheduling::StagePlan::Run(std::move(call));
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddExtractStage(const Night& night,
                             std::vector<scheduling::Stage>* stages) {
  scheduling::Stage stage = StageOf(night, "extract");
  stage.needs = {night.layout->Crawl(night.date),
                 night.layout->Published(night.date)};
  stage.output = night.layout->Records(night.date);
  stage.state = night.layout->Extracted(night.date);
  stage.plan = [night](const scheduling::Available&) {
    return PlanExtract(night);
  };
  stage.deliver = [night](summaries::AnySummary* summary) {
    std::get<summaries::Extract>(*summary).out =
        night.layout->Records(night.date);
    return DeliverNight(*night.layout, night.date);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddCompareStage(const Night& night,
                             std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage = StageOf(night, "compare");
  stage.needs = {layout.Records(night.date)};
  stage.uses = {layout.Clusters(night.date)};
  if (!night.before.empty()) {
    stage.uses.push_back(layout.Deliveries(night.before));
  }
  stage.output = layout.Deliveries(night.date);
  stage.plan = [night](const scheduling::Available& available) {
    return PlanCompare(night, available);
  };
  stage.alerts = AlertsFrom<summaries::Compare>(
      [deliveries = stage.output](const summaries::Compare& summary) {
        return CompareAlerts(deliveries, summary);
      });
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

}  // namespace trommel::jobs::run::stages
