#include "jobs/monitor/watch.h"

#include <iterator>
#include <utility>

#include "core/base/hash.h"
#include "core/rule/rule.h"
#include "jobs/page/page_version.h"

namespace trommel::jobs::monitor_job {
namespace {

// What decides between versions of a page: the smaller counts.
auto Rank(const Visit& visit) {
  return std::pair(
      !visit.problem.empty(),
      page::PageVersion::Of(visit.fetch_time_us, visit.content_digest));
}

}  // namespace

Watch::Watch(proto::RuleSet rules) : rules_(std::move(rules)) {
  for (const proto::Rule& rule : rules_.rule()) {
    for (const proto::PageRecords& bellwether : rule.bellwether()) {
      visits_[{rule.cluster_id(), bellwether.url()}];
    }
  }
}

void Watch::Add(Visit visit) {
  if (visit.is_fresh) {
    AddFresh(std::move(visit));
    return;
  }
  const auto found = visits_.find({visit.cluster_id, visit.url});
  if (found == visits_.end()) return;
  std::optional<Visit>& best = found->second;
  if (!best.has_value() || Rank(visit) < Rank(*best)) best = std::move(visit);
}

void Watch::AddFresh(Visit visit) {
  std::map<uint64_t, Visit>& pages = fresh_[visit.cluster_id];
  const uint64_t hash = Hash64(visit.url);
  const auto [known, is_new] = pages.try_emplace(hash, visit);
  if (!is_new && Rank(visit) < Rank(known->second)) {
    known->second = std::move(visit);
  }
  if (pages.size() > kMaxFreshBellwethers) pages.erase(std::prev(pages.end()));
}

proto::RuleSet Watch::RenewBellwethers(const WatchResult& result) const {
  proto::RuleSet renewed;
  for (size_t i = 0; i < result.rules.size(); ++i) {
    const WatchedRule& watched = result.rules[i];
    const monitor::RuleCounts& counts = watched.judged.counts;
    const auto fresh = fresh_.find(watched.cluster_id);
    if (watched.judged.verdict.verdict != monitor::Verdict::kFine ||
        !watched.wrong_attributes.empty() || fresh == fresh_.end() ||
        2 * counts.present >= counts.bellwethers) {
      continue;
    }
    proto::Rule& rule = *renewed.add_rule();
    rule = rules_.rule(static_cast<int>(i));
    rule.clear_bellwether();
    for (const WatchedBellwether& bellwether : watched.bellwethers) {
      if (!bellwether.is_present() || bellwether.Fails()) continue;
      *rule.add_bellwether() =
          record::ToProto(rule.schema(), bellwether.url, bellwether.fresh);
    }
    for (const auto& [hash, visit] : fresh->second) {
      if (rule.bellwether_size() == static_cast<int>(kMaxFreshBellwethers)) {
        break;
      }
      *rule.add_bellwether() = visit.extraction;
    }
  }
  return renewed;
}

WatchedBellwether Watch::Outcome(const proto::Rule& rule,
                                 const proto::PageRecords& bellwether) const {
  WatchedBellwether watched;
  watched.url = bellwether.url();
  watched.golden = record::FromProto(rule.schema(), bellwether);
  const std::optional<Visit>& visit =
      visits_.at({rule.cluster_id(), bellwether.url()});
  if (!visit.has_value()) {
    watched.absent = kNotCrawled;
    return watched;
  }
  watched.absent = visit->problem;
  watched.fetch_time_us = visit->fetch_time_us;
  if (!watched.is_present()) return watched;
  watched.placed_by = visit->placed_by;
  watched.fresh = record::FromProto(rule.schema(), visit->extraction);
  watched.fields =
      record::CompareRecords(rule.schema(), watched.golden, watched.fresh);
  return watched;
}

WatchResult Watch::Judge(const monitor::VerdictThresholds& thresholds) const {
  WatchResult result;
  std::map<std::string, std::vector<monitor::JudgedRule>> judged_rules;
  for (const proto::Rule& rule : rules_.rule()) {
    WatchedRule& watched = result.rules.emplace_back();
    watched.site = rule.site();
    watched.cluster_id = rule.cluster_id();
    watched.rule_id = rule::RuleId(rule);
    watched.schema = rule.schema().name();
    for (const proto::Attribute& attribute : rule.schema().attribute()) {
      watched.attributes.push_back(attribute.name());
    }
    monitor::RuleCounts& counts = watched.judged.counts;
    for (const proto::PageRecords& bellwether : rule.bellwether()) {
      const WatchedBellwether& outcome =
          watched.bellwethers.emplace_back(Outcome(rule, bellwether));
      ++counts.bellwethers;
      if (!outcome.is_present()) continue;
      counts.Add(!outcome.placed_by.has_value(), outcome.fields);
      watched.trial.Add(rule.schema(), outcome.golden, outcome.fresh);
      watched.by_sketch +=
          outcome.placed_by == cluster::PlacedBy::kSketch ? 1 : 0;
    }
    watched.judged.verdict = monitor::JudgeRule(counts, thresholds);
    watched.wrong_attributes = monitor::FindWrongAttributes(
        rule.schema(), watched.trial,
        {thresholds.rule, thresholds.min_bellwethers});
    judged_rules[watched.site].push_back(watched.judged);
    if (result.sites.empty() || result.sites.back().site != watched.site) {
      result.sites.push_back({watched.site, {}, result.rules.size() - 1, 0});
    }
    result.sites.back().end_rule = result.rules.size();
  }
  for (WatchedSite& site : result.sites) {
    site.verdict = monitor::JudgeSite(judged_rules[site.site], thresholds);
  }
  return result;
}

}  // namespace trommel::jobs::monitor_job
