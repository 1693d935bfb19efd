#include "jobs/rule_store/next_rules.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/rule/rule.h"

namespace trommel {
namespace {

constexpr char kFailedFieldTest[] = "failed its field test on today's crawl";

struct Entry {
  proto::Rule rule;
  std::string rule_id;
  std::string reason;  // of being in service
};

// By cluster.
using Entries = std::map<std::string, Entry>;

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

// Whether the rule may serve; otherwise it is listed as withheld, with what
// serves its pages meanwhile.
bool Admit(const proto::Rule& rule, const std::string& rule_id,
           const std::set<std::string>& broken, const Entries& entries,
           NextRules* next) {
  const bool is_broken = broken.count(rule_id) > 0;
  if (rule.validity().valid() && !is_broken) return true;
  const auto serving = entries.find(rule.cluster_id());
  next->withheld.push_back(
      {rule.site(), rule_id,
       StrCat(is_broken ? kFailedFieldTest : WhyNotValid(rule),
              "; until it passes, ",
              serving == entries.end()
                  ? "its cluster has no rule"
                  : StrCat(serving->second.rule_id, " goes on serving"))});
  return false;
}

void Withdraw(Entries* entries, Entries::iterator entry, std::string reason,
              NextRules* next, Entries::iterator* following) {
  next->withdrawn.push_back(
      {entry->second.rule.site(), entry->second.rule_id, std::move(reason)});
  *following = entries->erase(entry);
}

void ApplyReuse(const NightFindings& findings, Entries* entries,
                NextRules* next) {
  if (!findings.reused.has_value()) return;
  for (const std::string& site : findings.changed_sites) {
    next->cluster_dates[site] = findings.date;
    next->losses.erase(site);
  }
  Entries of_changed_sites;
  for (auto entry = entries->begin(); entry != entries->end();) {
    if (findings.changed_sites.count(entry->second.rule.site()) == 0) {
      ++entry;
      continue;
    }
    of_changed_sites.insert(entries->extract(entry++));
  }
  std::set<std::string> kept;
  for (const proto::Rule& rule : findings.reused->rules.rule()) {
    if (findings.changed_sites.count(rule.site()) == 0) continue;
    const std::string rule_id = RuleId(rule);
    if (!Admit(rule, rule_id, /*broken=*/{}, *entries, next)) continue;
    kept.insert(rule_id);
    kept.insert(rule.reused_from());
    ++next->num_reused;
    (*entries)[rule.cluster_id()] = {rule, rule_id,
                                     rule.reused_from().empty()
                                         ? "found again after the site changed"
                                         : "holds after the site changed"};
  }
  for (const auto& [cluster, entry] : of_changed_sites) {
    if (kept.count(entry.rule_id) == 0) {
      next->withdrawn.push_back({entry.rule.site(), entry.rule_id,
                                 "the site changed and it no longer holds"});
    }
  }
}

void WithdrawBroken(const NightFindings& findings, Entries* entries,
                    NextRules* next) {
  for (auto entry = entries->begin(); entry != entries->end();) {
    const bool replaced =
        findings.reused.has_value() &&
        findings.changed_sites.count(entry->second.rule.site()) > 0;
    if (replaced || findings.broken.count(entry->second.rule_id) == 0) {
      ++entry;
      continue;
    }
    next->losses[entry->second.rule.site()] = findings.date;
    Withdraw(entries, entry, kFailedFieldTest, next, &entry);
  }
}

// A cluster is a page of one vertical.
absl::Status CheckSchemas(const NightFindings& findings) {
  std::map<std::string, std::string> schemas;  // by cluster
  for (const auto& [sample, learnt] : findings.learnt) {
    for (const proto::Rule& rule : learnt.rules.rule()) {
      const auto [other, is_new] =
          schemas.emplace(rule.cluster_id(), rule.schema().name());
      if (other->second == rule.schema().name()) continue;
      return absl::InvalidArgumentError(
          StrCat("cluster ", rule.cluster_id(), " of ", rule.site(),
                 " has a rule of schema ", other->second, " and one of schema ",
                 rule.schema().name(),
                 "; annotate {\"url\":...,\"skip\":true} in one of them"));
    }
  }
  return absl::OkStatus();
}

// The sample whose rule counts for a cluster: where several samples have a new
// one, the last. Those alone went through the field test.
std::map<std::string, std::string> LastNewRules(const NightFindings& findings,
                                                const LearntRules& before) {
  std::map<std::string, std::string> samples;  // by cluster
  for (const auto& [sample, learnt] : findings.learnt) {
    const auto known = before.find(sample);
    for (const proto::Rule& rule : learnt.rules.rule()) {
      if (known != before.end() && known->second.count(RuleId(rule)) > 0) {
        continue;
      }
      samples[rule.cluster_id()] = sample;
    }
  }
  return samples;
}

// Of one sample: which rules learning gave before and gives now. A rule whose
// successor is withheld goes on, and goes on counting as one that learning
// gives. `outdone` are clusters that a later sample has a new rule for.
void MergeLearnt(const std::string& date, const std::set<std::string>& broken,
                 const std::set<std::string>& outdone,
                 const std::set<std::string>& before, const FoundRules& learnt,
                 std::set<std::string>* now, Entries* entries,
                 NextRules* next) {
  for (const proto::Rule& rule : learnt.rules.rule()) {
    const std::string rule_id = RuleId(rule);
    if (before.count(rule_id) == 0) {
      const auto serving = entries->find(rule.cluster_id());
      const bool is_outdone = outdone.count(rule.cluster_id()) > 0;
      if (is_outdone) now->insert(rule_id);
      if (is_outdone || !Admit(rule, rule_id, broken, *entries, next)) {
        if (serving != entries->end() &&
            before.count(serving->second.rule_id) > 0) {
          now->insert(serving->second.rule_id);
        }
        continue;
      }
      ++next->num_learnt;
      (*entries)[rule.cluster_id()] = {rule, rule_id, "learnt"};
      std::string& latest = next->cluster_dates[rule.site()];
      latest = std::max(latest, date);
      next->losses.erase(rule.site());
    }
    now->insert(rule_id);
  }
  for (auto entry = entries->begin(); entry != entries->end();) {
    const std::string& rule_id = entry->second.rule_id;
    if (before.count(rule_id) == 0 || now->count(rule_id) > 0) {
      ++entry;
      continue;
    }
    Withdraw(entries, entry, "learning no longer gives it", next, &entry);
  }
}

// The status of each rule, and the clusters that are not wanted: reuse does not
// ask an editor again for what these turn into.
std::vector<ClusterStatus> StatusesOf(const RulesBefore& before,
                                      const NightFindings& findings,
                                      const Entries& entries) {
  std::map<std::string, ClusterStatus> statuses;
  const auto add_ignored = [&](const std::vector<ClusterStatus>& lines) {
    for (const ClusterStatus& line : lines) {
      if (line.status == "ignored") statuses[line.cluster_id] = line;
    }
  };
  add_ignored(before.found.statuses);
  for (const auto& [sample, learnt] : findings.learnt) {
    add_ignored(learnt.statuses);
  }
  if (findings.reused.has_value()) add_ignored(findings.reused->statuses);
  for (const auto& [cluster, entry] : entries) {
    ClusterStatus& status = statuses[cluster];
    status = {};
    status.site = entry.rule.site();
    status.cluster_id = cluster;
    status.status = "done";
    status.reused_from = entry.rule.reused_from();
    status.reason = entry.reason;
    for (const proto::SamplePage& page : entry.rule.sample_page()) {
      status.annotated_pages += page.annotated() ? 1 : 0;
    }
  }
  std::vector<ClusterStatus> result;
  for (auto& [cluster, status] : statuses) result.push_back(std::move(status));
  return result;
}

}  // namespace

absl::StatusOr<NextRules> MakeNextRules(const RulesBefore& before,
                                        const NightFindings& findings) {
  TROMMEL_RETURN_IF_ERROR(CheckSchemas(findings));
  NextRules next;
  next.learnt = before.learnt;
  next.cluster_dates = before.cluster_dates;
  next.losses = before.losses;
  Entries entries;
  for (const proto::Rule& rule : before.found.rules.rule()) {
    entries[rule.cluster_id()] = {rule, RuleId(rule), "was in service"};
  }
  ApplyReuse(findings, &entries, &next);
  WithdrawBroken(findings, &entries, &next);
  const std::map<std::string, std::string> last =
      LastNewRules(findings, before.learnt);
  for (const auto& [sample, learnt] : findings.learnt) {
    const std::string date = sample.substr(sample.rfind('/') + 1);
    std::set<std::string> outdone;
    for (const auto& [cluster, by] : last) {
      if (by != sample) outdone.insert(cluster);
    }
    std::set<std::string> now;
    MergeLearnt(date, findings.broken, outdone, next.learnt[sample], learnt,
                &now, &entries, &next);
    next.learnt[sample] = std::move(now);
  }
  next.statuses = StatusesOf(before, findings, entries);
  for (auto& [cluster, entry] : entries) {
    *next.rules.add_rule() = std::move(entry.rule);
  }
  SortRules(&next.rules);
  return next;
}

}  // namespace trommel
