#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/base/text.h"
#include "jobs/registry.h"
#include "jobs/rules/actions.h"

namespace trommel::jobs::rules {
namespace {

class RulesVerb final : public cli::Verb {
 public:
  RulesVerb() : Verb("rules", kRulesHelp) {}

  void DefineFlags(cli::Flags* flags) override {
    flags
        ->Positional("ACTION", &words_,
                     "list, diff V1 V2, rollback, pin, unpin or publish")
        .NotAPath()
        .Required();
    flags->Text("store", &store_, "the rule store").InPlace().Required();
    flags->Text("to", &to_, "rollback: the version to go back to").NotAPath();
    flags->Text("rule", &rule_, "rollback: this rule alone; pin, unpin: which")
        .NotAPath();
    flags
        ->Text("date", &publish_.date,
               "publish: the night, whose record says which version served")
        .NotAPath();
    flags
        ->Texts("learnt", &publish_.learnt,
                "publish: NAME=FOLDER, rules learnt from a sample")
        .Input()
        .AfterName();
    flags->Text("reused", &publish_.reused, "publish: output of reuse")
        .Input(cli::FolderReading::kByName);
    flags
        ->Text("reused-sites", &publish_.reused_sites,
               "publish: file with the sites that it was for")
        .Input();
    flags
        ->Text("monitored", &publish_.monitored,
               "publish: output of monitor for the rules in service")
        .Input(cli::FolderReading::kByName);
    flags
        ->Text("tried", &publish_.tried,
               "publish: output of monitor for the rules on probation")
        .Input(cli::FolderReading::kByName);
    flags
        ->Text("blocked-sites", &publish_.blocked_sites,
               "publish: file with the sites whose pages of the night are no "
               "pages; nothing is concluded from them")
        .Input();
    flags
        ->Text("checked", &publish_.checked,
               "publish: output of monitor for the rules that were learnt")
        .Input(cli::FolderReading::kByName);
  }

  absl::Status CheckFlags() const override {
    const std::string& action = words_.front();
    const bool is_diff = action == "diff";
    const bool is_pin = action == "pin" || action == "unpin";
    if (action != "list" && !is_diff && action != "rollback" && !is_pin &&
        action != "publish") {
      return absl::InvalidArgumentError(
          StrCat("\"", Printable(action),
                 "\" is not list, diff, rollback, pin, unpin or publish"));
    }
    if (words_.size() != (is_diff ? 3u : 1u)) {
      return absl::InvalidArgumentError(
          is_diff ? std::string("diff takes two versions: V1 V2")
                  : StrCat(action, " takes no further words"));
    }
    if (action != "rollback" && !to_.empty()) {
      return absl::InvalidArgumentError("--to goes with rollback");
    }
    if (action != "rollback" && !is_pin && !rule_.empty()) {
      return absl::InvalidArgumentError(
          "--rule goes with rollback, pin and unpin");
    }
    if (is_pin && rule_.empty()) {
      return absl::InvalidArgumentError(
          StrCat(action, " needs --rule: a rule_id or cluster_id"));
    }
    if (action != "publish" &&
        !(publish_.date.empty() && publish_.learnt.empty() &&
          publish_.reused.empty() && publish_.monitored.empty() &&
          publish_.tried.empty() && publish_.checked.empty() &&
          publish_.blocked_sites.empty())) {
      return absl::InvalidArgumentError(
          "--date, --learnt, --reused, --monitored, --tried, --checked and "
          "--blocked-sites go with publish");
    }
    if (publish_.reused.empty() != publish_.reused_sites.empty()) {
      return absl::InvalidArgumentError(
          "--reused and --reused-sites go together");
    }
    return absl::OkStatus();
  }

  absl::StatusOr<cli::Report> Run() override {
    TROMMEL_ASSIGN_OR_RETURN(rule_store::RuleStore store,
                             rule_store::RuleStore::Open(store_));
    const std::string& action = words_.front();
    if (action == "publish") return PublishNight(&store, publish_);
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry there, io::Stat(store.folder()));
    if (there.kind == io::EntryKind::kNone) {
      return absl::NotFoundError(StrCat("--store=", store_, " does not exist"));
    }
    if (action == "list") return ListVersions(store);
    if (action == "pin" || action == "unpin") {
      return PinRule(&store, rule_, action == "pin");
    }
    if (action == "diff") return DiffVersions(store, words_[1], words_[2]);
    return RollBack(&store, to_, rule_);
  }

 private:
  std::vector<std::string> words_;
  std::string store_;
  std::string to_;
  std::string rule_;
  PublishFlags publish_;
};

}  // namespace

std::unique_ptr<cli::Verb> MakeRulesVerb() {
  return std::make_unique<RulesVerb>();
}

}  // namespace trommel::jobs::rules
