#ifndef TROMMEL_JOBS_RUN_REPORTS_RUN_RESULT_H_
#define TROMMEL_JOBS_RUN_REPORTS_RUN_RESULT_H_

// What a run came to, and how it is told: run.json, run.html, metrics.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "core/base/json_fields.h"
#include "core/base/strings.h"
#include "jobs/run/scheduling/scheduler.h"
#include "jobs/run/scheduling/stage_graph.h"
#include "jobs/summaries/any_summary.h"

namespace trommel::jobs::run::reports {

struct RunResult {
  std::string pipeline;            // the file
  std::vector<std::string> dates;  // in order
  std::string folder;              // where run.json and run.html stand
  std::string began;               // UTC
  double seconds = 0;
  scheduling::StageGraph graph;
  std::vector<scheduling::StageOutcome> outcomes;  // of the graph's stages
  // The alerts that are open after the last night, and those that have ended.
  std::vector<alerts::Alert> open_alerts;
  std::vector<alerts::Alert> resolved_alerts;

  int64_t Count(scheduling::StageStatus status) const;
  bool has_failed() const {
    return Count(scheduling::StageStatus::kFailed) +
               Count(scheduling::StageStatus::kBlocked) >
           0;
  }
  // Returns whether nothing ran.
  bool is_idle() const {
    return Count(scheduling::StageStatus::kDone) == 0 && !has_failed();
  }
  std::string Page() const { return StrCat(folder, "/run.html"); }
};

// The pages and records of one site on one date.
struct SiteRecords {
  std::string date;
  std::string site;
  int64_t pages = 0;
  int64_t records = 0;
};
// Returns what extraction said of each site; by date, sites with most pages
// first.
std::vector<SiteRecords> RecordsBySite(const RunResult& result);

// Returns in one sentence whether all is well: what people got on the last
// night, and what they usually get; then how many alerts are open, and stages
// that failed, if any.
std::string NightInShort(const RunResult& result);

// Returns what a stage's summary comes to, "1,234 records of 2,000 pages";
// empty where there is none.
std::string InShort(const summaries::AnySummary& summary);

// The stages of a run by what became of them, as run.json counts them.
struct RunCounts {
  int64_t failed = 0;
  int64_t blocked = 0;
  int64_t done = 0;
  int64_t unchanged = 0;

  TROMMEL_JSON_FIELDS(failed, blocked, done, unchanged);
};

nlohmann::ordered_json RunJson(const RunResult& result);
// Returns an HTML page; its links are relative to `result.folder`.
std::string RunPage(const RunResult& result);
// Returns the metrics of the last date, in the text format of Prometheus. What
// is not known is left out.
std::string RunMetrics(const RunResult& result,
                       std::optional<int64_t> num_rules_in_service);
// Returns whether metrics are of a later date than this one. One that is still
// to come does not count: somebody mistyped it.
bool AreOfLaterDate(std::string_view metrics, const std::string& date,
                    absl::Time now);

}  // namespace trommel::jobs::run::reports

#endif  // TROMMEL_JOBS_RUN_REPORTS_RUN_RESULT_H_
