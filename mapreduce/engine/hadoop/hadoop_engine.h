#ifndef TROMMEL_MAPREDUCE_ENGINE_HADOOP_HADOOP_ENGINE_H_
#define TROMMEL_MAPREDUCE_ENGINE_HADOOP_HADOOP_ENGINE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/engine/engine.h"

namespace trommel::mr {

struct HadoopOptions {
  TaskLimits limits;
  std::string queue;                 // empty: the cluster's default
  std::vector<std::string> defines;  // NAME=VALUE settings of the jobs
  // Seconds that one question to the cluster may take, and for how long a
  // cluster that does not answer is asked again, or may take to accept a job.
  int call_timeout_s = 60;
  int patience_s = 180;
};

// Runs each step as a Hadoop Streaming job on the cluster that HADOOP_HOME and
// HADOOP_CONF_DIR lead to. This program is the mapper, combiner and reducer.
//
// What the engine keeps of a step is below the output, in kScratchPrefix. If
// this process goes away the job runs on; the next process that runs the same
// step into the same output attaches to it, or collects what it has made.
absl::StatusOr<std::unique_ptr<Engine>> MakeHadoopEngine(
    const HadoopOptions& options);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_ENGINE_HADOOP_HADOOP_ENGINE_H_
