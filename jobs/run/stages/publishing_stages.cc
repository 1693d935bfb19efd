// The stages that bring rules into service: check and publish.

#include <optional>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/scheduling/stage_state.h"
#include "jobs/run/stages/blocked_sites.h"
#include "jobs/run/stages/stages.h"

namespace trommel::jobs::run::stages {
namespace {

using Kind = scheduling::StageInput::Kind;

constexpr char kRulesToCheckFlag[] = "rules";

// The results of other stages that there are to publish from. A date that is
// run again must not lose what it had: where a stage failed this time, what it
// left the last time and was published then goes in again.
class PublishInputs {
 public:
  static absl::StatusOr<PublishInputs> Of(
      const Night& night, const scheduling::Available& available) {
    TROMMEL_ASSIGN_OR_RETURN(
        std::optional<scheduling::StageState> last_time,
        scheduling::ReadStageState(night.layout->Published(night.date)));
    return PublishInputs(available, std::move(last_time));
  }

  bool Has(const scheduling::StageInput& input) const {
    if (available_(input.path)) return true;
    if (!last_time_.has_value() || !available_.HasFailed(input.path)) {
      return false;
    }
    const auto digest = last_time_->inputs.find(input.flag);
    if (digest == last_time_->inputs.end()) return false;
    const absl::StatusOr<std::string> now =
        scheduling::DigestOfOutput(input.path);
    return now.ok() && *now == digest->second;
  }

  std::vector<scheduling::StageInput> OnlyAvailable(
      const std::vector<scheduling::StageInput>& inputs) const {
    std::vector<scheduling::StageInput> available;
    for (const scheduling::StageInput& input : inputs) {
      if (Has(input)) available.push_back(input);
    }
    return available;
  }

  // Returns whether the field test was that of these rules: what lies there may
  // be older.
  absl::StatusOr<bool> AreChecked(const scheduling::StageInput& check,
                                  const proto::RuleSet& rules) const {
    if (!Has(check)) return false;
    TROMMEL_ASSIGN_OR_RETURN(const std::optional<scheduling::StageState> state,
                             scheduling::ReadStageState(check.path));
    if (!state.has_value()) return false;
    const auto digest = state->inputs.find(kRulesToCheckFlag);
    return digest != state->inputs.end() &&
           digest->second == ContentDigest(rule::EncodeRules(rules));
  }

 private:
  PublishInputs(const scheduling::Available& available,
                std::optional<scheduling::StageState> last_time)
      : available_(available), last_time_(std::move(last_time)) {}

