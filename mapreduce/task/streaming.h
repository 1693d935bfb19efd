#ifndef TROMMEL_MAPREDUCE_TASK_STREAMING_H_
#define TROMMEL_MAPREDUCE_TASK_STREAMING_H_

#include <string>

#include "absl/status/status.h"
#include "mapreduce/job/job.h"

namespace trommel::mr {

// Tasks as Hadoop Streaming runs them: standard input and output carry pairs,
// standard error carries counters ("reporter:counter:..."), status and
// messages. `spec_file` is the TaskSpec, shipped with the job.
//
// Tables are written into the attempt's work directory, which Hadoop's output
// committer publishes once if the attempt succeeds; beside them goes
// kResultsFolder/TASK.json, an AttemptResult, from which the submitter adds up
// counters and rows.
inline constexpr char kResultsFolder[] = "_results";

// Reads lines that name splits and maps them, each under a supervisor.
absl::Status StreamingMap(const StepRegistry& registry,
                          const std::string& spec_file);
absl::Status StreamingCombine(const StepRegistry& registry,
                              const std::string& spec_file);
absl::Status StreamingReduce(const StepRegistry& registry,
                             const std::string& spec_file);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_STREAMING_H_
