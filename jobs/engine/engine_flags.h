#ifndef TROMMEL_JOBS_ENGINE_ENGINE_FLAGS_H_
#define TROMMEL_JOBS_ENGINE_ENGINE_FLAGS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "jobs/cli/flags.h"
#include "mapreduce/engine/engine.h"
#include "mapreduce/io/output_dir.h"

namespace trommel::jobs::engine {

// The flags of every verb that runs a map/reduce job, and the running of it.
class EngineFlags {
 public:
  void Define(cli::Flags* flags);
  absl::Status Check() const;
  bool is_hadoop() const { return engine_ == "hadoop"; }

  // Runs the job into `output`, without committing it.
  absl::StatusOr<mr::JobResult> Run(const mr::Job& job,
                                    const mr::StepRegistry& steps,
                                    io::OutputDir* output) const;
  // The place for the job's output: one that survives this process where the
  // job does.
  absl::StatusOr<std::unique_ptr<io::OutputDir>> CreateOutput(
      const std::string& path, bool force) const;

 private:
  // Hadoop's installation is looked for in the environment.
  void SetEnvironment() const;
  absl::StatusOr<std::unique_ptr<mr::Engine>> MakeEngine() const;

  std::string engine_ = "local";
  int64_t workers_ = 0;
  double max_bad_fraction_ = 0.5;
  int64_t task_memory_mb_ = 1024;
  int64_t sort_memory_mb_ = 128;
  int64_t row_timeout_s_ = 60;
  int64_t split_mb_ = 64;
  std::string hadoop_home_;
  std::string hadoop_conf_;
  std::string hadoop_queue_;
  std::vector<std::string> hadoop_defines_;
  int64_t hadoop_timeout_s_ = 180;
};

}  // namespace trommel::jobs::engine

#endif  // TROMMEL_JOBS_ENGINE_ENGINE_FLAGS_H_
