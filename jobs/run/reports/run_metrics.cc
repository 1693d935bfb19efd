#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "core/base/strings.h"
#include "jobs/run/reports/run_result.h"

// https://prometheus.io/docs/instrumenting/exposition_formats/ : a line for
// each value, those of one metric together, below its HELP and TYPE.

namespace trommel::jobs::run::reports {
namespace {

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
  // Adds a metric of one value; none if it is not known.
  void AddOne(const std::string& name, const std::string& help,
              std::optional<double> value) {
    if (!value.has_value()) return;
    Define(name, help);
    Add(name, {}, *value);
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

std::optional<double> UnixSecondsOfDate(const std::string& date) {
  absl::Time parsed;
  std::string error;
  if (!absl::ParseTime("%Y-%m-%d", date, &parsed, &error)) return std::nullopt;
  return absl::ToDoubleSeconds(parsed - absl::UnixEpoch());
}

constexpr char kDateMetric[] = "trommel_date_timestamp_seconds";

Labels LabelsOf(const scheduling::Stage& stage) {
  Labels labels = {{"stage", stage.kind}};
  if (!stage.vertical.empty()) labels.emplace_back("vertical", stage.vertical);
  return labels;
}

// Returns the summary of a kind of stage on the last date; null where the stage
// has not come to anything.
template <typename Summary>
const Summary* SummaryOf(const RunResult& result, std::string_view kind) {
  for (size_t i = 0; i < result.outcomes.size(); ++i) {
    const scheduling::Stage& stage = result.graph.stages[i];
    if (stage.kind != kind || stage.date != result.dates.back()) continue;
    const auto* const summary =
        std::get_if<Summary>(&result.outcomes[i].summary);
    if (summary != nullptr) return summary;
  }
  return nullptr;
}

std::optional<double> Known(int64_t count) {
  return static_cast<double>(count);
}

}  // namespace

std::string RunMetrics(const RunResult& result,
                       std::optional<int64_t> num_rules_in_service) {
  Metrics metrics;
  const std::string& date = result.dates.back();
  // The last stage of each kind and vertical, by date.
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
  metrics.AddOne(kDateMetric, "The date that was run last.",
                 UnixSecondsOfDate(date));
  const auto* const cluster = SummaryOf<summaries::Cluster>(result, "cluster");
  metrics.AddOne("trommel_pages", "Pages of its crawl.",
                 cluster == nullptr ? std::nullopt : Known(cluster->pages));
  const auto* const extract = SummaryOf<summaries::Extract>(result, "extract");
  metrics.AddOne("trommel_records", "Records extracted from it.",
                 extract == nullptr ? std::nullopt : Known(extract->records));
  if (extract != nullptr) {
    metrics.Define("trommel_rejects", "Its pages without a record, by reason.");
    for (const auto& [reason, count] : extract->rejects) {
      metrics.Add("trommel_rejects", {{"reason", reason}},
                  static_cast<double>(count));
    }
  }
  metrics.AddOne("trommel_rules", "Rules in service.", num_rules_in_service);
  const auto* const monitor = SummaryOf<summaries::Monitor>(result, "monitor");
  metrics.AddOne(
      "trommel_broken_rules", "Rules that the monitor found broken.",
      monitor == nullptr ? std::nullopt : Known(monitor->rules.broken));
  std::map<std::string, int64_t> alerts;
  for (const alerts::Alert& alert : result.open_alerts) ++alerts[alert.kind];
  metrics.Define("trommel_alerts", "Alerts of the last run, by kind.");
  for (const auto& [kind, count] : alerts) {
    metrics.Add("trommel_alerts", {{"kind", kind}}, static_cast<double>(count));
  }
  metrics.Define("trommel_stages_failed",
                 "Stages of the last run that failed or were blocked.");
  metrics.Add(
      "trommel_stages_failed", {},
      static_cast<double>(result.Count(scheduling::StageStatus::kFailed) +
                          result.Count(scheduling::StageStatus::kBlocked)));
  metrics.Define("trommel_run_timestamp_seconds", "When the last run began.");
  metrics.Add("trommel_run_timestamp_seconds", {}, UnixSeconds(result.began));
  return metrics.text();
}

bool AreOfLaterDate(std::string_view metrics, const std::string& date,
                    absl::Time now) {
  for (const absl::string_view line :
       absl::StrSplit(ToAbsl(metrics), '\n', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, ' ');
    double theirs = 0;
    if (parts.first != kDateMetric ||
        !absl::SimpleAtod(parts.second, &theirs)) {
      continue;
    }
    const absl::Time tomorrow = now + absl::Hours(24);
    return theirs > UnixSecondsOfDate(date).value_or(theirs) &&
           theirs <= absl::ToDoubleSeconds(tomorrow - absl::UnixEpoch());
  }
  return false;
}

}  // namespace trommel::jobs::run::reports
