#include "jobs/rule_store/next_rules.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/rule/rule.h"
#include "core/schema/schema.h"

// What people need of a night is records: as many and as right as the night
// before. So a rule is judged by what it still gives, and nothing that a night
// decides is for good.
//
//  - A value that is missing is no reason to take anything out of service: no
//    record at all is worse. An attribute whose values are wrong is switched
//    off; a rule goes out where that attribute is mandatory. Either is tried
//    every night and is back on the first one on which it is right.
//  - A rule that goes out is on probation, one for each cluster: the last that
//    served. It is tried every night, and comes back where it gives records and
//    the one that took its place does not. So a site that is redesigned for one
//    night has both its rules when the old design is back.
//  - What is not known changes nothing: a rule that no page of the crawl says
//    anything of stays what it is.
//  - A pinned rule stays in service whatever the tests say.
//
// In turn:
//
// 1. Rules in service whose mandatory values are wrong go out.
// 2. Rules on probation that give right records come back, in place of one that
//    does not; what a later design of the site has brought and gives nothing
//    goes on probation.
// 3. A changed site's rules give way to those that reuse has for it, but for
//    what came back in 2. One that has no successor stays while it gives
//    records, or while reuse found none for any page of the site.
// 4. What learning says now and did not say before comes in, and what it said
//    then and no longer says goes out for good: a merge of three, so that what
//    reuse or a person did to other rules meanwhile stays. Samples that nothing
//    is said of keep what they gave. Of several new rules for a cluster, that
//    of the last sample of the first vertical is meant.
//
// Rules that did not pass their validity test are withheld in 3 and 4, and
// those that give no right records tonight in 4; reuse has tested its own. What
// was learnt for the same cluster before a rule that is withheld goes on
// serving. A cluster has rules of one schema: those of another are withheld.
//
// A site has lost a rule, and is to be sampled again, when one of its rules
// gives no right records and reuse has none in its place, or when it has none
// and what is learnt for it gives none: it has changed since it was sampled.
// The loss is forgotten when all its rules give records again.

namespace trommel::jobs::rule_store {
namespace {

constexpr char kFailedFieldTest[] = "failed its field test on today's crawl";
constexpr char kGivesRecordsAgain[] =
    "most of its bellwethers give a record again, with the values that they "
    "had";

struct Entry {
  proto::Rule rule;
  RuleState state;

  const std::string& rule_id() const { return state.rule_id; }
};

// The rules, by cluster.
using Entries = std::map<std::string, Entry>;

// What a rule gives tonight.
enum class Fitness {
  kUnknown,
  kFit,    // right records
  kEmpty,  // few records, none of them wrong
  kWrong,  // records with wrong values in a mandatory attribute
};

std::string WhyNotValid(const proto::Rule& rule) {
  const proto::Validity& validity = rule.validity();
  if (validity.precision() == 1 && validity.recall() == 1) {
    return "not valid: it does not extract what was annotated";
  }
  return absl::StrFormat(
      "not valid: precision %.2f, recall %.2f on %s of the sample",
      validity.precision(), validity.recall(),
      Counted(validity.pages(), "page"));
}

bool IsMandatory(const proto::Schema& schema, const std::string& attribute) {
  const proto::Attribute* const found =
      schema::FindAttribute(schema, attribute);
  return found != nullptr && found->mandatory();
}

// What the trials of a night say of rules.
class Trials {
 public:
  explicit Trials(const NightFindings& findings) : trials_(findings.trials) {}

  Fitness Of(const proto::Rule& rule) const {
    const tables::RuleVerdictRow* const trial = Find(rule);
    if (trial == nullptr) return Fitness::kUnknown;
    if (!WhyWrong(rule).empty()) return Fitness::kWrong;
    return trial->gives_records() && trial->is_placed() ? Fitness::kFit
                                                        : Fitness::kEmpty;
  }

