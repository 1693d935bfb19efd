#include "mapreduce/engine/local/local_engine.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/status.h"
#include "mapreduce/io/scratch_folder.h"
#include "mapreduce/progress.h"
#include "mapreduce/task/attempt.h"
#include "mapreduce/task/supervisor.h"

namespace trommel::mr {
namespace {

// Memory, time and progress are looked at this often; ends of tasks at once.
constexpr std::chrono::milliseconds kPollInterval(50);
// In the output while the step runs: what attempts write before their task is
// known to have succeeded.
constexpr char kAttemptsFolder[] = "_attempts";
constexpr char kTaskSpecFile[] = "step.json";

// Runs a list of tasks, some at a time.
class TaskPool {
 public:
  TaskPool(const LocalOptions& options, const StepRun& run, Progress* progress)
      : options_(options), run_(run), progress_(progress) {}

  // Runs tasks 0 to num_tasks - 1, which `make` describes when their time has
  // come. `count_rows`: progress is rows, not tasks. `done` is called with each
  // task that succeeded, in any order.
  template <typename Make, typename Done>
  absl::Status Run(size_t num_tasks, const std::string& directory,
                   bool count_rows, Make make, Done done) {
    std::vector<Running> running;
    size_t next = 0;
    int64_t rows_done = 0;
    int64_t rows_rejected = 0;
    int64_t tasks_done = 0;
    while (next < num_tasks || !running.empty()) {
      while (next < num_tasks &&
             running.size() < static_cast<size_t>(options_.workers)) {
        auto task = std::make_unique<SupervisedTask>(
            options_.limits, make(next), StrCat(directory, "/", next),
            TakeIdle());
        TROMMEL_RETURN_IF_ERROR(task->Start());
        running.push_back({next++, std::move(task)});
      }
      int64_t rows_now = rows_done;
      int64_t rejected_now = rows_rejected;
      bool ended = false;
      for (size_t i = 0; i < running.size();) {
        SupervisedTask& task = *running[i].task;
        const SupervisedTask::State state = task.Poll();
        for (const std::string& news : task.TakeNews()) progress_->Log(news);
        rows_now += task.rows_done();
        rejected_now += task.rows_rejected();
        if (state == SupervisedTask::State::kRunning) {
          ++i;
          continue;
        }
        if (state == SupervisedTask::State::kFailed) return task.failure();
        rows_done += task.rows_done();
        rows_rejected += task.rows_rejected();
        TROMMEL_RETURN_IF_ERROR(done(running[i].index, task));
        ++tasks_done;
        ended = true;
        idle_.push_back(task.TakeWorker());
        running.erase(running.begin() + static_cast<int64_t>(i));
      }
      progress_->Show(count_rows ? rows_now : tasks_done);
      if (count_rows) {
        TROMMEL_RETURN_IF_ERROR(CheckBadFraction(run_, rejected_now, {}));
      }
      if (!ended) Wait(running);
    }
    return absl::OkStatus();
  }

 private:
  struct Running {
    size_t index;
    std::unique_ptr<SupervisedTask> task;
  };

  std::unique_ptr<WorkerProcess> TakeIdle() {
    if (idle_.empty()) return nullptr;
    std::unique_ptr<WorkerProcess> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  }

  static void Wait(const std::vector<Running>& running) {
    std::vector<const WorkerProcess*> workers;
    workers.reserve(running.size());
    for (const Running& entry : running) {
      workers.push_back(entry.task->worker());
    }
    WorkerProcess::WaitForAny(workers, kPollInterval);
  }

  const LocalOptions& options_;
  const StepRun& run_;
  Progress* progress_;
  std::vector<std::unique_ptr<WorkerProcess>> idle_;
};

class LocalEngine final : public Engine {
 public:
  explicit LocalEngine(const LocalOptions& options) : options_(options) {
    if (options_.workers <= 0) {
      options_.workers =
          std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    }
  }

  absl::Status CheckInput(const io::Path& /*path*/) const override {
    return absl::OkStatus();
  }
  absl::Status CheckOutput(const io::Path& /*path*/) const override {
    return absl::OkStatus();
  }

