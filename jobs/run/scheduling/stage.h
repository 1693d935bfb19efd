#ifndef TROMMEL_JOBS_RUN_SCHEDULING_STAGE_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_STAGE_H_

// A stage of a run: one call of a verb for a date, described as data. What
// depends on what follows from the paths that stages read and write.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "core/base/strings.h"
#include "jobs/run/alerts/alert.h"
#include "jobs/summaries/any_summary.h"

namespace trommel::jobs::run::scheduling {

// What a stage reads.
struct StageInput {
  enum class Kind {
    kCrawl,   // Parquet from anywhere
    kOutput,  // a folder with _SUCCESS
    kFile,
  };
  Kind kind = Kind::kOutput;
  // The flag of the verb, without dashes: "crawl". Empty: the verb is not told.
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
  // Facts that decide it, too, and are no flags: "base v000001".
  std::vector<std::string> facts;
  // Flags that decide nothing of it: "--workers=4".
  std::vector<std::string> other_flags;
  // Whether it takes --out and --force.
  bool takes_out = true;
  // The folder where a call writes if not into its stage's output: one that is
  // not the last, and what it writes is the next call's business alone, or one
  // whose output is delivered.
  std::string own_output = {};

  // Returns "rules publish" and such.
  std::string VerbName() const { return absl::StrJoin(verb, " "); }
};

struct StagePlan {
  enum class What {
    kRun,        // make the calls, unless nothing has changed since the last
    kPresent,    // what it stands for is there without it
    kNotNeeded,  // tonight there is nothing for it to do
  };
  What what = What::kRun;
  std::vector<StageCall> calls;       // if kRun; one after the other
  std::string reason;                 // otherwise
  std::vector<alerts::Alert> alerts;  // of what is not there

  static StagePlan Run(StageCall call) { return RunAll({std::move(call)}); }
  static StagePlan RunAll(std::vector<StageCall> calls) {
    return {What::kRun, std::move(calls), "", {}};
  }
  static StagePlan Present(std::string reason) {
    return {What::kPresent, {}, std::move(reason), {}};
  }
  static StagePlan NotNeeded(std::string reason) {
    return {What::kNotNeeded, {}, std::move(reason), {}};
  }
};

// What a stage can find out about what others write.
class Available {
 public:
  using Test = std::function<bool(const std::string& path)>;
  Available(Test is_available, Test has_failed)
      : is_available_(std::move(is_available)),
        has_failed_(std::move(has_failed)) {}

  // Returns whether what should be at a path is: made by a stage of this run
  // that did not fail, or from an earlier run.
  bool operator()(const std::string& path) const { return is_available_(path); }
  // Returns whether the stage of this run that writes it has failed, or could
  // not even try. What an earlier run has left there may be of use.
  bool HasFailed(const std::string& path) const { return has_failed_(path); }

 private:
  Test is_available_;
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
  // The folder where people open what it leaves for them, if that is not its
  // output: a local folder that gets a copy.
  std::string pages;
  // The path that its state is kept beside, if not beside its output.
  std::string state;

  // What is to be done, asked when all of the above have ended. An error is
  // that of a stage that failed.
  std::function<absl::StatusOr<StagePlan>(const Available& available)> plan;
  // Puts what the calls wrote where the output is; where the last call writes
  // there itself, none. `summary` is that of the call.
  std::function<absl::Status(summaries::AnySummary* summary)> deliver;
  // What a person should know of what came out. `summary` is that of the last
  // call.
  std::function<std::vector<alerts::Alert>(
      const summaries::AnySummary& summary)>
      alerts;

  const std::string& Pages() const { return pages.empty() ? output : pages; }
  const std::string& State() const { return state.empty() ? output : state; }

  // Returns "learn movie 2026-01-31" and such.
  std::string Name() const {
    return vertical.empty() ? StrCat(kind, " ", date)
                            : StrCat(kind, " ", vertical, " ", date);
  }
};

}  // namespace trommel::jobs::run::scheduling

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_STAGE_H_