  // Returns why a rule may not serve; empty where it may. Without mandatory
  // attributes, all that it gives must be wrong.
  std::string WhyWrong(const proto::Rule& rule) const {
    const tables::RuleVerdictRow* const trial = Find(rule);
    if (trial == nullptr) return "";
    for (size_t i = 0; i < trial->wrong_attributes.size(); ++i) {
      if (IsMandatory(rule.schema(), trial->wrong_attributes[i])) {
        return trial->wrong_reasons[i];
      }
    }
    const bool is_all_wrong =
        !schema::HasMandatory(rule.schema()) &&
        static_cast<int>(trial->wrong_attributes.size()) ==
            rule.schema().attribute_size();
    return is_all_wrong ? trial->wrong_reasons[0] : std::string();
  }

  // Returns the attributes that give wrong values, with the reasons; none where
  // nothing is known.
  std::optional<std::map<std::string, std::string>> WrongAttributes(
      const proto::Rule& rule) const {
    const tables::RuleVerdictRow* const trial = Find(rule);
    if (trial == nullptr) return std::nullopt;
    std::map<std::string, std::string> wrong;
    for (size_t i = 0; i < trial->wrong_attributes.size(); ++i) {
      wrong[trial->wrong_attributes[i]] = trial->wrong_reasons[i];
    }
    return wrong;
  }

 private:
  const tables::RuleVerdictRow* Find(const proto::Rule& rule) const {
    const auto found = trials_.find(rule::RuleId(rule));
    return found == trials_.end() || !found->second.is_known() ? nullptr
                                                               : &found->second;
  }

  const std::map<std::string, tables::RuleVerdictRow>& trials_;
};

// The rules in service and on probation while a night changes them.
class Rules {
 public:
  Rules(const RulesBefore& before, const NightFindings& findings,
        NextRules* next)
      : date_(findings.date), next_(*next) {
    std::map<std::string, const RuleState*> states;
    for (const RuleState& state : before.content.states) {
      states[state.rule_id] = &state;
    }
    for (const auto* const rules :
         {&before.content.rules, &before.content.probation}) {
      const bool in_service = rules == &before.content.rules;
      for (const proto::Rule& rule : rules->rule()) {
        Entry entry = MakeEntry(rule, "", "");
        const auto known = states.find(entry.rule_id());
        if (known != states.end()) entry.state = *known->second;
        entry.state.state =
            in_service ? RuleState::kInService : RuleState::kOnProbation;
        (in_service ? in_service_ : probation_)[rule.cluster_id()] =
            std::move(entry);
      }
    }
  }

  Entries& in_service() { return in_service_; }
  Entries& probation() { return probation_; }

  const Entry* Serving(const std::string& cluster_id) const {
    const auto found = in_service_.find(cluster_id);
    return found == in_service_.end() ? nullptr : &found->second;
  }
  bool IsServed(const std::string& site) const {
    return std::any_of(
        in_service_.begin(), in_service_.end(),
        [&](const auto& entry) { return entry.second.rule.site() == site; });
  }

  // Brings a rule into service. The one that served its cluster, if it is
  // another, is returned.
  std::optional<Entry> BringIn(const proto::Rule& rule, const std::string& why,
                               const std::string& cluster_date) {
    std::optional<Entry> before;
    Entry entry = MakeEntry(rule, why, cluster_date);
    const auto serving = in_service_.find(rule.cluster_id());
    if (serving != in_service_.end()) {
      if (serving->second.rule_id() == entry.rule_id()) {
        entry.state = serving->second.state;
      } else {
        before = std::move(serving->second);
      }
    }
    in_service_[rule.cluster_id()] = std::move(entry);
    const auto on_probation = probation_.find(rule.cluster_id());
    if (on_probation != probation_.end() &&
        on_probation->second.rule_id() ==
            in_service_[rule.cluster_id()].rule_id()) {
      probation_.erase(on_probation);
    }
    return before;
  }

  // Puts a rule that has left service on probation; `is_missed` says whether
  // nothing took its place.
  void Suspend(Entry entry, std::string why, bool is_missed) {
    entry.rule.clear_switched_off();
    entry.state.state = RuleState::kOnProbation;
    entry.state.since = date_;
    entry.state.why = std::move(why);
    entry.state.back_when = kGivesRecordsAgain;
    entry.state.is_missed = is_missed;
    entry.state.switched_off.clear();
    entry.state.is_pinned = false;
    probation_[entry.rule.cluster_id()] = std::move(entry);
  }

