#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "core/base/strings.h"
#include "jobs/run/run_result.h"

// https://prometheus.io/docs/instrumenting/exposition_formats/ : a line for
// each value, those of one metric together, below its HELP and TYPE.

namespace trommel::run {
namespace {

using nlohmann::ordered_json;
using Labels = std::vector<std::pair<std::string, std::string>>;

std::string LabelValue(const std::string& value) {
  std::string escaped;
  for (const char c : value) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

class Metrics {
 public:
  void Define(const std::string& name, const std::string& help) {
    StrAppend(&text_, "# HELP ", name, " ", help, "\n# TYPE ", name,
              " gauge\n");
  }
  void Add(const std::string& name, const Labels& labels, double value) {
    std::string inside;
    for (const auto& [label, text] : labels) {
      StrAppend(&inside, inside.empty() ? "" : ",", label, "=\"",
                LabelValue(text), "\"");
    }
    StrAppend(&text_, name, inside.empty() ? "" : StrCat("{", inside, "}"), " ",
              absl::StrFormat("%.15g", value), "\n");
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

double UnixSeconds(const std::string& time) {
  absl::Time parsed;
  std::string error;
  return absl::ParseTime(absl::RFC3339_full, time, &parsed, &error)
             ? absl::ToDoubleSeconds(parsed - absl::UnixEpoch())
             : 0;
}

Labels LabelsOf(const Stage& stage) {
  Labels labels = {{"stage", stage.kind}};
  if (!stage.vertical.empty()) labels.emplace_back("vertical", stage.vertical);
  return labels;
}

}  // namespace

std::string RunMetrics(const RunResult& result) {
  Metrics metrics;
  const std::string& date = result.dates.back();
  // The last of each kind and vertical, by date.
  std::map<Labels, size_t> last;
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    if (result.outcomes[i].finished.empty()) continue;
    const auto [other, is_new] =
        last.emplace(LabelsOf(result.graph.stages[i]), i);
    if (!is_new && result.graph.stages[other->second].date <=
                       result.graph.stages[i].date) {
      other->second = i;
    }
  }
  metrics.Define("trommel_stage_seconds", "How long the stage last took.");
  for (const auto& [labels, i] : last) {
    metrics.Add("trommel_stage_seconds", labels, result.outcomes[i].seconds);
  }
  metrics.Define("trommel_stage_last_success_timestamp_seconds",
                 "When the stage last succeeded.");
  for (const auto& [labels, i] : last) {
    metrics.Add("trommel_stage_last_success_timestamp_seconds", labels,
                UnixSeconds(result.outcomes[i].finished));
  }
  const ordered_json nothing = ordered_json::object();
  const auto summary_of = [&](const char* kind) -> const ordered_json& {
    for (size_t i = 0; i < result.outcomes.size(); ++i) {
      const Stage& stage = result.graph.stages[i];
      if (stage.kind == kind && stage.date == date &&
          result.outcomes[i].summary.is_object()) {
        return result.outcomes[i].summary;
      }
    }
    return nothing;
  };
  const ordered_json& extract = summary_of("extract");
  metrics.Define("trommel_pages", "Pages of the last crawl.");
  metrics.Add("trommel_pages", {}, NumberOf(summary_of("cluster"), "pages"));
  metrics.Define("trommel_records", "Records extracted from it.");
  metrics.Add("trommel_records", {}, NumberOf(extract, "records"));
  metrics.Define("trommel_rejects", "Its pages without a record, by reason.");
  if (extract.contains("rejects") && extract["rejects"].is_object()) {
    for (const auto& [reason, count] : extract["rejects"].items()) {
      if (count.is_number()) {
        metrics.Add("trommel_rejects", {{"reason", reason}},
                    count.get<double>());
      }
    }
  }
  metrics.Define("trommel_rules", "Rules in service.");
  metrics.Add("trommel_rules", {}, NumberOf(summary_of("publish"), "rules"));
  metrics.Define("trommel_broken_rules",
                 "Rules that the monitor found broken.");
  metrics.Add(
      "trommel_broken_rules", {},
      NumberOf(summary_of("monitor").value("rules", nothing), "broken"));
  std::map<std::string, int64_t> alerts;
  for (const Alert& alert : result.Alerts()) ++alerts[alert.kind];
  metrics.Define("trommel_alerts", "Alerts of the last run, by kind.");
  for (const auto& [kind, count] : alerts) {
    metrics.Add("trommel_alerts", {{"kind", kind}}, static_cast<double>(count));
  }
  metrics.Define("trommel_stages_failed",
                 "Stages of the last run that failed or were blocked.");
  metrics.Add("trommel_stages_failed", {},
              static_cast<double>(result.Count(StageStatus::kFailed) +
                                  result.Count(StageStatus::kBlocked)));
  metrics.Define("trommel_run_timestamp_seconds", "When the last run began.");
  metrics.Add("trommel_run_timestamp_seconds", {}, UnixSeconds(result.began));
  return metrics.text();
}

}  // namespace trommel::run
