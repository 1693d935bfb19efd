#include "jobs/reuse/outcome.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/learn/site_learning.h"
#include "core/rule/rule.h"
#include "jobs/tables/clusters_table.h"

namespace trommel::jobs::reuse_job {
namespace {

class OutcomeMaker {
 public:
  explicit OutcomeMaker(const ReuseFindings& findings)
      : findings_(findings), plan_(*findings.plan) {
    for (const proto::Rule& rule : findings_.rules.rule()) {
      old_rules_[rule.cluster_id()] = &rule;
    }
    for (const tables::ClusterStatus& status : findings_.statuses) {
      old_statuses_[status.cluster_id] = &status;
    }
  }

  ReuseOutcome Make() {
    for (const auto& [id, cluster] : plan_.clusters()) Decide(cluster);
    std::set<std::string> absent;
    for (const proto::Rule& rule : findings_.rules.rule()) {
      if (!plan_.files().IsWanted(rule.site())) {
        ++outcome_.rules_of_other_sites;
        CarryOver(rule, "its site is not among those of --sites");
      } else if (plan_.overlap().sites.count(rule.site()) == 0) {
        ++outcome_.rules_of_absent_sites;
        absent.insert(rule.site());
        CarryOver(rule, "no page of its site is in the new crawl");
      } else {
        ++outcome_.rules_before;
        if (used_.count(rule.cluster_id()) == 0) Retire(rule);
      }
    }
    outcome_.absent_sites = static_cast<int64_t>(absent.size());
    CarryOverStatuses();
    outcome_.rules_by_cluster_match =
        static_cast<int64_t>(by_cluster_match_.size());
    Sort();
    return std::move(outcome_);
  }

 private:
  // --- New clusters ---------------------------------------------------------

  void Decide(const ReusePlan::Cluster& cluster) {
    const tables::ClusterRow& row = cluster.row;
    reuse::ReuseDecision decision = plan_.Decide(cluster, findings_.tests);
    const Repair* repair = nullptr;
    if (decision.repair >= 0) repair = AfterRepair(cluster, &decision);
    const std::string old_cluster_id =
        decision.old_cluster < 0
            ? ""
            : cluster.old[static_cast<size_t>(decision.old_cluster)].cluster_id;
    const auto old_rule = old_rules_.find(old_cluster_id);

    tables::DecisionRow written = RowOf(cluster, decision);
    written.old_cluster_id = old_cluster_id;
    if (old_rule != old_rules_.end()) {
      written.old_rule_id = rule::RuleId(*old_rule->second);
    }
    tables::ClusterStatus status;
    status.site = row.site;
    status.cluster_id = row.cluster_id;
    status.reason = decision.reason;
    const FieldTests::Key key(row.cluster_id, old_cluster_id);
    switch (decision.kind) {
      case reuse::ReuseKind::kReused: {
        proto::Rule& rule = AddRule(Moved(*old_rule->second, row));
        AddBellwethers(findings_.tests, key, &rule);
        status.reused_from = rule.reused_from();
        written.rule_id = rule::RuleId(rule);
        used_.insert(old_cluster_id);
        if (decision.how == reuse::HowMatched::kCluster) {
          by_cluster_match_.insert(old_cluster_id);
        }
        outcome_.reused_untested += decision.counts.shared == 0 ? 1 : 0;
        ++outcome_.by_how[std::string(reuse::HowMatchedName(decision.how))];
        FinishWithRule(cluster, old_cluster_id, &status);
        break;
      }
      case reuse::ReuseKind::kRepaired: {
        proto::Rule& rule = AddRule(*repair->rule);
        AddBellwethers(findings_.repaired_tests, key, &rule);
        written.rule_id = rule::RuleId(rule);
        used_.insert(old_cluster_id);
        FinishWithRule(cluster, old_cluster_id, &status);
        break;
      }
      case reuse::ReuseKind::kIgnored:
        status.status = learn::LearnStatusName(learn::LearnStatus::kIgnored);
        break;
      case reuse::ReuseKind::kAnnotate:
        AskFor(cluster, &status);
    }
    AddFigures(cluster, decision.kind);
    outcome_.decisions.push_back(std::move(written));
    outcome_.statuses.push_back(std::move(status));
  }

