#include "jobs/engine/engine_flags.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/status.h"
#include "mapreduce/engine/hadoop/hadoop_engine.h"
#include "mapreduce/engine/local/local_engine.h"

namespace trommel::jobs::engine {

void EngineFlags::Define(cli::Flags* flags) {
  flags->Choice("engine", &engine_, {"local", "hadoop"}, "where the job runs")
      .Recorded();
  flags
      ->Integer("workers", &workers_,
                "worker processes at a time, local engine; 0: one per core")
      .Between(0, 4096);
  flags
      ->Number("max-bad-fraction", &max_bad_fraction_,
               "fail when a larger share of the rows is bad: pages that cannot "
               "be read")
      .Between(0, 1)
      .Recorded();
  flags
      ->Integer(
          "task-memory-mb", &task_memory_mb_,
          "memory of a task process; a row that takes it over is rejected")
      .Between(64, 1 << 20)
      .Recorded();
  flags
      ->Integer("sort-memory-mb", &sort_memory_mb_,
                "of that, for sorting what the mapper emits")
      .Between(1, 1 << 20);
  flags
      ->Integer("row-timeout", &row_timeout_s_,
                "seconds that one row may take before it is rejected")
      .Between(1, 86400)
      .Recorded();
  flags
      ->Integer("split-mb", &split_mb_,
                "uncompressed megabytes of input per map task, about")
      .Between(1, 1 << 20);
  flags
      ->Text("hadoop-home", &hadoop_home_,
             "installation of Hadoop 3 (else $HADOOP_HOME, or the PATH)")
      .Input(cli::FolderReading::kByName);
  flags
      ->Text("hadoop-conf", &hadoop_conf_,
             "the cluster's configuration (else $HADOOP_CONF_DIR)")
      .Input(cli::FolderReading::kByName);
  flags
      ->Text("hadoop-queue", &hadoop_queue_, "queue of the cluster's scheduler")
      .NotAPath();
  flags
      ->Texts("hadoop-define", &hadoop_defines_,
              "NAME=VALUE, a setting of the Hadoop job")
      .NotAPath();
  flags
      ->Integer("hadoop-timeout", &hadoop_timeout_s_,
                "seconds to wait for a cluster that does not answer")
      .Between(10, 86400);
}

absl::Status EngineFlags::Check() const {
  if (sort_memory_mb_ * 2 > task_memory_mb_) {
    return absl::InvalidArgumentError(
        StrCat("--sort-memory-mb=", sort_memory_mb_,
               " must be at most half of --task-memory-mb=", task_memory_mb_));
  }
  for (const std::string& define : hadoop_defines_) {
    const size_t equals = define.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return absl::InvalidArgumentError(
          StrCat("--hadoop-define=", define, " is not NAME=VALUE"));
    }
  }
  return absl::OkStatus();
}

void EngineFlags::SetEnvironment() const {
  if (!hadoop_home_.empty()) {
    ::setenv("HADOOP_HOME", hadoop_home_.c_str(), /*overwrite=*/1);
  }
  if (!hadoop_conf_.empty()) {
    ::setenv("HADOOP_CONF_DIR", hadoop_conf_.c_str(), /*overwrite=*/1);
  }
}

absl::StatusOr<std::unique_ptr<mr::Engine>> EngineFlags::MakeEngine() const {
  mr::TaskLimits limits;
  limits.memory_mb = task_memory_mb_;
  limits.sort_memory_mb = sort_memory_mb_;
  limits.row_timeout_s = row_timeout_s_;
  if (is_hadoop()) {
    mr::HadoopOptions hadoop;
    hadoop.limits = limits;
    hadoop.queue = hadoop_queue_;
    hadoop.defines = hadoop_defines_;
    hadoop.patience_s = static_cast<int>(hadoop_timeout_s_);
    hadoop.call_timeout_s = std::min(hadoop.call_timeout_s, hadoop.patience_s);
    return mr::MakeHadoopEngine(hadoop);
  }
  mr::LocalOptions local;
  local.workers = static_cast<int>(workers_);
  local.limits = limits;
  return mr::MakeLocalEngine(local);
}

absl::StatusOr<mr::JobResult> EngineFlags::Run(const mr::Job& job,
                                               const mr::StepRegistry& steps,
                                               io::OutputDir* output) const {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<mr::Engine> engine,
                           MakeEngine());
  mr::JobOptions options;
  options.split_bytes = split_mb_ << 20;
  options.max_bad_fraction = max_bad_fraction_;
  return mr::RunJob(job, steps, options, engine.get(), output);
}

absl::StatusOr<std::unique_ptr<io::OutputDir>> EngineFlags::CreateOutput(
    const std::string& path, bool force) const {
  SetEnvironment();
  return is_hadoop() ? io::OutputDir::Resume(path, force)
                     : io::OutputDir::Create(path, force);
}

}  // namespace trommel::jobs::engine
