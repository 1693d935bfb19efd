#include "jobs/engine/engine_flags.h"

#include "core/base/status.h"
#include "mapreduce/engine/local/local_engine.h"

namespace trommel {

void EngineFlags::Define(cli::Flags* flags) {
  flags->Choice("engine", &engine_, {"local", "hadoop"}, "where the job runs");
  flags
      ->Integer("workers", &workers_,
                "worker processes at a time, local engine; 0: one per core")
      .Between(0, 4096);
  flags
      ->Number("max-bad-fraction", &max_bad_fraction_,
               "fail when a larger share of the rows is rejected")
      .Between(0, 1);
  flags
      ->Integer(
          "task-memory-mb", &task_memory_mb_,
          "memory of a task process; a row that takes it over is rejected")
      .Between(64, 1 << 20);
  flags
      ->Integer("sort-memory-mb", &sort_memory_mb_,
                "of that, for sorting what the mapper emits")
      .Between(1, 1 << 20);
  flags
      ->Integer("row-timeout", &row_timeout_s_,
                "seconds that one row may take before it is rejected")
      .Between(1, 86400);
  flags
      ->Integer("split-mb", &split_mb_,
                "uncompressed megabytes of input per map task, about")
      .Between(1, 1 << 20);
}

absl::Status EngineFlags::Check() const {
  if (sort_memory_mb_ * 2 > task_memory_mb_) {
    return absl::InvalidArgumentError(
        StrCat("--sort-memory-mb=", sort_memory_mb_,
               " must be at most half of --task-memory-mb=", task_memory_mb_));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<mr::Engine>> EngineFlags::MakeEngine() const {
  mr::TaskLimits limits;
  limits.memory_mb = task_memory_mb_;
  limits.sort_memory_mb = sort_memory_mb_;
  limits.row_timeout_s = row_timeout_s_;
  if (is_hadoop()) return absl::UnimplementedError("hadoop");
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
  return io::OutputDir::Create(path, force);
}

}  // namespace trommel