  absl::StatusOr<StepResult> RunStep(const StepRegistry& /*registry*/,
                                     const StepRun& run) override {
    TROMMEL_ASSIGN_OR_RETURN(
        const std::unique_ptr<io::ScratchFolder> work,
        io::ScratchFolder::Create(WorkParent(run), "_work"));
    const std::string spec_file = StrCat(work->path(), "/", kTaskSpecFile);
    TROMMEL_ASSIGN_OR_RETURN(const io::Path spec_path,
                             io::ResolvePath(spec_file));
    TROMMEL_RETURN_IF_ERROR(
        io::WriteFile(spec_path, ToJson(MakeTaskSpec(run, options_.limits))));
    StepResult result;
    TROMMEL_ASSIGN_OR_RETURN(
        const std::vector<Run> runs,
        RunMaps(run, spec_file, StrCat(work->path(), "/map"), &result));
    TROMMEL_RETURN_IF_ERROR(
        CheckBadFraction(run, result.counter(kRowsRejected), result.counters));
    if (run.spec.num_reducers > 0) {
      TROMMEL_RETURN_IF_ERROR(RunReduces(
          run, spec_file, StrCat(work->path(), "/reduce"), runs, &result));
    }
    TROMMEL_RETURN_IF_ERROR(io::RemoveAll(run.output.Child(kAttemptsFolder)));
    return result;
  }

 private:
  static std::string WorkParent(const StepRun& run) {
    const std::string output = run.output.Absolute();
    return output[0] == '/' ? output : "";
  }

  // Gives the tables of a task that succeeded their place.
  static absl::Status Publish(const SupervisedTask& task,
                              const io::Path& output) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path from,
                             io::ResolvePath(task.attempt().tables));
    for (const auto& [table, shards] : task.result().shards) {
      const io::Path to = output.Child(table);
      TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(to));
      for (const io::ShardInfo& shard : shards) {
        TROMMEL_RETURN_IF_ERROR(io::Rename(from.Child(table).Child(shard.file),
                                           to.Child(shard.file)));
      }
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::vector<Run>> RunMaps(const StepRun& run,
                                           const std::string& spec_file,
                                           const std::string& directory,
                                           StepResult* result) const {
    Progress progress(StrCat(run.spec.step, " map"), "rows", run.num_rows);
    TaskPool pool(options_, run, &progress);
    std::vector<std::vector<Run>> runs(run.splits.size());
    TROMMEL_RETURN_IF_ERROR(pool.Run(
        run.splits.size(), directory, /*count_rows=*/true,
        [&](size_t index) {
          AttemptSpec task;
          task.task_spec = spec_file;
          task.is_map = true;
          task.split = run.splits[index];
          task.tables = run.output.Child(kAttemptsFolder)
                            .Child(MapPrefix(run.index, task.split.index))
                            .Absolute();
          return task;
        },
        [&](size_t index, const SupervisedTask& task) {
          AddResult(task.result(), result);
          runs[index] = task.result().runs;
          return Publish(task, run.output);
        }));
    std::vector<Run> all;
    for (std::vector<Run>& some : runs) {
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
  }

  absl::Status RunReduces(const StepRun& run, const std::string& spec_file,
                          const std::string& directory,
                          const std::vector<Run>& runs,
                          StepResult* result) const {
    Progress progress(StrCat(run.spec.step, " reduce"), "tasks",
                      run.spec.num_reducers);
    TaskPool pool(options_, run, &progress);
    return pool.Run(
        static_cast<size_t>(run.spec.num_reducers), directory,
        /*count_rows=*/false,
        [&](size_t index) {
          AttemptSpec task;
          task.task_spec = spec_file;
          task.is_map = false;
          task.partition = static_cast<int>(index);
          task.tables = run.output.Child(kAttemptsFolder)
                            .Child(ReducePrefix(run.index, task.partition))
                            .Absolute();
          for (const Run& part : runs) {
            const int64_t begin = part.section_begin(index);
            const int64_t end = part.section_ends[index];
            if (begin < end) task.runs.push_back({part.path, {begin, end}});
          }
          return task;
        },
        [&](size_t /*index*/, const SupervisedTask& task) {
          AddResult(task.result(), result);
          return Publish(task, run.output);
        });
  }

  LocalOptions options_;
};

}  // namespace

std::unique_ptr<Engine> MakeLocalEngine(const LocalOptions& options) {
  return std::make_unique<LocalEngine>(options);
}

}  // namespace trommel::mr