  // Nothing of the site's rules on probation is missed any more: others have
  // come in, for whatever clusters.
  void ForgetMissed(const std::string& site) {
    for (auto& [cluster, entry] : probation_) {
      if (entry.state.site == site) entry.state.is_missed = false;
    }
  }

  // Moves a rule of the probation back into service.
  void Restore(Entries::iterator on_probation, const std::string& why) {
    Entry entry = std::move(on_probation->second);
    probation_.erase(on_probation);
    entry.state.state = RuleState::kInService;
    entry.state.since = date_;
    entry.state.why = why;
    entry.state.back_when.clear();
    entry.state.is_missed = false;
    const std::string& site = entry.rule.site();
    if (!entry.state.cluster_date.empty()) {
      next_.cluster_dates[site] = entry.state.cluster_date;
    }
    next_.restored.push_back({site, entry.rule_id(), why});
    in_service_[entry.rule.cluster_id()] = std::move(entry);
  }

  StoredRules Content() && {
    StoredRules content;
    for (Entries* const entries : {&in_service_, &probation_}) {
      proto::RuleSet& rules =
          entries == &in_service_ ? content.rules : content.probation;
      for (auto& [cluster, entry] : *entries) {
        content.states.push_back(std::move(entry.state));
        *rules.add_rule() = std::move(entry.rule);
      }
      rule::SortRules(&rules);
    }
    return content;
  }

 private:
  Entry MakeEntry(const proto::Rule& rule, const std::string& why,
                  const std::string& cluster_date) const {
    Entry entry;
    entry.rule = rule;
    entry.state.rule_id = rule::WholeRuleId(rule);
    entry.state.site = rule.site();
    entry.state.cluster_id = rule.cluster_id();
    entry.state.state = RuleState::kInService;
    entry.state.since = date_;
    entry.state.why = why;
    entry.state.cluster_date = cluster_date;
    return entry;
  }

  const std::string date_;
  NextRules& next_;
  Entries in_service_;
  Entries probation_;
};

// Returns whether a new rule, which gives this tonight, may serve; otherwise it
// is listed as withheld, with what serves its pages meanwhile.
bool Admit(const proto::Rule& rule, Fitness fitness, const Entry* serving,
           NextRules* next) {
  const bool fails = fitness == Fitness::kEmpty || fitness == Fitness::kWrong;
  const bool is_pinned = serving != nullptr && serving->state.is_pinned;
  if (rule.validity().valid() && !fails && !is_pinned) return true;
  next->withheld.push_back(
      {rule.site(), rule::RuleId(rule),
       is_pinned ? StrCat(serving->rule_id(), " is pinned and goes on serving")
                 : StrCat(fails ? kFailedFieldTest : WhyNotValid(rule),
                          "; until it passes, ",
                          serving == nullptr ? "its cluster has no rule"
                                             : StrCat(serving->rule_id(),
                                                      " goes on serving"))});
  return false;
}

// Steps 1 and 2.
class TrialMerge {
 public:
  TrialMerge(const NightFindings& findings, const Trials& trials, Rules* rules,
             NextRules* next)
      : findings_(findings), trials_(trials), rules_(*rules), next_(*next) {}

  void Apply() {
    RenewBellwethers();
    Entries& in_service = rules_.in_service();
    for (auto entry = in_service.begin(); entry != in_service.end();) {
      entry = Judge(entry);
    }
    std::vector<std::string> on_probation;  // clusters
    for (const auto& [cluster, entry] : rules_.probation()) {
      on_probation.push_back(cluster);
    }
    for (const std::string& cluster : on_probation) {
      TryAgain(rules_.probation().find(cluster));
    }
    ForgetLosses();
  }

