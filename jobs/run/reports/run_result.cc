#include "jobs/run/reports/run_result.h"

#include <algorithm>

#include "core/base/strings.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;

// A summary without its lists, which the outputs have in full.
ordered_json Numbers(const ordered_json& summary) {
  ordered_json numbers = ordered_json::object();
  if (!summary.is_object()) return numbers;
  for (const auto& [name, value] : summary.items()) {
    if (value.is_number() || value.is_string()) numbers[name] = value;
    if (name == "counters" || name == "rejects") numbers[name] = value;
  }
  return numbers;
}

}  // namespace

int64_t RunResult::Count(StageStatus status) const {
  return std::count_if(
      outcomes.begin(), outcomes.end(),
      [&](const StageOutcome& outcome) { return outcome.status == status; });
}

std::vector<Alert> RunResult::Alerts() const {
  std::vector<Alert> alerts;
  for (const StageOutcome& outcome : outcomes) {
    alerts.insert(alerts.end(), outcome.alerts.begin(), outcome.alerts.end());
  }
  return alerts;
}

int64_t NumberOf(const ordered_json& summary, const char* name) {
  if (!summary.is_object()) return 0;
  const auto found = summary.find(name);
  return found != summary.end() && found->is_number() ? found->get<int64_t>()
                                                      : 0;
}

std::vector<SiteRecords> RecordsBySite(const RunResult& result) {
  std::vector<SiteRecords> records;
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    const ordered_json& summary = result.outcomes[i].summary;
    if (result.graph.stages[i].kind != "extract" || !summary.is_object() ||
        !summary.contains("sites") || !summary["sites"].is_array()) {
      continue;
    }
    for (const ordered_json& site : summary["sites"]) {
      if (!site.is_object() || !site.contains("site") ||
          !site["site"].is_string()) {
        continue;
      }
      records.push_back({result.graph.stages[i].date,
                         site["site"].get<std::string>(),
                         NumberOf(site, "pages"), NumberOf(site, "records")});
    }
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const SiteRecords& a, const SiteRecords& b) {
                     return a.date < b.date;
                   });
  return records;
}

std::string InShort(const std::string& kind, const ordered_json& summary) {
  if (!summary.is_object() || summary.empty()) return {};
  const auto count = [&](const char* name, const char* noun) {
    return GroupedCount(NumberOf(summary, name), noun);
  };
  if (kind == "cluster") {
    return StrCat(count("pages", "page"), " of ", count("sites", "site"), ", ",
                  count("clusters", "cluster"));
  }
  if (kind == "sample") {
    return StrCat(count("pages", "page"), " of ",
                  count("clusters_sampled", "cluster"));
  }
  if (kind == "learn") {
    return StrCat(count("rules", "rule"), ", ",
                  Grouped(NumberOf(summary, "needs_annotation")),
                  " to annotate");
  }
  if (kind == "publish") {
    const std::string version = summary.value("version", "");
    return version.empty() ? "no rules yet"
                           : StrCat(version, ", ", count("rules", "rule"));
  }
  if (kind == "monitor" || kind == "check") {
    const ordered_json rules = summary.value("rules", ordered_json());
    return StrCat(Grouped(NumberOf(rules, "fine")), " rules fine, ",
                  Grouped(NumberOf(rules, "broken")), " broken, ",
                  Grouped(NumberOf(rules, "unknown")), " unknown");
  }
  if (kind == "reuse") {
    return StrCat(count("rules", "rule"), " for ",
                  count("clusters", "cluster"));
  }
  if (kind == "coverage") {
    return StrCat(count("sites", "site"), ", ",
                  GroupedCount(NumberOf(summary, "num_broken"), "drop"));
  }
  if (kind == "extract") {
    return StrCat(count("records", "record"), " of ", count("pages", "page"));
  }
  return {};
}

ordered_json RunJson(const RunResult& result) {
  ordered_json json;
  json["pipeline"] = result.pipeline;
  json["dates"] = result.dates;
  json["began"] = result.began;
  json["seconds"] = result.seconds;
  json["failed"] = result.Count(StageStatus::kFailed);
  json["blocked"] = result.Count(StageStatus::kBlocked);
  json["done"] = result.Count(StageStatus::kDone);
  json["unchanged"] = result.Count(StageStatus::kUnchanged);
  json["stages"] = ordered_json::array();
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    const Stage& stage = result.graph.stages[i];
    const StageOutcome& outcome = result.outcomes[i];
    ordered_json of_stage;
    of_stage["stage"] = stage.Name();
    of_stage["kind"] = stage.kind;
    of_stage["date"] = stage.date;
    if (!stage.vertical.empty()) of_stage["vertical"] = stage.vertical;
    of_stage["status"] = std::string(StageStatusName(outcome.status));
    of_stage["reason"] = outcome.reason;
    of_stage["attempts"] = outcome.attempts;
    of_stage["seconds"] = outcome.seconds;
    of_stage["finished"] = outcome.finished;
    of_stage["output"] = stage.output;
    if (!outcome.log.empty()) of_stage["log"] = outcome.log;
    of_stage["after"] = ordered_json::array();
    for (const auto* const others :
         {&result.graph.needs[i], &result.graph.uses[i]}) {
      for (const size_t other : *others) {
        of_stage["after"].push_back(result.graph.stages[other].Name());
      }
    }
    of_stage["summary"] = Numbers(outcome.summary);
    json["stages"].push_back(std::move(of_stage));
  }
  json["sites"] = ordered_json::array();
  for (const SiteRecords& site : RecordsBySite(result)) {
    json["sites"].push_back({{"date", site.date},
                             {"site", site.site},
                             {"pages", site.pages},
                             {"records", site.records}});
  }
  json["alerts"] = ordered_json::array();
  for (const Alert& alert : result.Alerts()) {
    json["alerts"].push_back(alert.ToJson());
  }
  return json;
}

}  // namespace trommel::run
