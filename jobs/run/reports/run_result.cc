#include "jobs/run/reports/run_result.h"

#include <algorithm>
#include <map>
#include <variant>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"

namespace trommel::jobs::run::reports {
namespace {

using nlohmann::ordered_json;

// Returns a summary without its lists, which the outputs have in full.
ordered_json Numbers(const summaries::AnySummary& summary) {
  ordered_json numbers = ordered_json::object();
  const ordered_json json = summaries::SummaryJson(summary);
  for (const auto& [name, value] : json.items()) {
    if (value.is_number() || value.is_string()) numbers[name] = value;
    if (name == "counters" || name == "rejects") numbers[name] = value;
  }
  return numbers;
}

// Returns what a stage came to, in a few words: one overload for each summary.
std::string Short(std::monostate) { return {}; }
std::string Short(const summaries::Cluster& summary) {
  return StrCat(GroupedCount(summary.pages, "page"), " of ",
                GroupedCount(summary.sites, "site"), ", ",
                GroupedCount(summary.clusters, "cluster"));
}
std::string Short(const summaries::Sample& summary) {
  return StrCat(GroupedCount(summary.pages, "page"), " of ",
                GroupedCount(summary.clusters_sampled, "cluster"));
}
std::string Short(const summaries::Learn& summary) {
  return StrCat(GroupedCount(summary.rules, "rule"), ", ",
                Grouped(summary.needs_annotation), " to annotate");
}
std::string Short(const summaries::Publish& summary) {
  return summary.version.empty() ? "no rules yet"
                                 : StrCat(summary.version, ", ",
                                          GroupedCount(summary.rules, "rule"));
}
std::string Short(const summaries::Monitor& summary) {
  return StrCat(Grouped(summary.rules.fine), " rules fine, ",
                Grouped(summary.rules.broken), " broken, ",
                Grouped(summary.rules.unknown), " unknown");
}
std::string Short(const summaries::Reuse& summary) {
  return StrCat(GroupedCount(summary.rules, "rule"), " for ",
                GroupedCount(summary.clusters, "cluster"));
}
std::string Short(const summaries::Coverage& summary) {
  return StrCat(GroupedCount(summary.sites, "site"), ", ",
                GroupedCount(summary.num_broken, "drop"));
}
std::string Short(const summaries::Compare& summary) {
  return StrCat(GroupedCount(summary.records, "record"), ", usually ",
                Grouped(summary.usual_records));
}
std::string Short(const summaries::Extract& summary) {
  return StrCat(GroupedCount(summary.records, "record"), " of ",
                GroupedCount(summary.pages, "page"));
}

// Returns what the last night delivered, against what is usual where that is
// known.
std::string DeliveredInShort(const RunResult& result) {
  const summaries::Extract* extract = nullptr;
  const summaries::Compare* compare = nullptr;
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    if (result.graph.stages[i].date != result.dates.back()) continue;
    const summaries::AnySummary& summary = result.outcomes[i].summary;
    if (const auto* const found = std::get_if<summaries::Extract>(&summary)) {
      extract = found;
    }
    if (const auto* const found = std::get_if<summaries::Compare>(&summary)) {
      compare = found;
    }
  }
  if (compare != nullptr && compare->usual_records > 0) {
    return StrCat(GroupedCount(compare->records, "record"),
                  absl::StrFormat(
                      ", %.1f%% of the usual ",
                      100 * ShareOf(compare->records, compare->usual_records)),
                  Grouped(compare->usual_records));
  }
  return extract == nullptr
             ? "no records yet"
             : StrCat(GroupedCount(extract->records, "record"), " of ",
                      GroupedCount(extract->pages, "page"));
}

}  // namespace