 private:
  void RenewBellwethers() {
    for (const proto::Rule& renewed : findings_.renewed.rule()) {
      const auto entry = rules_.in_service().find(renewed.cluster_id());
      if (entry == rules_.in_service().end() ||
          entry->second.rule_id() != rule::WholeRuleId(renewed)) {
        continue;
      }
      *entry->second.rule.mutable_bellwether() = renewed.bellwether();
      ++next_.num_renewed;
    }
  }

  // Returns the rule behind it.
  Entries::iterator Judge(Entries::iterator entry) {
    const auto following = std::next(entry);
    const std::string& site = entry->second.rule.site();
    const Fitness fitness = trials_.Of(entry->second.rule);
    fitness_[entry->first] = fitness;
    if (entry->second.state.is_pinned) return following;
    // By reuse the site has what there is to have.
    const bool is_looked_after =
        findings_.reused.has_value() && findings_.changed_sites.count(site) > 0;
    if ((fitness == Fitness::kEmpty || fitness == Fitness::kWrong) &&
        !is_looked_after) {
      next_.losses.emplace(site, findings_.date);
    }
    if (fitness != Fitness::kWrong) return following;
    const std::string why = trials_.WhyWrong(entry->second.rule);
    next_.withdrawn.push_back({site, entry->second.rule_id(),
                               StrCat(why, "; it is tried again every night")});
    Entry wrong = std::move(entry->second);
    rules_.in_service().erase(entry);
    rules_.Suspend(std::move(wrong), why, /*is_missed=*/true);
    return following;
  }

  void TryAgain(Entries::iterator on_probation) {
    if (trials_.Of(on_probation->second.rule) != Fitness::kFit) return;
    const std::string cluster_id = on_probation->first;
    Entries& in_service = rules_.in_service();
    const auto serving = in_service.find(cluster_id);
    if (serving == in_service.end()) {
      rules_.Restore(on_probation, "it gives right records again");
    } else {
      const Fitness other = trials_.Of(serving->second.rule);
      if (other == Fitness::kFit || other == Fitness::kUnknown ||
          serving->second.state.is_pinned) {
        return;
      }
      Entry replaced = std::move(serving->second);
      const std::string replaced_id = replaced.rule_id();
      rules_.Restore(on_probation,
                     StrCat("it gives right records again, and ", replaced_id,
                            ", which had taken its place, does not"));
      rules_.Suspend(std::move(replaced),
                     StrCat(rules_.Serving(cluster_id)->rule_id(),
                            " is back in its place"),
                     /*is_missed=*/false);
    }
    fitness_[cluster_id] = Fitness::kFit;
    SuspendOtherDesign(in_service.at(cluster_id));
  }

  // Puts the rules on probation that a site's other design brought, later than
  // the rule that has come back, and that give nothing tonight.
  void SuspendOtherDesign(const Entry& restored) {
    Entries& in_service = rules_.in_service();
    for (auto entry = in_service.begin(); entry != in_service.end();) {
      const RuleState& state = entry->second.state;
      const auto fitness = fitness_.find(entry->first);
      if (state.site != restored.state.site || state.is_pinned ||
          state.cluster_date <= restored.state.cluster_date ||
          fitness == fitness_.end() || fitness->second != Fitness::kEmpty) {
        ++entry;
        continue;
      }
      Entry other = std::move(entry->second);
      entry = in_service.erase(entry);
      rules_.Suspend(
          std::move(other),
          StrCat("the site is back at the design of ", restored.rule_id()),
          /*is_missed=*/false);
    }
  }

  // A site whose rules all give records has lost nothing.
  void ForgetLosses() {
    std::map<std::string, bool> is_fit;  // by site
    for (const auto& [cluster, entry] : rules_.in_service()) {
      const auto fitness = fitness_.find(cluster);
      const bool fit =
          fitness != fitness_.end() && fitness->second == Fitness::kFit;
      const auto [site, is_first] = is_fit.emplace(entry.rule.site(), fit);
      site->second = site->second && fit;
    }
    std::erase_if(next_.losses, [&](const auto& loss) {
      const auto site = is_fit.find(loss.first);
      return site != is_fit.end() && site->second;
    });
  }

