#include "jobs/run/stages/stages.h"

#include <algorithm>

#include "core/base/exact_text.h"
#include "core/base/status.h"
#include "jobs/run/layout/dates.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::run::stages {
namespace {

const proto::StageSettings* SettingsOf(const proto::Pipeline& pipeline,
                                       const std::string& name) {
  for (const proto::StageSettings& stage : pipeline.stage()) {
    if (stage.name() == name) return &stage;
  }
  return nullptr;
}

// Flags that change how long a verb takes, not what comes out.
bool DecidesRows(const std::string& flag) {
  for (const char* const other : {"--workers", "--sort-memory-mb", "--split-mb",
                                  "--reducers", "--hadoop-"}) {
    if (flag.rfind(other, 0) == 0) return false;
  }
  return true;
}

}  // namespace

const std::vector<StageKind>& AllStageKinds() {
  static const auto* const kinds = new std::vector<StageKind>{
      {"crawl", AddCrawlStage, "it calls no verb"},
      {"cluster", AddClusterStage},
      {"monitor", AddMonitorStage},
      {"probation", AddProbationStage, "it takes those of stage \"monitor\""},
      {"reuse", AddReuseStage},
      {"sample", AddSampleStages},
      {"learn", AddLearnStages},
      {"check", AddCheckStage, "it takes those of stage \"monitor\""},
      {"publish", AddPublishStage, "the run itself has all that it needs"},
      {"extract", AddExtractStage},
      {"compare", AddCompareStage},
      {"coverage", AddCoverageStage},
  };
  return *kinds;
}

std::vector<std::string> AllStageNames() {
  std::vector<std::string> names;
  for (const StageKind& kind : AllStageKinds()) names.push_back(kind.name);
  return names;
}

absl::StatusOr<std::vector<scheduling::Stage>> StagesOfNights(
    const layout::Layout& layout, const std::vector<std::string>& dates) {
  std::vector<scheduling::Stage> stages;
  Night night;
  night.layout = &layout;
  night.in_range = dates.size() > 1;
  for (const std::string& date : dates) {
    night.date = date;
    for (const StageKind& kind : AllStageKinds()) {
      if (IsOff(layout, kind.name)) continue;
      TROMMEL_RETURN_IF_ERROR(kind.add(night, &stages));
    }
    night.before = date;
  }
  return stages;
}

scheduling::StageCall JobCall(const layout::Layout& layout,
                              const std::string& verb) {
  const proto::Pipeline& pipeline = layout.pipeline();
  scheduling::StageCall call;
  call.verb = {verb};
  const auto add = [&](std::string flag) {
    (DecidesRows(flag) ? call.flags : call.other_flags)
        .push_back(std::move(flag));
  };
  add(StrCat("--engine=", pipeline.engine().engine()));
  add(StrCat("--workers=", pipeline.engine().workers()));
  if (pipeline.limits().max_bad_fraction() > 0) {
    add(StrCat("--max-bad-fraction=", pipeline.limits().max_bad_fraction()));
  }
  if (verb == "extract" && pipeline.limits().min_confidence() > 0) {
    add(StrCat("--min-confidence=",
               ExactText(pipeline.limits().min_confidence())));
  }
  for (const std::string& flag : pipeline.engine().flag()) add(flag);
  if (const proto::StageSettings* const settings = SettingsOf(pipeline, verb)) {
    for (const std::string& flag : settings->flag()) add(flag);
  }
  return call;
}

std::string RulesFact(const rule_store::VersionInfo& rules) {
  return StrCat("rules ", rules.version, " (", rules.why, ")");
}

absl::StatusOr<std::vector<std::string>> EarlierSamples(
    const layout::Layout& layout, const std::string& vertical,
    const std::string& date) {
  std::vector<std::string> dates;
  TROMMEL_ASSIGN_OR_RETURN(const io::Path folder,
                           io::ResolvePath(layout.AllSamples(vertical)));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(folder));
  if (found.kind != io::EntryKind::kDirectory) return dates;
  TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> entries,
                           io::ListDirectory(folder, /*recursive=*/false));
  constexpr std::string_view kDay = "day=";
  for (const io::Entry& entry : entries) {
    const std::string name = entry.path.BaseName();
    if (name.rfind(kDay, 0) != 0) continue;
    std::string sample_date = name.substr(kDay.size());
    if (sample_date >= date) continue;
    if (PathExists(StrCat(layout.Samples(vertical, sample_date), "/",
                          io::kSuccessFile))) {
      dates.push_back(std::move(sample_date));
    }
  }
  return dates;
}

scheduling::Stage StageOf(const Night& night, const char* kind) {
  scheduling::Stage stage;
  stage.kind = kind;
  stage.date = night.date;
  return stage;
}

bool IsOff(const layout::Layout& layout, const std::string& stage) {
  const proto::StageSettings* const settings =
      SettingsOf(layout.pipeline(), stage);
  return settings != nullptr && settings->off();
}

std::string NothingFrom(const layout::Layout& layout, const std::string& stage,
                        const std::string& date) {
  return StrCat("nothing from ", stage, " ", date,
                IsOff(layout, stage) ? ": the stage is off" : " yet");
}

bool PathExists(const std::string& path) {
  const absl::StatusOr<io::Path> resolved = io::ResolvePath(path);
  if (!resolved.ok()) return false;
  const absl::StatusOr<io::Entry> entry = io::Stat(*resolved);
  return entry.ok() && entry->kind != io::EntryKind::kNone;
}

bool HasCrawl(const std::string& path) {
  const absl::StatusOr<io::Path> resolved = io::ResolvePath(path);
  // One that is damaged is there; whoever reads it says what is wrong.
  return resolved.ok() &&
         !absl::IsNotFound(io::ListTableFiles(*resolved).status());
}

}  // namespace trommel::jobs::run::stages
