#include "jobs/rule_store/next_rules.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/status.h"
#include "core/rule/rule.h"

namespace trommel::jobs::rule_store {
namespace {

constexpr char kFailedFieldTest[] = "failed its field test on today's crawl";

struct Entry {
  proto::Rule rule;
  std::string rule_id;
  std::string reason;  // of being in service
};

// The rules, by cluster.
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

// Returns whether the rule may serve; otherwise it is listed as withheld, with
// what serves its pages meanwhile.
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
  Entries changed_site_entries;
  for (auto entry = entries->begin(); entry != entries->end();) {
    if (findings.changed_sites.count(entry->second.rule.site()) == 0) {
      ++entry;
      continue;
    }
    changed_site_entries.insert(entries->extract(entry++));
  }
  std::set<std::string> kept;
  for (const proto::Rule& rule : findings.reused->rules.rule()) {
    if (findings.changed_sites.count(rule.site()) == 0) continue;
    const std::string rule_id = rule::RuleId(rule);
    if (!Admit(rule, rule_id, /*broken=*/{}, *entries, next)) continue;
    kept.insert(rule_id);
    kept.insert(rule.reused_from());
    ++next->num_reused;
    (*entries)[rule.cluster_id()] = {rule, rule_id,
                                     rule.reused_from().empty()
                                         ? "found again after the site changed"
                                         : "holds after the site changed"};
  }
  for (const auto& [cluster, entry] : changed_site_entries) {
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

// The rules of one sample that learning gave before and gives now.
class LearntMerge {
 public:
  LearntMerge(const NightFindings& findings, const Samples& samples,
              Entries* entries, NextRules* next)
      : findings_(findings),
        samples_(samples),
        entries_(*entries),
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
      const auto serving = entries_.find(rule.cluster_id());
      const Verdict verdict = Judge(sample, rule, rule_id, serving);
      if (verdict != Verdict::kWithheld) now.insert(rule_id);
      if (verdict == Verdict::kAdmitted) {
        BringIn(DateOf(sample), rule, rule_id);
      } else if (serving != entries_.end() &&
                 before.count(serving->second.rule_id) > 0) {
        // A rule whose successor does not come in goes on, and goes on counting
        // as one that learning gives.
        now.insert(serving->second.rule_id);
      }
    }
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      const std::string& rule_id = entry->second.rule_id;
      if (before.count(rule_id) == 0 || now.count(rule_id) > 0) {
        ++entry;
        continue;
      }
      Withdraw(&entries_, entry, "learning no longer gives it", &next_, &entry);
    }
    next_.learnt[sample] = std::move(now);
  }

 private:
  enum class Verdict {
    kAdmitted,
    kWithheld,    // until it passes; people are told
    kSuperseded,  // for good: the site was learnt again since
  };

  Verdict Judge(const std::string& sample, const proto::Rule& rule,
                const std::string& rule_id, Entries::const_iterator serving) {
    // A cluster is a page of one vertical.
    const proto::Schema* other = samples_.OtherSchema(sample, rule);
    if (serving != entries_.end() &&
        serving->second.rule.schema().name() != rule.schema().name()) {
      other = &serving->second.rule.schema();
    }
    if (other != nullptr) {
      next_.withheld.push_back(
          {rule.site(), rule_id,
           StrCat("it is of schema ", rule.schema().name(), ", and cluster ",
                  rule.cluster_id(), " has a rule of schema ", other->name(),
                  "; annotate {\"url\":...,\"skip\":true} in one of them")});
      return Verdict::kWithheld;
    }
    if (samples_.IsOutdone(sample, rule)) return Verdict::kSuperseded;
    const bool is_broken = findings_.broken.count(rule_id) > 0;
    if (is_broken && samples_.IsLearntSince(sample, rule)) {
      return Verdict::kSuperseded;
    }
    if (Admit(rule, rule_id, findings_.broken, entries_, &next_)) {
      return Verdict::kAdmitted;
    }
    // The site has changed since it was sampled: its editor is asked again.
    if (is_broken && !IsServed(rule.site())) {
      next_.losses.emplace(rule.site(), findings_.date);
    }
    return Verdict::kWithheld;
  }

  bool IsServed(const std::string& site) const {
    return std::any_of(
        entries_.begin(), entries_.end(),
        [&](const auto& entry) { return entry.second.rule.site() == site; });
  }

  void BringIn(const std::string& date, const proto::Rule& rule,
               const std::string& rule_id) {
    ++next_.num_learnt;
    entries_[rule.cluster_id()] = {rule, rule_id, "learnt"};
    std::string& latest = next_.cluster_dates[rule.site()];
    latest = std::max(latest, date);
    next_.losses.erase(rule.site());
  }

  const NightFindings& findings_;
  const Samples& samples_;
  Entries& entries_;
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
  add_ignored(before.found.statuses);
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
    status.reason = entry.reason;
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
  Entries entries;
  for (const proto::Rule& rule : before.found.rules.rule()) {
    entries[rule.cluster_id()] = {rule, rule::RuleId(rule), "was in service"};
  }
  ApplyReuse(findings, &entries, &next);
  WithdrawBroken(findings, &entries, &next);
  const Samples samples(findings, before.learnt);
  LearntMerge merge(findings, samples, &entries, &next);
  for (const auto& [sample, learnt] : findings.learnt) {
    merge.Add(sample, learnt);
  }
  next.statuses = StatusesOf(before, findings, entries);
  for (auto& [cluster, entry] : entries) {
    *next.rules.add_rule() = std::move(entry.rule);
  }
  rule::SortRules(&next.rules);
  return next;
}

}  // namespace trommel::jobs::rule_store