  // Null where no rule came of it.
  const Repair* AfterRepair(const ReusePlan::Cluster& cluster,
                            reuse::ReuseDecision* decision) const {
    const std::vector<reuse::Trial> trials =
        plan_.TrialsOf(cluster, findings_.tests);
    const reuse::Trial& broken = trials[static_cast<size_t>(decision->repair)];
    const auto repair = findings_.repairs.find(cluster.row.cluster_id);
    reuse::RepairTrial trial;
    if (!findings_.repair) {
      trial.reason = "--repair=false";
    } else if (repair == findings_.repairs.end()) {
      trial.reason = "no page of those crawled before is there to learn from";
    } else {
      trial.reason = repair->second.reason;
      if (repair->second.rule.has_value()) trial.rule = &*repair->second.rule;
      const auto counts = findings_.repaired_tests.counts.find(
          {cluster.row.cluster_id, repair->second.old_cluster_id});
      if (counts != findings_.repaired_tests.counts.end()) {
        trial.counts = counts->second;
      }
    }
    *decision =
        reuse::DecideRepair(*decision, broken, trial, plan_.files().thresholds);
    return repair == findings_.repairs.end() ? nullptr : &repair->second;
  }

  static tables::DecisionRow RowOf(const ReusePlan::Cluster& cluster,
                                   const reuse::ReuseDecision& decision) {
    tables::DecisionRow row;
    row.site = cluster.row.site;
    row.cluster_id = cluster.row.cluster_id;
    row.size = cluster.row.size;
    row.decision = reuse::ReuseKindName(decision.kind);
    if (decision.kind == reuse::ReuseKind::kReused ||
        decision.kind == reuse::ReuseKind::kRepaired) {
      row.how = reuse::HowMatchedName(decision.how);
    }
    for (const reuse::OldCluster& old : cluster.old) {
      row.shared_urls += old.shared_urls;
    }
    row.passed = decision.counts.passed;
    row.null = decision.counts.null;
    row.wrong = decision.counts.wrong;
    row.appeared = decision.counts.appeared;
    row.silent = decision.counts.silent;
    row.unshared = decision.counts.unshared;
    row.reason = decision.reason;
    return row;
  }

  // The rule as it is, for the new cluster.
  static proto::Rule Moved(const proto::Rule& rule,
                           const tables::ClusterRow& row) {
    proto::Rule moved = tables::AboutCluster(row);
    *moved.mutable_schema() = rule.schema();
    *moved.mutable_program() = rule.program();
    moved.set_learner(rule.learner());
    *moved.mutable_sample_page() = rule.sample_page();
    *moved.mutable_validity() = rule.validity();
    moved.set_reused_from(rule::RuleId(rule));
    return moved;
  }

  proto::Rule& AddRule(proto::Rule rule) {
    proto::Rule* const added = outcome_.rules.add_rule();
    *added = std::move(rule);
    return *added;
  }

  // Pages that passed, with what the rule extracts from them now; where none
  // was crawled before, pages that give a record.
  static void AddBellwethers(const FieldTests& tests,
                             const FieldTests::Key& key, proto::Rule* rule) {
    rule->clear_bellwether();
    auto sample = tests.passed.find(key);
    if (sample == tests.passed.end()) {
      sample = tests.complete.find(key);
      if (sample == tests.complete.end()) return;
    }
    for (proto::PageRecords& page : sample->second.Pages()) {
      *rule->add_bellwether() = std::move(page);
    }
  }

  // A rule that was not finished before is not finished now.
  void FinishWithRule(const ReusePlan::Cluster& cluster,
                      const std::string& old_cluster_id,
                      tables::ClusterStatus* status) {
    const auto before = old_statuses_.find(old_cluster_id);
    const std::string done(learn::LearnStatusName(learn::LearnStatus::kDone));
    if (before == old_statuses_.end() || before->second->status == done) {
      status->status = done;
      return;
    }
    StrAppend(&status->reason,
              "; the rule was not finished before: ", before->second->reason);
    AskFor(cluster, status);
  }

