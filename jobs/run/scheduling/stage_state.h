#ifndef TROMMEL_JOBS_RUN_SCHEDULING_STAGE_STATE_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_STAGE_STATE_H_

// What a finished stage was made of, in a small file beside its output, or
// beside what Stage::state says: the only memory that runs have. A stage is
// skipped when all of it is as it was.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/json_fields.h"
#include "jobs/run/alerts/alert.h"
#include "jobs/run/scheduling/stage.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::scheduling {

// The JSON inside does not throw when it is moved.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct StageState {
  // What decides whether it has to run again.
  std::string version;                        // of trommel
  std::vector<std::string> flags;             // and facts, that decide rows
  std::map<std::string, std::string> inputs;  // digests, by flag
  std::string output;                         // digest

  // What it came to.
  std::string finished;  // when, UTC
  double seconds = 0;
  nlohmann::ordered_json summary;
  std::vector<alerts::Alert> alerts;

  TROMMEL_JSON_FIELDS(version, flags, inputs, output, finished, seconds,
                      summary, alerts);
};

// Returns the version of trommel and the digest of this very program.
std::string ProgramVersion();

// Returns what the calls would be made of now; without output and what follows.
// NotFound names an input that is not there.
absl::StatusOr<StageState> StateOfCalls(const std::vector<StageCall>& calls,
                                        const std::string& version);

// Returns the digest of a finished output, a folder or a file; empty when there
// is none.
absl::StatusOr<std::string> DigestOfOutput(const std::string& output);

// Returns the file that has the state beside a path. It is no part of a table:
// its name begins with '_'.
absl::StatusOr<io::Path> StageStateFile(const std::string& beside);
// Returns the state of the last time; none when there was none, or it cannot be
// read.
absl::StatusOr<std::optional<StageState>> ReadStageState(
    const std::string& beside);
absl::Status WriteStageState(const std::string& beside,
                             const StageState& state);

// Returns why a stage has to run: in words, the first thing that is not as it
// was. Empty when all is.
std::string WhyStale(const StageState& now, const std::string& output_digest,
                     const std::optional<StageState>& last_time);

}  // namespace trommel::jobs::run::scheduling

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_STAGE_STATE_H_
