#ifndef TROMMEL_JOBS_RUN_STAGES_STAGES_H_
#define TROMMEL_JOBS_RUN_STAGES_STAGES_H_

// The kinds of stages. A new one is a function here and a line in
// AllStageKinds().
//
// The day of a crawl:
//
//   crawl ─► cluster ─┬─► sample ─► (an editor) ─► learn ─► check ─┐
//     │               │                                            ▼
//     ├─► monitor ────┴─► reuse ───────────────────────────────► publish
//     ├─► probation ──────┘                                        ▲  │
//     ├─► coverage                      the day before: publish ───┘  ▼
//     └─────────────────────────────────────────────────► extract ─► compare

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "jobs/rule_store/rule_store.h"
#include "jobs/run/layout/layout.h"
#include "jobs/run/scheduling/stage.h"
#include "jobs/summaries/any_summary.h"
#include "proto/rule.pb.h"

namespace trommel::jobs::run::stages {

// One date of a run.
struct Night {
  const layout::Layout* layout = nullptr;
  std::string date;
  // The date of the same run before it; empty for the first.
  std::string before;
  // Whether it is one of a range: a crawl that never came is then no failure.
  bool in_range = false;
};

struct StageKind {
  std::string name;
  std::function<absl::Status(const Night& night,
                             std::vector<scheduling::Stage>* stages)>
      add;
  // Why it takes no flags of its own; empty: it does.
  std::string no_flags = {};
};

// Returns all kinds, in the order in which they are listed.
const std::vector<StageKind>& AllStageKinds();
std::vector<std::string> AllStageNames();

// Returns the stages of all dates (in order), but for those that the pipeline
// has switched off.
absl::StatusOr<std::vector<scheduling::Stage>> StagesOfNights(
    const layout::Layout& layout, const std::vector<std::string>& dates);

absl::Status AddCrawlStage(const Night& night,
                           std::vector<scheduling::Stage>* stages);
absl::Status AddClusterStage(const Night& night,
                             std::vector<scheduling::Stage>* stages);
absl::Status AddSampleStages(const Night& night,
                             std::vector<scheduling::Stage>* stages);
absl::Status AddLearnStages(const Night& night,
                            std::vector<scheduling::Stage>* stages);
absl::Status AddMonitorStage(const Night& night,
                             std::vector<scheduling::Stage>* stages);
absl::Status AddProbationStage(const Night& night,
                               std::vector<scheduling::Stage>* stages);
absl::Status AddReuseStage(const Night& night,
                           std::vector<scheduling::Stage>* stages);
absl::Status AddCoverageStage(const Night& night,
                              std::vector<scheduling::Stage>* stages);
absl::Status AddCheckStage(const Night& night,
                           std::vector<scheduling::Stage>* stages);
absl::Status AddPublishStage(const Night& night,
                             std::vector<scheduling::Stage>* stages);
absl::Status AddExtractStage(const Night& night,
                             std::vector<scheduling::Stage>* stages);
absl::Status AddCompareStage(const Night& night,
                             std::vector<scheduling::Stage>* stages);

// Returns a call of a verb that runs a job: with the flags of the engine and
// those that the pipeline has for the stage.
scheduling::StageCall JobCall(const layout::Layout& layout,
                              const std::string& verb);

// Returns what a stage says of the rules that it is made with.
std::string RulesFact(const rule_store::VersionInfo& rules);

// Returns the dates before `date` that have a sample of the vertical, in order.
absl::StatusOr<std::vector<std::string>> EarlierSamples(
    const layout::Layout& layout, const std::string& vertical,
    const std::string& date);

// Returns what learning may have left for a date to publish: NAME=FOLDER by
// sample, as inputs of `trommel rules publish`. `stages` are those so far.
absl::StatusOr<std::vector<scheduling::StageInput>> LearntInputs(
    const Night& night, const std::vector<scheduling::Stage>& stages);
// Returns the rules in them that were never published. Where two samples of a
// vertical have a rule for one cluster, the later counts; of two verticals, the
// first.
absl::StatusOr<proto::RuleSet> NewlyLearnt(
    const Night& night, const std::vector<scheduling::StageInput>& learnt);

// Returns a stage that has its kind and date, nothing else.
scheduling::Stage StageOf(const Night& night, const char* kind);

// Returns the Stage::alerts of a stage whose verb prints this summary.
template <typename Summary, typename MakeAlerts>
auto AlertsFrom(MakeAlerts make_alerts) {
  return
      [make_alerts = std::move(make_alerts)](
          const summaries::AnySummary& summary) -> std::vector<alerts::Alert> {
        return make_alerts(std::get<Summary>(summary));
      };
}

// Returns whether the pipeline has switched the stage off.
bool IsOff(const layout::Layout& layout, const std::string& stage);
// Returns what a stage says that has nothing to do without what another, which
// is not part of the run, has not left.
std::string NothingFrom(const layout::Layout& layout, const std::string& stage,
                        const std::string& date);

bool PathExists(const std::string& path);
// Returns whether the path has files of a crawl, whatever is in them.
bool HasCrawl(const std::string& path);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_STAGES_H_
