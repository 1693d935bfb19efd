#ifndef TROMMEL_JOBS_RUN_SCHEDULING_STAGE_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_STAGE_H_

// A stage of a run: one call of a verb for a date, described as data. What
// depends on what follows from the paths that stages read and write.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strings.h"
#include "jobs/run/alerts/alert.h"

namespace trommel::run {

// What a stage reads.
struct StageInput {
  enum class Kind {
    kCrawl,   // Parquet from anywhere
    kOutput,  // a folder with _SUCCESS
    kFile,
  };
  Kind kind = Kind::kOutput;
  // Of the verb, without dashes: "crawl". Empty: it is not told of it.
  std::string flag;
  std::string path;
  // A file that the run writes there before the call.
  std::optional<std::string> content = {};
};

// A call of a verb.
struct StageCall {
  std::vector<std::string> verb;  // and words that follow: {"rules", "publish"}
  std::vector<StageInput> inputs;
  // Flags that decide what comes out; a change of one is a reason to run.
  std::vector<std::string> flags;
  // What else does, and is no flag: "base v000001".
  std::vector<std::string> facts;
  // Flags that do not: "--workers=4".
  std::vector<std::string> other_flags;
  // Whether it takes --out and --force.
  bool takes_out = true;
  // For a call that is not the last of its stage: where it writes. What it
  // writes is the next call's business alone.
  std::string own_output = {};
};

struct StagePlan {
  enum class What {
    kRun,        // make the calls, unless nothing has changed since the last
    kThere,      // what it stands for is there without it
    kNotNeeded,  // tonight there is nothing for it to do
  };
  What what = What::kRun;
  std::vector<StageCall> calls;  // if kRun; one after the other
  std::string reason;            // otherwise
  std::vector<Alert> alerts;     // of what is not there

  static StagePlan Run(StageCall call) { return RunAll({std::move(call)}); }
  static StagePlan RunAll(std::vector<StageCall> calls) {
    return {What::kRun, std::move(calls), "", {}};
  }
  static StagePlan There(std::string reason) {
    return {What::kThere, {}, std::move(reason), {}};
  }
  static StagePlan NotNeeded(std::string reason) {
    return {What::kNotNeeded, {}, std::move(reason), {}};
  }
};

// What a stage can know of what others write.
class Available {
 public:
  using Test = std::function<bool(const std::string& path)>;
  Available(Test is_there, Test has_failed)
      : is_there_(std::move(is_there)), has_failed_(std::move(has_failed)) {}

  // Whether what should be at a path is: made by a stage of this run that did
  // not fail, or from an earlier run.
  bool operator()(const std::string& path) const { return is_there_(path); }
  // Whether the stage of this run that writes it has failed, or could not even
  // try. What an earlier run has left there may be of use.
  bool HasFailed(const std::string& path) const { return has_failed_(path); }

 private:
  Test is_there_;
  Test has_failed_;
};

struct Stage {
  std::string kind;      // "cluster"
  std::string date;      // of the crawl, or of the sample
  std::string vertical;  // or empty

  // Paths that other stages write. It cannot do without the first; of the
  // second it takes what there is when all have ended in one way or another.
  std::vector<std::string> needs;
  std::vector<std::string> uses;
  std::string output;
  // Where people open what it leaves for them, if that is not its output: a
  // local folder that gets a copy.
  std::string pages;

  // What is to be done, asked when all of the above have ended. An error is
  // that of a stage that failed.
  std::function<absl::StatusOr<StagePlan>(const Available& available)> plan;
  // What a person should know of what came out. `summary` is what the verb said
  // with --json.
  std::function<absl::StatusOr<std::vector<Alert>>(
      const nlohmann::ordered_json& summary)>
      alerts;

  const std::string& Pages() const { return pages.empty() ? output : pages; }

  // "learn movie 2026-01-31"
  std::string Name() const {
    return vertical.empty() ? StrCat(kind, " ", date)
                            : StrCat(kind, " ", vertical, " ", date);
  }
};

}  // namespace trommel::run

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_STAGE_H_
