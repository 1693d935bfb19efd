#ifndef TROMMEL_MAPREDUCE_ENGINE_ENGINE_H_
#define TROMMEL_MAPREDUCE_ENGINE_ENGINE_H_

// Runs jobs. What a job computes does not depend on the engine.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/job/job.h"
#include "mapreduce/job/splits.h"
#include "mapreduce/task/task_spec.h"

namespace trommel::mr {

struct StepResult {
  Counters counters;
  // The files of each table by its name, relative to the table.
  std::map<std::string, std::vector<io::ShardInfo>> tables;

  int64_t counter(std::string_view name) const;
};

// A step ready to run: paths known, splits cut.
struct StepRun {
  StepSpec spec;
  int index = 0;  // among the job's steps
  // Of everything that decides the job's rows: the specifications of all its
  // steps and the state of its inputs.
  std::string job_fingerprint;
  std::vector<Split> splits;
  int64_t num_rows = 0;  // of all splits
  // Tables appear below this.
  io::Path output;
  // What may be rejected before the step is given up.
  double max_bad_fraction = 1;
};

class Engine {
 public:
  virtual ~Engine() = default;
  // On success all tables are complete and nothing else is below `output`. On
  // failure what is there is of no use to anyone but this engine.
  virtual absl::StatusOr<StepResult> RunStep(const StepRegistry& registry,
                                             const StepRun& run) = 0;
  // Whether tasks can read a path, or write below it.
  virtual absl::Status CheckInput(const io::Path& path) const = 0;
  virtual absl::Status CheckOutput(const io::Path& path) const = 0;
};

struct JobOptions {
  int64_t split_bytes = int64_t{64} << 20;
  double max_bad_fraction = 1;
};

struct JobResult {
  std::vector<StepResult> steps;
  // Of all tables that remain, relative to the output.
  std::vector<io::ShardInfo> shards;
};

// Tables whose names begin with this are removed when the job is done.
inline constexpr char kScratchPrefix[] = "_scratch";

// Runs the steps of a job one after the other into the staging directory of
// `output`. Every table of a step is there afterwards, if only as an empty
// file. Committing is left to the caller.
absl::StatusOr<JobResult> RunJob(const Job& job, const StepRegistry& registry,
                                 const JobOptions& options, Engine* engine,
                                 io::OutputDir* output);

// --- For engines -------------------------------------------------------------

// The part of a step's description that its tasks need.
TaskSpec MakeTaskSpec(const StepRun& run, const TaskLimits& limits);

// Adds what one task has made to what the step has.
void AddResult(const AttemptResult& task, StepResult* step);

// The error that ends a step with too many rejects; OK when there are few.
absl::Status CheckBadFraction(const StepRun& run, int64_t rows_rejected,
                              const Counters& counters);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_ENGINE_ENGINE_H_