  const NightFindings& findings_;
  const Trials& trials_;
  Rules& rules_;
  NextRules& next_;
  std::map<std::string, Fitness> fitness_;  // of those in service, by cluster
};

// Step 3.
class ReuseMerge {
 public:
  ReuseMerge(const NightFindings& findings, const Trials& trials, Rules* rules,
             NextRules* next)
      : findings_(findings), trials_(trials), rules_(*rules), next_(*next) {}

  void Apply() {
    if (!findings_.reused.has_value()) return;
    std::vector<Entry> before = TakeRulesOfChangedSites();
    for (const proto::Rule& rule : findings_.reused->rules.rule()) {
      if (findings_.changed_sites.count(rule.site()) > 0) {
        BringIn(rule, before);
      }
    }
    std::set<std::string> without_records;
    for (Entry& entry : before) {
      const std::string site = entry.rule.site();
      if (!Settle(std::move(entry))) without_records.insert(site);
    }
    for (const std::string& site : findings_.changed_sites) {
      if (without_records.count(site) > 0) {
        next_.losses.emplace(site, findings_.date);
      } else if (NeedsNobody(site)) {
        next_.losses.erase(site);
      }
    }
    // What has a successor is not missed.
    std::erase_if(next_.withdrawn, [&](const RuleMove& rule) {
      return repaired_sites_.count(rule.site) > 0;
    });
    for (const std::string& site : repaired_sites_) rules_.ForgetMissed(site);
  }

 private:
  // Whether a rule stays where it is: one that is pinned, or came back tonight.
  bool Stays(const Entry& entry) const {
    return entry.state.is_pinned ||
           std::any_of(next_.restored.begin(), next_.restored.end(),
                       [&](const RuleMove& restored) {
                         return restored.rule_id == entry.rule_id();
                       });
  }

  std::vector<Entry> TakeRulesOfChangedSites() {
    std::vector<Entry> taken;
    Entries& in_service = rules_.in_service();
    for (auto entry = in_service.begin(); entry != in_service.end();) {
      if (findings_.changed_sites.count(entry->second.rule.site()) == 0 ||
          Stays(entry->second)) {
        ++entry;
        continue;
      }
      taken.push_back(std::move(entry->second));
      entry = in_service.erase(entry);
    }
    return taken;
  }

  void BringIn(const proto::Rule& rule, const std::vector<Entry>& before) {
    const Entry* const serving = rules_.Serving(rule.cluster_id());
    if (serving != nullptr && !serving->state.is_pinned) return;
    if (!Admit(rule, Fitness::kUnknown, serving, &next_)) return;
    const std::string rule_id = rule::WholeRuleId(rule);
    goes_on_.insert(rule_id);
    goes_on_.insert(rule.reused_from());
    repaired_sites_.insert(rule.site());
    next_.cluster_dates[rule.site()] = findings_.date;
    ++next_.num_reused;
    rules_.BringIn(rule,
                   rule.reused_from().empty()
                       ? "found again after the site changed"
                       : "holds after the site changed",
                   findings_.date);
    Entry& served = rules_.in_service()[rule.cluster_id()];
    for (const Entry& entry : before) {
      if (entry.rule_id() == rule_id) served.state.since = entry.state.since;
      // The same program: what it gave wrongly it still does.
      if (rule::RuleId(entry.rule) == rule.reused_from()) {
        served.state.switched_off = entry.state.switched_off;
        *served.rule.mutable_switched_off() = entry.rule.switched_off();
      }
    }
  }

  // Whether reuse leaves no cluster of a site to an editor.
  bool NeedsNobody(const std::string& site) const {
    return std::none_of(
        findings_.reused->statuses.begin(), findings_.reused->statuses.end(),
        [&](const tables::ClusterStatus& status) {
          return status.site == site && status.status == "needs_annotation";
        });
  }

