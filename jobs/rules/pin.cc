#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "core/rule/rule.h"
#include "jobs/rules/actions.h"

namespace trommel::jobs::rules {
namespace {

// Returns the state that a rule_id, as records or the list have it, or a
// cluster_id speaks of: of the rule in service before that on probation.
absl::StatusOr<rule_store::RuleState*> FindState(
    const std::string& id, const std::string& current,
    rule_store::StoredRules* content) {
  std::string whole_id = id;
  for (const proto::Rule& rule : content->rules.rule()) {
    if (rule::RuleId(rule) == id) whole_id = rule::WholeRuleId(rule);
  }
  rule_store::RuleState* found = nullptr;
  for (rule_store::RuleState& state : content->states) {
    if (state.rule_id != whole_id && state.cluster_id != id) continue;
    if (found == nullptr || state.is_in_service()) found = &state;
  }
  if (found != nullptr) return found;
  return absl::NotFoundError(
      StrCat("--rule=", Printable(id), ": ", current,
             ", which is in service, has no such rule, in service or on "
             "probation; trommel rules list shows them"));
}

// Moves the rule of a cluster from one set to another.
void MoveRule(const std::string& cluster_id, proto::RuleSet* from,
              proto::RuleSet* to) {
  proto::RuleSet stays;
  for (proto::Rule& rule : *from->mutable_rule()) {
    *(rule.cluster_id() == cluster_id ? to : &stays)->add_rule() =
        std::move(rule);
  }
  *from = std::move(stays);
}

// Brings a rule of the probation into service; what serves its cluster goes the
// other way.
void BringIntoService(rule_store::RuleState* state,
                      rule_store::StoredRules* content) {
  for (rule_store::RuleState& other : content->states) {
    if (&other == state || other.cluster_id != state->cluster_id) continue;
    other.state = rule_store::RuleState::kOnProbation;
    other.why = StrCat(state->rule_id, " was pinned in its place");
    other.is_pinned = false;
  }
  proto::RuleSet out_of_service;
  MoveRule(state->cluster_id, &content->rules, &out_of_service);
  MoveRule(state->cluster_id, &content->probation, &content->rules);
  MoveRule(state->cluster_id, &out_of_service, &content->probation);
  state->state = rule_store::RuleState::kInService;
  state->back_when.clear();
}

// A pinned rule gives all that it finds: nobody tests what is switched off.
void SwitchAllOn(rule_store::RuleState* state, proto::RuleSet* rules) {
  state->switched_off.clear();
  state->back_when.clear();
  for (proto::Rule& rule : *rules->mutable_rule()) {
    if (rule.cluster_id() == state->cluster_id) rule.clear_switched_off();
  }
}

}  // namespace

absl::StatusOr<cli::Report> PinRule(rule_store::RuleStore* store,
                                    const std::string& rule, bool is_pinned) {
  TROMMEL_ASSIGN_OR_RETURN(const std::string current, store->Current());
  if (current.empty()) {
    return absl::FailedPreconditionError(
        StrCat(store->folder().name, " has no versions; nothing to pin"));
  }
  TROMMEL_ASSIGN_OR_RETURN(rule_store::StoredRules content,
                           store->Content(current));
  TROMMEL_ASSIGN_OR_RETURN(rule_store::RuleState* const state,
                           FindState(rule, current, &content));
  if (state->is_pinned == is_pinned) {
    return absl::FailedPreconditionError(StrCat(
        state->rule_id, is_pinned ? " is pinned already" : " is not pinned"));
  }
  if (!state->is_in_service()) BringIntoService(state, &content);
  state->is_pinned = is_pinned;
  if (is_pinned) SwitchAllOn(state, &content.rules);
  TROMMEL_ASSIGN_OR_RETURN(rule_store::VersionInfo info, store->Info(current));
  info.date.clear();
  info.base = current;
  info.why = StrCat(state->rule_id, is_pinned ? " pinned" : " unpinned");
  state->why = is_pinned ? "pinned by hand" : "no longer pinned";
  const std::string rule_id = state->rule_id;
  const std::string site = state->site;
  TROMMEL_ASSIGN_OR_RETURN(info, store->Publish(info, std::move(content)));

  cli::Report report;
  nlohmann::ordered_json& json = *report.json;
  json["version"] = info.version;
  json["base"] = current;
  json["rule_id"] = rule_id;
  json["pinned"] = is_pinned;
  report.text =
      StrCat(info.version, " is in service: ", rule_id, " of ", Printable(site),
             is_pinned ? " stays in service, whatever tests say\n"
                       : " is judged like any other\n");
  return report;
}

}  // namespace trommel::jobs::rules