std::string NightInShort(const RunResult& result) {
  std::string text =
      StrCat(result.dates.size() == 1
                 ? result.dates.front()
                 : StrCat(result.dates.front(), " to ", result.dates.back()),
             ": ", DeliveredInShort(result));
  const auto add = [&](int64_t count, const char* one, const char* many) {
    if (count > 0) StrAppend(&text, "; ", count, " ", count == 1 ? one : many);
  };
  add(result.Count(scheduling::StageStatus::kFailed), "stage failed",
      "stages failed");
  add(result.Count(scheduling::StageStatus::kBlocked), "stage is blocked",
      "stages are blocked");
  std::map<alerts::Severity, int64_t> counts;
  for (const alerts::Alert& alert : result.open_alerts) {
    ++counts[alerts::SeverityOf(alert)];
  }
  add(counts[alerts::Severity::kCritical], "critical alert is open",
      "critical alerts are open");
  add(counts[alerts::Severity::kWarning], "warning is open",
      "warnings are open");
  return text;
}

int64_t RunResult::Count(scheduling::StageStatus status) const {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [&](const scheduling::StageOutcome& outcome) {
                         return outcome.status == status;
                       });
}

std::vector<SiteRecords> RecordsBySite(const RunResult& result) {
  std::vector<SiteRecords> records;
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    const auto* const summary =
        std::get_if<summaries::Extract>(&result.outcomes[i].summary);
    if (summary == nullptr) continue;
    for (const summaries::Extract::Site& site : summary->sites) {
      records.push_back(
          {result.graph.stages[i].date, site.site, site.pages, site.records});
    }
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const SiteRecords& a, const SiteRecords& b) {
                     return a.date < b.date;
                   });
  return records;
}

std::string InShort(const summaries::AnySummary& summary) {
  return std::visit([](const auto& one) { return Short(one); }, summary);
}

ordered_json RunJson(const RunResult& result) {
  ordered_json json;
  json["pipeline"] = result.pipeline;
  json["dates"] = result.dates;
  json["began"] = result.began;
  json["seconds"] = result.seconds;
  json.update(
      ToJson(RunCounts{result.Count(scheduling::StageStatus::kFailed),
                       result.Count(scheduling::StageStatus::kBlocked),
                       result.Count(scheduling::StageStatus::kDone),
                       result.Count(scheduling::StageStatus::kUnchanged)}));
  json["stages"] = ordered_json::array();
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    const scheduling::Stage& stage = result.graph.stages[i];
    const scheduling::StageOutcome& outcome = result.outcomes[i];
    ordered_json stage_json;
    stage_json["stage"] = stage.Name();
    stage_json["kind"] = stage.kind;
    stage_json["date"] = stage.date;
    if (!stage.vertical.empty()) stage_json["vertical"] = stage.vertical;
    stage_json["status"] =
        std::string(scheduling::StageStatusName(outcome.status));
    stage_json["reason"] = outcome.reason;
    stage_json["attempts"] = outcome.attempts;
    stage_json["seconds"] = outcome.seconds;
    stage_json["finished"] = outcome.finished;
    stage_json["output"] = stage.output;
    if (!outcome.log.empty()) stage_json["log"] = outcome.log;
    stage_json["after"] = ordered_json::array();
    for (const auto* const others :
         {&result.graph.needs[i], &result.graph.uses[i]}) {
      for (const size_t other : *others) {
        stage_json["after"].push_back(result.graph.stages[other].Name());
      }
    }
    stage_json["summary"] = Numbers(outcome.summary);
    json["stages"].push_back(std::move(stage_json));
  }
  json["sites"] = ordered_json::array();
  for (const SiteRecords& site : RecordsBySite(result)) {
    json["sites"].push_back({{"date", site.date},
                             {"site", site.site},
                             {"pages", site.pages},
                             {"records", site.records}});
  }
  for (const auto& [name, alerts] :
       {std::pair("alerts", &result.open_alerts),
        std::pair("resolved", &result.resolved_alerts)}) {
    json[name] = ordered_json::array();
    for (const alerts::Alert& alert : *alerts) {
      json[name].push_back(ToJson(alert));
    }
  }
  return json;
}

}  // namespace trommel::jobs::run::reports