  void AskFor(const ReusePlan::Cluster& cluster,
              tables::ClusterStatus* status) {
    if (cluster.row.example_urls.empty()) {
      status->status = learn::LearnStatusName(learn::LearnStatus::kFailed);
      return;
    }
    status->status =
        learn::LearnStatusName(learn::LearnStatus::kNeedsAnnotation);
    status->next_url = cluster.row.example_urls[0];
    outcome_.to_annotate.push_back({cluster.row.site, cluster.row.cluster_id,
                                    cluster.row.size, status->next_url,
                                    status->reason});
  }

  void AddFigures(const ReusePlan::Cluster& cluster, reuse::ReuseKind kind) {
    ++outcome_.clusters;
    ++outcome_.by_kind[std::string(reuse::ReuseKindName(kind))];
    if (kind == reuse::ReuseKind::kIgnored) return;
    SiteFigures& site = outcome_.sites[cluster.row.site];
    ++site.clusters;
    site.pages += cluster.pages;
    site.nowhere += cluster.nowhere;
    site.reused += kind == reuse::ReuseKind::kReused ? cluster.pages : 0;
    site.repaired += kind == reuse::ReuseKind::kRepaired ? cluster.pages : 0;
    site.to_annotate += kind == reuse::ReuseKind::kAnnotate ? cluster.pages : 0;
  }

  // --- Old rules ------------------------------------------------------------

  void CarryOver(const proto::Rule& rule, const std::string& why) {
    tables::DecisionRow row;
    row.site = rule.site();
    row.cluster_id = rule.cluster_id();
    row.decision = tables::kCarriedOver;
    row.rule_id = row.old_rule_id = rule::RuleId(rule);
    row.old_cluster_id = rule.cluster_id();
    row.reason = StrCat("as it was: ", why);
    outcome_.decisions.push_back(row);
    if (old_statuses_.count(rule.cluster_id()) == 0) {
      tables::ClusterStatus status;
      status.site = rule.site();
      status.cluster_id = rule.cluster_id();
      status.status = learn::LearnStatusName(learn::LearnStatus::kDone);
      status.reason = row.reason;
      outcome_.statuses.push_back(std::move(status));
    }
    AddRule(rule);
  }

  void Retire(const proto::Rule& rule) {
    ++outcome_.rules_retired;
    tables::DecisionRow row;
    row.site = rule.site();
    row.decision = tables::kRetired;
    row.old_rule_id = rule::RuleId(rule);
    row.old_cluster_id = rule.cluster_id();
    row.reason = !plan_.HasOldCluster(rule.cluster_id())
                     ? "its cluster is not in --old-clusters"
                     : "no new cluster goes on with it";
    outcome_.decisions.push_back(std::move(row));
  }

  void CarryOverStatuses() {
    for (const tables::ClusterStatus& status : findings_.statuses) {
      if (!plan_.files().IsWanted(status.site) ||
          plan_.overlap().sites.count(status.site) == 0) {
        outcome_.statuses.push_back(status);
      }
    }
  }

  void Sort() {
    const auto key = [](const tables::DecisionRow& row) {
      return std::tie(row.site, row.cluster_id, row.old_cluster_id);
    };
    std::sort(outcome_.decisions.begin(), outcome_.decisions.end(),
              [&](const tables::DecisionRow& a, const tables::DecisionRow& b) {
                return key(a) < key(b);
              });
    std::sort(outcome_.to_annotate.begin(), outcome_.to_annotate.end(),
              [](const tables::ToAnnotate& a, const tables::ToAnnotate& b) {
                if (a.pages != b.pages) return a.pages > b.pages;
                return std::tie(a.site, a.cluster_id) <
                       std::tie(b.site, b.cluster_id);
              });
  }

  const ReuseFindings& findings_;
  const ReusePlan& plan_;
  std::map<std::string, const proto::Rule*> old_rules_;  // by cluster
  std::map<std::string, const tables::ClusterStatus*>
      old_statuses_;                        // by cluster
  std::set<std::string> used_;              // old clusters whose rules go on
  std::set<std::string> by_cluster_match_;  // these by that
  ReuseOutcome outcome_;
};

}  // namespace

double SiteFigures::CoverageDrop() const { return ShareOf(nowhere, pages); }
double SiteFigures::ReusedShare() const { return ShareOf(reused, pages); }

ReuseOutcome MakeOutcome(const ReuseFindings& findings) {
  return OutcomeMaker(findings).Make();
}

}  // namespace trommel::jobs::reuse_job
