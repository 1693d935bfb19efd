// The stages that take a crawl to records: crawl, cluster, check, publish,
// extract.

#include <optional>

#include "absl/time/clock.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/dates.h"
#include "jobs/run/readiness.h"
#include "jobs/run/stages.h"
#include "mapreduce/io/output_dir.h"

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

// The field test of rules that are about to come into service, on the crawl
// that they are to serve: a sample may be days old.
absl::StatusOr<StagePlan> PlanCheck(const Night& night,
                                    const std::vector<StageInput>& learnt,
                                    const Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet news,
                           NewlyLearnt(night, learnt, available));
  if (news.rule().empty())
    return StagePlan::NotNeeded("nothing new was learnt");
  StageCall call = JobCall(*night.layout, "monitor");
  call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
                 {Kind::kFile, "rules", night.layout->RulesToCheck(night.date),
                  EncodeRules(news)}};
  return StagePlan::Run(std::move(call));
}

// Without the field test, unless nobody wants it, what is new stays out.
absl::StatusOr<std::vector<StageInput>> PublishInputs(
    const Night& night, const std::vector<StageInput>& learnt,
    const Available& available) {
  const Layout& layout = *night.layout;
  std::vector<StageInput> inputs;
  const auto add = [&](Kind kind, const char* flag, const std::string& path) {
    inputs.push_back({kind, flag, path});
  };
  if (available(layout.Monitor(night.date))) {
    add(Kind::kOutput, "monitored", layout.Monitor(night.date));
  }
  if (available(layout.Reuse(night.date))) {
    add(Kind::kOutput, "reused", layout.Reuse(night.date));
    add(Kind::kFile, "reused-sites", layout.ReusedSites(night.date));
  }
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet news,
                           NewlyLearnt(night, learnt, available));
  const bool checked = available(layout.Check(night.date));
  if (checked) add(Kind::kOutput, "checked", layout.Check(night.date));
  if (!checked && !news.rule().empty() && !IsOff(layout, "check"))
    return inputs;
  for (const StageInput& input : learnt) {
    if (available(input.path)) inputs.push_back(input);
  }
  return inputs;
}

absl::StatusOr<StagePlan> PlanPublish(const Night& night,
                                      const std::vector<StageInput>& learnt,
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
  TROMMEL_ASSIGN_OR_RETURN(call.inputs,
                           PublishInputs(night, learnt, available));
  call.flags = {StrCat("--date=", night.date)};
  call.other_flags = {StrCat("--store=", night.layout->RuleStoreFolder())};
  call.takes_out = false;
  // The version it starts from decides what it makes; it finds it by itself.
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (!base.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, store.Info(base));
    call.facts = {RulesFact(info)};
  }
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
  TROMMEL_ASSIGN_OR_RETURN(const VersionInfo info, store.Info(record->version));
  call.facts = {RulesFact(info)};
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
    // Looking into every file is for the first time only.
    if (!IsThere(StrCat(night.layout->Clusters(night.date), "/",
                        io::kSuccessFile))) {
      TROMMEL_RETURN_IF_ERROR(CheckCrawlCanBeRead(crawl));
    }
    return StagePlan::There(crawl);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddClusterStage(const Night& night, std::vector<Stage>* stages) {
  Stage stage = StageOf(night, "cluster");
  stage.needs = {night.layout->Crawl(night.date)};
  stage.output = night.layout->Clusters(night.date);
  stage.pages = night.layout->Pages(stage.output, night.date, stage.kind);
  stage.plan = [night](const Available&) -> absl::StatusOr<StagePlan> {
    StageCall call = JobCall(*night.layout, "cluster");
    call.inputs = {{Kind::kCrawl, "crawl", night.layout->Crawl(night.date)}};
    return StagePlan::Run(std::move(call));
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddCheckStage(const Night& night, std::vector<Stage>* stages) {
  const Layout& layout = *night.layout;
  Stage stage = StageOf(night, "check");
  stage.needs = {layout.Crawl(night.date)};
  if (!night.before.empty()) stage.uses = {layout.Published(night.before)};
  TROMMEL_ASSIGN_OR_RETURN(std::vector<StageInput> learnt,
                           LearntInputs(night, *stages));
  for (const StageInput& input : learnt) stage.uses.push_back(input.path);
  stage.output = layout.Check(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night, learnt = std::move(learnt)](const Available& available) {
    return PlanCheck(night, learnt, available);
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
  stage.uses = {layout.Monitor(night.date), layout.Reuse(night.date),
                layout.Check(night.date)};
  if (!night.before.empty()) {
    stage.uses.push_back(layout.Published(night.before));
  }
  TROMMEL_ASSIGN_OR_RETURN(std::vector<StageInput> learnt,
                           LearntInputs(night, *stages));
  for (const StageInput& input : learnt) stage.uses.push_back(input.path);
  stage.output = layout.Published(night.date);
  stage.plan = [night, learnt = std::move(learnt)](const Available& available) {
    return PlanPublish(night, learnt, available);
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