  // Finds a place for a rule that served the site before it changed. False: it
  // goes on serving, and gives no records.
  bool Settle(Entry entry) {
    const std::string cluster_id = entry.rule.cluster_id();
    const Entry* const successor = rules_.Serving(cluster_id);
    if (successor != nullptr && successor->rule_id() == entry.rule_id()) {
      return true;
    }
    const Fitness fitness = trials_.Of(entry.rule);
    const bool is_repaired = repaired_sites_.count(entry.rule.site()) > 0;
    const bool is_of_use = fitness == Fitness::kFit ||
                           fitness == Fitness::kUnknown ||
                           (fitness == Fitness::kEmpty && !is_repaired);
    const bool goes_on = goes_on_.count(entry.rule_id()) > 0 ||
                         goes_on_.count(rule::RuleId(entry.rule)) > 0;
    if (successor == nullptr && !goes_on && is_of_use) {
      rules_.in_service()[cluster_id] = std::move(entry);
      return fitness != Fitness::kEmpty;
    }
    rules_.Suspend(std::move(entry),
                   "the site changed and another took its place",
                   /*is_missed=*/false);
    return true;
  }

  const NightFindings& findings_;
  const Trials& trials_;
  Rules& rules_;
  NextRules& next_;
  std::set<std::string> goes_on_;         // rule_ids, under whatever cluster
  std::set<std::string> repaired_sites_;  // have a rule by reuse
};

// Returns "movie/" for the sample "movie/2026-01-01".
std::string VerticalOf(const std::string& sample) {
  return sample.substr(0, sample.rfind('/') + 1);
}
std::string DateOf(const std::string& sample) {
  return sample.substr(sample.rfind('/') + 1);
}

// What the samples of a night have to say to each other.
class Samples {
 public:
  Samples(const NightFindings& findings, const LearntRules& before) {
    for (const auto& [sample, learnt] : findings.learnt) {
      const auto known = before.find(sample);
      for (const proto::Rule& rule : learnt.rules.rule()) {
        std::string& last =
            last_sample_of_site_[VerticalOf(sample) + rule.site()];
        last = sample;
        if (known != before.end() &&
            known->second.count(rule::RuleId(rule)) > 0) {
          continue;
        }
        const auto [meant, is_first] =
            meant_.emplace(rule.cluster_id(), Meant{sample, &rule.schema()});
        if (!is_first &&
            VerticalOf(meant->second.sample) == VerticalOf(sample)) {
          meant->second.sample = sample;
        }
      }
    }
  }

  // Returns the schema of another vertical that has a new rule for the cluster
  // and comes first; null where there is none.
  const proto::Schema* OtherSchema(const std::string& sample,
                                   const proto::Rule& rule) const {
    const Meant& meant = meant_.at(rule.cluster_id());
    return VerticalOf(meant.sample) == VerticalOf(sample) ? nullptr
                                                          : meant.schema;
  }
  // Returns whether a later sample of the vertical has a new rule for the
  // cluster. Only such rules went through the field test.
  bool IsOutdone(const std::string& sample, const proto::Rule& rule) const {
    return meant_.at(rule.cluster_id()).sample != sample;
  }
  // Returns whether a later sample of the vertical has a rule for the site.
  bool IsLearntSince(const std::string& sample, const proto::Rule& rule) const {
    return last_sample_of_site_.at(VerticalOf(sample) + rule.site()) > sample;
  }

 private:
  struct Meant {
    std::string sample;
    const proto::Schema* schema;
  };

  std::map<std::string, Meant> meant_;  // by cluster
  std::map<std::string, std::string> last_sample_of_site_;
};

// The rules of one sample that learning gave before and gives now: step 4.
class LearntMerge {
 public:
  LearntMerge(const NightFindings& findings, const Trials& trials,
              const Samples& samples, Rules* rules, NextRules* next)
      : findings_(findings),
        trials_(trials),
        samples_(samples),
        rules_(*rules),
        next_(*next) {}

