#include "mapreduce/engine/engine.h"

#include <algorithm>
#include <utility>

#include "core/base/hash.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/io/location.h"
#include "mapreduce/io/shard_writer.h"
#include "mapreduce/task/attempt.h"

namespace trommel::mr {

int64_t StepResult::counter(std::string_view name) const {
  return CounterOf(counters, name);
}

TaskSpec MakeTaskSpec(const StepRun& run, const TaskLimits& limits) {
  const StepSpec& spec = run.spec;
  TaskSpec task;
  task.step_index = run.index;
  task.step = spec.step;
  task.config = spec.config;
  for (const SideData& side : spec.side_data) {
    task.side_data[side.name] = side.path;
  }
  for (const TableInput& input : spec.inputs) {
    task.inputs.push_back(
        {{}, {}, input.columns, input.max_batch_rows, input.max_value_bytes});
  }
  task.num_reducers = spec.num_reducers;
  task.combine = spec.combine;
  task.limits = limits;
  return task;
}

void AddResult(const AttemptResult& task, StepResult* step) {
  for (const auto& [name, value] : task.counters) {
    step->counters[name] += value;
  }
  for (const auto& [table, shards] : task.shards) {
    std::vector<io::ShardInfo>& all = step->tables[table];
    all.insert(all.end(), shards.begin(), shards.end());
  }
}

absl::Status CheckBadFraction(const StepRun& run, int64_t rows_rejected,
                              const Counters& counters) {
  if (static_cast<double>(rows_rejected) <=
      run.max_bad_fraction * static_cast<double>(run.num_rows)) {
    return absl::OkStatus();
  }
  std::string message = StrCat(rows_rejected, " of ", run.num_rows,
                               " rows were bad, more than --max-bad-fraction=",
                               run.max_bad_fraction, " allows");
  std::string_view separator = ": ";
  for (const auto& [reason, count] : RejectsByReason(counters)) {
    StrAppend(&message, separator, reason, " ", count);
    separator = ", ";
  }
  // Tasks that are still at work have not told why.
  if (separator == ": ") {
    StrAppend(&message,
              "; with --max-bad-fraction=1 the job goes on, and its table of "
              "rejects says why");
  }
  return absl::FailedPreconditionError(message);
}

namespace {

// The most that the key of a sorted pair has room for.
constexpr int kMaxReducers = 65536;

// Fills in where the outputs of earlier steps are, and checks the others.
absl::Status ResolveInputs(const io::Path& staging, const Engine& engine,
                           StepSpec* spec) {
  if (spec->num_reducers < 0 || spec->num_reducers > kMaxReducers) {
    return absl::InvalidArgumentError(
        StrCat("step ", spec->step, " asks for ", spec->num_reducers,
               " reducers; the limit is ", kMaxReducers));
  }
  for (TableInput& input : spec->inputs) {
    if (!input.from_output.empty()) {
      input.paths = {staging.Child(input.from_output).Absolute()};
      continue;
    }
    for (const std::string& path : input.paths) {
      TROMMEL_ASSIGN_OR_RETURN(const io::Path resolved, io::ResolvePath(path));
      TROMMEL_RETURN_IF_ERROR(engine.CheckInput(resolved));
    }
  }
  for (SideData& side : spec->side_data) {
    if (!side.from_output.empty()) {
      side.path = staging.Child(side.from_output).Absolute();
      continue;
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path resolved,
                             io::ResolvePath(side.path));
    TROMMEL_RETURN_IF_ERROR(engine.CheckInput(resolved));
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(resolved));
    if (entry.kind == io::EntryKind::kNone) {
      return absl::NotFoundError(
          StrCat(side.path, ": no such file or directory"));
    }
    side.path = resolved.Absolute();
  }
  return absl::OkStatus();
}

// Adds the names, sizes and times of the files at a path.
absl::Status DigestFiles(const std::string& path, DigestStream* digest) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path resolved, io::ResolvePath(path));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry entry, io::Stat(resolved));
  std::vector<io::Entry> files = {entry};
  if (entry.kind == io::EntryKind::kDirectory) {
    TROMMEL_ASSIGN_OR_RETURN(files,
                             io::ListDirectory(resolved, /*recursive=*/true));
  }
  for (const io::Entry& file : files) {
    if (file.kind != io::EntryKind::kFile) continue;
    digest->Update(
        StrCat(file.path.path, " ", file.size, " ", file.modified_ns, "\n"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> FingerprintOf(const Job& job,
                                          const JobOptions& options) {
  DigestStream digest;
  digest.Update(StrCat(job.name, " ", options.split_bytes, "\n"));
  for (const StepSpec& spec : job.steps) {
    StepRun run;
    run.spec = spec;
    digest.Update(ToJson(MakeTaskSpec(run, {})));
    for (const TableInput& input : spec.inputs) {
      digest.Update(StrCat("table ", input.from_output, "\n"));
      for (const std::string& path : input.paths) {
        TROMMEL_RETURN_IF_ERROR(DigestFiles(path, &digest));
      }
    }
    for (const SideData& side : spec.side_data) {
      digest.Update(StrCat("side ", side.from_output, "\n"));
      if (side.from_output.empty()) {
        TROMMEL_RETURN_IF_ERROR(DigestFiles(side.path, &digest));
      }
    }
  }
  return digest.Hex();
}

// A table without rows still has a schema for its readers.
absl::Status WriteEmptyTables(const BoundStep& step, const io::Path& output,
                              StepResult* result) {
  for (const OutputTable& table : step.tables()) {
    if (table.name == kRejectsTable || result->tables.count(table.name) > 0) {
      continue;
    }
    io::ShardWriter::Options options;
    options.prefix = "part-empty";
    TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<io::ShardWriter> writer,
                             io::ShardWriter::Create(output.Child(table.name),
                                                     table.schema, options));
    TROMMEL_ASSIGN_OR_RETURN(result->tables[table.name], writer->Close());
  }
  return absl::OkStatus();
}

absl::StatusOr<StepResult> RunOne(StepRun run, const StepRegistry& registry,
                                  const JobOptions& options, Engine* engine) {
  const io::Path& staging = run.output;
  TROMMEL_RETURN_IF_ERROR(ResolveInputs(staging, *engine, &run.spec));
  // Wrong settings are found here, not by the first task.
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> bound,
                           BoundStep::Create(registry, MakeTaskSpec(run, {})));
  TROMMEL_ASSIGN_OR_RETURN(run.splits,
                           PlanSplits(run.spec.inputs, options.split_bytes));
  for (const Split& split : run.splits) run.num_rows += split.num_rows();
  StepResult result;
  if (!run.splits.empty()) {
    TROMMEL_ASSIGN_OR_RETURN(result, engine->RunStep(registry, run));
  }
  result.counters.try_emplace(std::string(kRowsRead), 0);
  result.counters.try_emplace(std::string(kRowsRejected), 0);
  TROMMEL_RETURN_IF_ERROR(
      CheckBadFraction(run, result.counter(kRowsRejected), result.counters));
  TROMMEL_RETURN_IF_ERROR(WriteEmptyTables(*bound, staging, &result));
  for (auto& [table, shards] : result.tables) {
    std::sort(shards.begin(), shards.end(),
              [](const io::ShardInfo& a, const io::ShardInfo& b) {
                return a.file < b.file;
              });
  }
  return result;
}

// Replacing the output would delete such an input, or the output would be read
// as part of it. The command line has looked at the paths it was given; these
// are the tables that the verb has found there.
absl::Status CheckApart(const Job& job, const io::Path& target) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Location output,
                           io::Location::Of(target.Absolute()));
  const auto check = [&](const std::string& name) -> absl::Status {
    if (name.empty()) return absl::OkStatus();
    TROMMEL_ASSIGN_OR_RETURN(const io::Location input, io::Location::Of(name));
    if (!input.Contains(output) && !output.Contains(input)) {
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError(
        StrCat("the input ", name, " and the output ", target.name,
               " are one inside the other; write the output elsewhere"));
  };
  for (const StepSpec& step : job.steps) {
    for (const TableInput& input : step.inputs) {
      for (const std::string& path : input.paths) {
        TROMMEL_RETURN_IF_ERROR(check(path));
      }
    }
    for (const SideData& data : step.side_data) {
      TROMMEL_RETURN_IF_ERROR(check(data.path));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<JobResult> RunJob(const Job& job, const StepRegistry& registry,
                                 const JobOptions& options, Engine* engine,
                                 io::OutputDir* output) {
  TROMMEL_RETURN_IF_ERROR(CheckApart(job, output->target()));
  TROMMEL_RETURN_IF_ERROR(engine->CheckOutput(output->target()));
  // Names travel to the tasks as JSON.
  const std::string& place = output->staging().path;
  if (ValidUtf8Prefix(place) != place.size()) {
    return absl::InvalidArgumentError(
        StrCat(output->target().name, ": the name is not UTF-8"));
  }
  TROMMEL_ASSIGN_OR_RETURN(const std::string fingerprint,
                           FingerprintOf(job, options));
  JobResult result;
  for (size_t i = 0; i < job.steps.size(); ++i) {
    StepRun run;
    run.spec = job.steps[i];
    run.index = static_cast<int>(i);
    run.job_fingerprint = fingerprint;
    run.output = output->staging();
    run.max_bad_fraction = options.max_bad_fraction;
    absl::StatusOr<StepResult> step =
        RunOne(std::move(run), registry, options, engine);
    if (!step.ok()) return step.status();
    for (const auto& [table, shards] : step->tables) {
      if (table.compare(0, sizeof(kScratchPrefix) - 1, kScratchPrefix) == 0) {
        continue;
      }
      for (io::ShardInfo shard : shards) {
        if (table != ".") shard.file = StrCat(table, "/", shard.file);
        result.shards.push_back(std::move(shard));
      }
    }
    result.steps.push_back(*std::move(step));
  }
  TROMMEL_ASSIGN_OR_RETURN(
      const std::vector<io::Entry> entries,
      io::ListDirectory(output->staging(), /*recursive=*/false));
  for (const io::Entry& entry : entries) {
    if (entry.path.BaseName().compare(0, sizeof(kScratchPrefix) - 1,
                                      kScratchPrefix) == 0) {
      TROMMEL_RETURN_IF_ERROR(io::RemoveAll(entry.path));
    }
  }
  return result;
}

}  // namespace trommel::mr