  const scheduling::Available& available_;
  std::optional<scheduling::StageState> last_time_;
};

// Plans the field test of rules that are about to come into service, on the
// crawl that they are to serve: a sample may be days old.
absl::StatusOr<scheduling::StagePlan> PlanCheck(
    const Night& night, const std::vector<scheduling::StageInput>& learnt,
    const scheduling::Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(const PublishInputs inputs,
                           PublishInputs::Of(night, available));
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet news,
                           NewlyLearnt(night, inputs.OnlyAvailable(learnt)));
  if (news.rule().empty()) {
    return scheduling::StagePlan::NotNeeded("nothing new was learnt");
  }
  scheduling::StageCall call = JobCall(*night.layout, "monitor");
  call.inputs = {
      {Kind::kCrawl, "crawl", night.layout->Crawl(night.date)},
      {Kind::kFile, kRulesToCheckFlag, night.layout->RulesToCheck(night.date),
       rule::EncodeRules(news)}};
  return scheduling::StagePlan::Run(std::move(call));
}

// Fills the inputs of a call of publish. False: what was published for the date
// stays, since rules that were learnt lack their field test. Where nothing was
// yet, they stay out.
absl::StatusOr<bool> FindInputs(
    const Night& night, const std::vector<scheduling::StageInput>& all_learnt,
    const scheduling::Available& available, bool is_published,
    scheduling::StageCall* call) {
  const layout::Layout& layout = *night.layout;
  TROMMEL_ASSIGN_OR_RETURN(const PublishInputs inputs,
                           PublishInputs::Of(night, available));
  const scheduling::StageInput monitored = {Kind::kOutput, "monitored",
                                            layout.Monitor(night.date)};
  if (inputs.Has(monitored)) call->inputs.push_back(monitored);
  // Looked for anew each time: a night that is run again may know better.
  TROMMEL_ASSIGN_OR_RETURN(const auto blocked,
                           FindBlockedSites(night, available));
  if (!blocked.empty()) {
    call->inputs.push_back({Kind::kFile, "blocked-sites",
                            layout.BlockedSites(night.date),
                            FormatBlockedSites(blocked)});
  }
  const scheduling::StageInput tried = {Kind::kOutput, "tried",
                                        layout.Probation(night.date)};
  if (inputs.Has(tried)) call->inputs.push_back(tried);
  const scheduling::StageInput reused = {Kind::kOutput, "reused",
                                         layout.Reuse(night.date)};
  if (inputs.Has(reused)) {
    call->inputs.push_back(reused);
    call->inputs.push_back(
        {Kind::kFile, "reused-sites", layout.ReusedSites(night.date)});
  }
  const std::vector<scheduling::StageInput> learnt =
      inputs.OnlyAvailable(all_learnt);
  TROMMEL_ASSIGN_OR_RETURN(const proto::RuleSet news,
                           NewlyLearnt(night, learnt));
  if (!news.rule().empty() && !IsOff(layout, "check")) {
    const scheduling::StageInput check = {Kind::kOutput, "checked",
                                          layout.Check(night.date)};
    TROMMEL_ASSIGN_OR_RETURN(const bool are_checked,
                             inputs.AreChecked(check, news));
    if (!are_checked) return !is_published;
    call->inputs.push_back(check);
  }
  call->inputs.insert(call->inputs.end(), learnt.begin(), learnt.end());
  return true;
}

absl::StatusOr<scheduling::StagePlan> PlanPublish(
    const Night& night, const std::vector<scheduling::StageInput>& learnt,
    const scheduling::Available& available) {
  TROMMEL_ASSIGN_OR_RETURN(
      const rule_store::RuleStore store,
      rule_store::RuleStore::Open(night.layout->RuleStoreFolder()));
  TROMMEL_ASSIGN_OR_RETURN(const std::string latest, store.LatestDate());
  TROMMEL_ASSIGN_OR_RETURN(const std::optional<rule_store::DateRecord> record,
                           store.RecordOf(night.date));
  if (record.has_value() && night.date < latest) {
    return scheduling::StagePlan::Present(StrCat(
        record->version.empty() ? "no rules" : record->version,
        " served it; rules move forward only and ", latest, " is published"));
  }
  scheduling::StageCall call;
  call.verb = {"rules", "publish"};
  TROMMEL_ASSIGN_OR_RETURN(
      const bool may_publish,
      FindInputs(night, learnt, available, record.has_value(), &call));
  if (!may_publish) {
    return scheduling::StagePlan::Present(
        StrCat(record->version.empty() ? "no rules" : record->version,
               " stays: what was learnt since has not been through the check"));
  }
  call.flags = {StrCat("--date=", night.date)};
  call.other_flags = {StrCat("--store=", night.layout->RuleStoreFolder())};
  call.takes_out = false;
  // The version it starts from decides what it makes; it finds it by itself.
  TROMMEL_ASSIGN_OR_RETURN(const std::string base, store.BaseOf(night.date));
  if (!base.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(const rule_store::VersionInfo info,
                             store.Info(base));
    call.facts = {RulesFact(info)};
  }
  return scheduling::StagePlan::Run(std::move(call));
}

alerts::Alert RuleAlert(const char* kind, const char* what,
                        const summaries::Publish::RuleMove& rule) {
  alerts::Alert alert;
  alert.kind = kind;
  alert.site = rule.site;
  alert.rule = rule.rule_id;
  alert.message = StrCat("rule ", rule.rule_id, " of ", rule.site, " is ", what,
                         ": ", rule.reason);
  return alert;
}

// Every night tells of all that is not as it should be, not only of what has
// changed tonight: an alert is open as long as it is raised.
std::vector<alerts::Alert> PublishAlerts(const summaries::Publish& summary) {
  std::vector<alerts::Alert> alerts;
  for (const summaries::Publish::RuleMove& rule : summary.withheld) {
    alerts.push_back(RuleAlert("rule_withheld", "withheld", rule));
  }
  for (const summaries::Publish::RuleMove& rule : summary.missed) {
    alerts.push_back(RuleAlert("rule_withdrawn", "withdrawn", rule));
  }
  for (const summaries::Publish::RuleMove& rule : summary.restored) {
    alerts.push_back(RuleAlert("rule_restored", "back in service", rule));
  }
  for (const summaries::Publish::RuleMove& rule : summary.pinned) {
    alerts::Alert& alert = alerts.emplace_back(
        RuleAlert("rule_pinned", "pinned, whatever tests say", rule));
    alert.severity = alerts::SeverityName(alerts::Severity::kInfo);
  }
  for (const summaries::Publish::Off& off : summary.switched_off) {
    alerts::Alert& alert = alerts.emplace_back();
    alert.kind = "values_changed";
    alert.site = off.site;
    alert.rule = off.rule_id;
    alert.attribute = off.attribute;
    alert.message =
        StrCat(off.attribute, " of ", off.site, " is switched off since ",
               off.since, ": ", off.reason, "; it is tried again every night");
  }
  return alerts;
}

}  // namespace

absl::Status AddCheckStage(const Night& night,
                           std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage = StageOf(night, "check");
  stage.needs = {layout.Crawl(night.date)};
  if (!night.before.empty()) stage.uses = {layout.Published(night.before)};
  TROMMEL_ASSIGN_OR_RETURN(std::vector<scheduling::StageInput> learnt,
                           LearntInputs(night, *stages));
  for (const scheduling::StageInput& input : learnt)
    stage.uses.push_back(input.path);
  stage.output = layout.Check(night.date);
  stage.pages = layout.Pages(stage.output, night.date, stage.kind);
  stage.plan = [night, learnt = std::move(learnt)](
                   const scheduling::Available& available) {
    return PlanCheck(night, learnt, available);
  };
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

absl::Status AddPublishStage(const Night& night,
                             std::vector<scheduling::Stage>* stages) {
  const layout::Layout& layout = *night.layout;
  scheduling::Stage stage = StageOf(night, "publish");
  // The rules there are go on serving, whatever became of what could have
  // changed them.
  stage.needs = {layout.Crawl(night.date)};
  stage.uses = {layout.Clusters(night.date), layout.Monitor(night.date),
                layout.Probation(night.date), layout.Reuse(night.date),
                layout.Check(night.date)};
  if (!night.before.empty()) {
    stage.uses.push_back(layout.Published(night.before));
  }
  TROMMEL_ASSIGN_OR_RETURN(std::vector<scheduling::StageInput> learnt,
                           LearntInputs(night, *stages));
  for (const scheduling::StageInput& input : learnt)
    stage.uses.push_back(input.path);
  stage.output = layout.Published(night.date);
  stage.plan = [night, learnt = std::move(learnt)](
                   const scheduling::Available& available) {
    return PlanPublish(night, learnt, available);
  };
  stage.alerts = AlertsFrom<summaries::Publish>(PublishAlerts);
  stages->push_back(std::move(stage));
  return absl::OkStatus();
}

}  // namespace trommel::jobs::run::stages