  void Add(const std::string& sample, const FoundRules& learnt) {
    const std::set<std::string> before = std::move(next_.learnt[sample]);
    std::set<std::string> now;
    for (const proto::Rule& rule : learnt.rules.rule()) {
      const std::string rule_id = rule::RuleId(rule);
      if (before.count(rule_id) > 0) {
        now.insert(rule_id);
        continue;
      }
      const Verdict verdict = Judge(sample, rule);
      if (verdict != Verdict::kWithheld) now.insert(rule_id);
      if (verdict == Verdict::kAdmitted) {
        BringIn(sample, rule, before);
        continue;
      }
      const Entry* const serving = rules_.Serving(rule.cluster_id());
      if (serving != nullptr && before.count(serving->rule_id()) > 0) {
        // A rule whose successor does not come in goes on, and goes on counting
        // as one that learning gives.
        now.insert(serving->rule_id());
      }
    }
    const auto is_gone = [&](const Entry& entry) {
      return !entry.state.is_pinned && before.count(entry.rule_id()) > 0 &&
             now.count(entry.rule_id()) == 0;
    };
    std::erase_if(rules_.in_service(), [&](const auto& entry) {
      if (!is_gone(entry.second)) return false;
      next_.withdrawn.push_back({entry.second.rule.site(),
                                 entry.second.rule_id(),
                                 "learning no longer gives it"});
      return true;
    });
    std::erase_if(rules_.probation(),
                  [&](const auto& entry) { return is_gone(entry.second); });
    next_.learnt[sample] = std::move(now);
  }

 private:
  enum class Verdict {
    kAdmitted,
    kWithheld,    // until it passes; people are told
    kSuperseded,  // for good: the site was learnt again since
  };

  Verdict Judge(const std::string& sample, const proto::Rule& rule) {
    const Entry* const serving = rules_.Serving(rule.cluster_id());
    // A cluster is a page of one vertical.
    const proto::Schema* other = samples_.OtherSchema(sample, rule);
    if (serving != nullptr &&
        serving->rule.schema().name() != rule.schema().name()) {
      other = &serving->rule.schema();
    }
    if (other != nullptr) {
      next_.withheld.push_back(
          {rule.site(), rule::RuleId(rule),
           StrCat("it is of schema ", rule.schema().name(), ", and cluster ",
                  rule.cluster_id(), " has a rule of schema ", other->name(),
                  "; annotate {\"url\":...,\"skip\":true} in one of them")});
      return Verdict::kWithheld;
    }
    if (samples_.IsOutdone(sample, rule)) return Verdict::kSuperseded;
    const Fitness fitness = trials_.Of(rule);
    const bool fails = fitness == Fitness::kEmpty || fitness == Fitness::kWrong;
    if (fails && samples_.IsLearntSince(sample, rule)) {
      return Verdict::kSuperseded;
    }
    if (Admit(rule, fitness, serving, &next_)) return Verdict::kAdmitted;
    // The site has changed since it was sampled: its editor is asked again.
    if (fails && !rules_.IsServed(rule.site())) {
      const auto [loss, is_new] =
          next_.losses.emplace(rule.site(), findings_.date);
      // It has changed once more since it was sampled for the loss.
      if (!is_new && loss->second <= DateOf(sample)) {
        loss->second = findings_.date;
      }
    }
    return Verdict::kWithheld;
  }

  void BringIn(const std::string& sample, const proto::Rule& rule,
               const std::set<std::string>& before) {
    ++next_.num_learnt;
    const std::string date = DateOf(sample);
    std::optional<Entry> replaced = rules_.BringIn(rule, "learnt", date);
    // One of the same sample was learnt from less; one that has served another
    // design of the site may be needed again.
    if (replaced.has_value() && before.count(replaced->rule_id()) == 0) {
      rules_.Suspend(*std::move(replaced), "another was learnt for its pages",
                     /*is_missed=*/false);
    }
    std::string& latest = next_.cluster_dates[rule.site()];
    latest = std::max(latest, date);
    next_.losses.erase(rule.site());
    rules_.ForgetMissed(rule.site());
  }

  const NightFindings& findings_;
  const Trials& trials_;
  const Samples& samples_;
  Rules& rules_;
  NextRules& next_;
};

// Step 5. Rules are known to the trials by what they gave when the night began,
// so what they give changes last.
class AttributeMerge {
 public:
  AttributeMerge(const NightFindings& findings, const Trials& trials,
                 Rules* rules, NextRules* next)
      : findings_(findings), trials_(trials), rules_(*rules), next_(*next) {}

  void Apply() {
    for (auto& [cluster, entry] : rules_.in_service()) {
      if (!entry.state.is_pinned) Switch(&entry);
    }
  }

 private:
  void Switch(Entry* entry) {
    const auto wrong = trials_.WrongAttributes(entry->rule);
    if (!wrong.has_value()) return;
    std::vector<SwitchedOff> off;
    for (const SwitchedOff& before : entry->state.switched_off) {
      if (wrong->count(before.attribute) > 0) {
        off.push_back(before);
      } else {
        next_.attributes.push_back({entry->rule.site(), entry->rule_id(),
                                    before.attribute, /*is_off=*/false,
                                    StrCat("it is right again; since ",
                                           before.since, " ", before.why)});
      }
    }
    for (const auto& [attribute, why] : *wrong) {
      if (std::find_if(off.begin(), off.end(),
                       [&name = attribute](const SwitchedOff& one) {
                         return one.attribute == name;
                       }) != off.end()) {
        continue;
      }
      off.push_back({attribute, findings_.date, why});
      next_.attributes.push_back({entry->rule.site(), entry->rule_id(),
                                  attribute, /*is_off=*/true, why});
    }
    entry->state.switched_off = off;
    entry->state.back_when =
        off.empty() ? ""
                    : "what is switched off is as it was on most bellwethers";
    entry->rule.clear_switched_off();
    for (const SwitchedOff& one : off) {
      entry->rule.add_switched_off(one.attribute);
    }
  }

  const NightFindings& findings_;
  const Trials& trials_;
  Rules& rules_;
  NextRules& next_;
};

// Returns the status of each rule, and the clusters that are not wanted: reuse
// does not ask an editor again for what these turn into.
std::vector<tables::ClusterStatus> StatusesOf(const RulesBefore& before,
                                              const NightFindings& findings,
                                              const Entries& entries) {
  std::map<std::string, tables::ClusterStatus> statuses;
  const auto add_ignored =
      [&](const std::vector<tables::ClusterStatus>& lines) {
        for (const tables::ClusterStatus& line : lines) {
          if (line.status == "ignored") statuses[line.cluster_id] = line;
        }
      };
  add_ignored(before.content.statuses);
  for (const auto& [sample, learnt] : findings.learnt) {
    add_ignored(learnt.statuses);
  }
  if (findings.reused.has_value()) add_ignored(findings.reused->statuses);
  for (const auto& [cluster, entry] : entries) {
    tables::ClusterStatus& status = statuses[cluster];
    status = {};
    status.site = entry.rule.site();
    status.cluster_id = cluster;
    status.status = "done";
    status.reused_from = entry.rule.reused_from();
    status.reason = entry.state.why;
    for (const proto::SamplePage& page : entry.rule.sample_page()) {
      status.annotated_pages += page.annotated() ? 1 : 0;
    }
  }
  std::vector<tables::ClusterStatus> result;
  result.reserve(statuses.size());
  for (auto& [cluster, status] : statuses) result.push_back(std::move(status));
  return result;
}

}  // namespace

NextRules MakeNextRules(const RulesBefore& before,
                        const NightFindings& findings) {
  NextRules next;
  next.learnt = before.learnt;
  next.cluster_dates = before.cluster_dates;
  next.losses = before.losses;
  const Trials trials(findings);
  Rules rules(before, findings, &next);
  TrialMerge(findings, trials, &rules, &next).Apply();
  ReuseMerge(findings, trials, &rules, &next).Apply();
  const Samples samples(findings, before.learnt);
  LearntMerge merge(findings, trials, samples, &rules, &next);
  for (const auto& [sample, learnt] : findings.learnt) {
    merge.Add(sample, learnt);
  }
  AttributeMerge(findings, trials, &rules, &next).Apply();
  std::vector<tables::ClusterStatus> statuses =
      StatusesOf(before, findings, rules.in_service());
  next.content = std::move(rules).Content();
  next.content.statuses = std::move(statuses);
  return next;
}

}  // namespace trommel::jobs::rule_store
