#include "mapreduce/task/streaming.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "core/base/status.h"
#include "core/base/text.h"
#include "mapreduce/codec/hadoop_pairs.h"
#include "mapreduce/codec/raw_bytes.h"
#include "mapreduce/io/path.h"
#include "mapreduce/shuffle/groups.h"
#include "mapreduce/task/attempt.h"
#include "mapreduce/task/supervisor.h"
#include "mapreduce/task/task_spec.h"

namespace trommel::mr {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollInterval(50);
constexpr auto kReportInterval = std::chrono::seconds(2);
// Hadoop refuses jobs with more than 120 counters, its own included.
constexpr int kMaxReportedCounters = 40;

// Talks to Hadoop by lines on standard error.
class Reporter {
 public:
  void Counter(std::string_view name, int64_t amount) {
    std::string clean(name);
    std::replace(clean.begin(), clean.end(), ',', '_');
    std::fprintf(stderr, "reporter:counter:trommel,%s,%lld\n", clean.c_str(),
                 static_cast<long long>(amount));
  }
  // A sign of life, now and then.
  void Status(std::string_view text) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + kReportInterval;
    std::fprintf(stderr, "reporter:status:%s\n", std::string(text).c_str());
  }
  // All counters of a task but those given by other means.
  void Counters(const mr::Counters& counters) {
    int reported = 0;
    for (const auto& [name, value] : counters) {
      if (name == kRowsRead || name == kRowsRejected) continue;
      if (++reported > kMaxReportedCounters) break;
      Counter(name, value);
    }
  }

 private:
  Clock::time_point next_ = Clock::now();
};

absl::StatusOr<std::string> Environment(const char* name) {
  const char* const value = std::getenv(name);
  if (value == nullptr) {
    return absl::FailedPreconditionError(
        StrCat("the environment has no ", name,
               ": this verb is run by Hadoop Streaming, not by hand"));
  }
  return std::string(value);
}

absl::StatusOr<TaskSpec> ReadSpec(const std::string& file) {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string json, io::ReadFile(path));
  absl::StatusOr<TaskSpec> spec = TaskSpecFromJson(json);
  if (!spec.ok()) return Annotate(spec.status(), file);
  return spec;
}

std::string ResultPath(const std::string& tables, const std::string& prefix) {
  return StrCat(tables, "/", kResultsFolder, "/", prefix, ".json");
}

absl::Status CopyToStandardOutput(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return absl::UnavailableError(StrCat("cannot open ", file));
  }
  RawBytesReader pairs(descriptor, file);
  RawBytesWriter writer(STDOUT_FILENO, "standard output");
  absl::Status status = CopyCombined(&pairs, /*combiner=*/nullptr, &writer);
  if (status.ok()) status = writer.Flush();
  ::close(descriptor);
  return status;
}

// Passes what a task has done since the last report on to Hadoop. An attempt
// that begins anew repeats rows that were reported already.
class RowReports {
 public:
  explicit RowReports(Reporter* reporter) : reporter_(reporter) {}
  void Update(int64_t rows, int64_t rejected) {
    Report(kRowsRead, rows, &rows_);
    Report(kRowsRejected, rejected, &rejected_);
  }

 private:
  void Report(std::string_view counter, int64_t value, int64_t* reported) {
    if (value <= *reported) return;
    reporter_->Counter(counter, value - *reported);
    *reported = value;
  }
  Reporter* reporter_;
  int64_t rows_ = 0;
  int64_t rejected_ = 0;
};

absl::Status MapSplit(const TaskSpec& spec, const std::string& spec_file,
                      Split split, const std::string& tables,
                      Reporter* reporter) {
  AttemptSpec attempt;
  attempt.task_spec = spec_file;
  attempt.tables = tables;
  attempt.published_result =
      ResultPath(tables, MapPrefix(spec.step_index, split.index));
  attempt.as_stream = true;
  attempt.split = std::move(split);
  const std::string directory =
      StrCat(std::filesystem::current_path().string(), "/trommel-task-",
             ::getpid(), "-", attempt.split.index);
  SupervisedTask task(spec.limits, std::move(attempt), directory, nullptr);
  TROMMEL_RETURN_IF_ERROR(task.Start());
  RowReports rows(reporter);
  Clock::time_point next_report = Clock::now() + kReportInterval;
  int64_t last_activity = -1;
  while (true) {
    const SupervisedTask::State state = task.Poll();
    for (const std::string& news : task.TakeNews()) {
      std::fprintf(stderr, "trommel: %s\n", Printable(news).c_str());
    }
    if (state == SupervisedTask::State::kFailed) return task.failure();
    if (state == SupervisedTask::State::kSucceeded) break;
    // A task that gets nowhere is silent, and Hadoop ends it in time.
    if (Clock::now() >= next_report && task.activity() != last_activity) {
      next_report = Clock::now() + kReportInterval;
      last_activity = task.activity();
      rows.Update(task.rows_done(), task.rows_rejected());
      reporter->Status(StrCat(task.rows_done(), " rows"));
    }
    WorkerProcess::WaitForAny({task.worker()}, kPollInterval);
  }
  rows.Update(task.rows_done(), task.rows_rejected());
  reporter->Counters(task.result().counters);
  if (spec.num_reducers > 0) {
    TROMMEL_RETURN_IF_ERROR(CopyToStandardOutput(task.attempt().PairsFile()));
  }
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
  return absl::OkStatus();
}

// What Hadoop delivers on standard input, with a sign of life now and then.
class ReportedPairs final : public PairStream {
 public:
  explicit ReportedPairs(Reporter* reporter)
      : reporter_(reporter), pairs_(STDIN_FILENO, "standard input") {}

  absl::StatusOr<bool> Next(Pair* pair) override {
    if (++num_pairs_ % 1024 == 0) {
      reporter_->Status(StrCat(num_pairs_, " pairs"));
    }
    return pairs_.Next(pair);
  }

 private:
  Reporter* reporter_;
  RawBytesReader pairs_;
  int64_t num_pairs_ = 0;
};

absl::StatusOr<std::unique_ptr<BoundStep>> Bind(const StepRegistry& registry,
                                                const std::string& spec_file) {
  std::signal(SIGPIPE, SIG_IGN);
  TROMMEL_ASSIGN_OR_RETURN(TaskSpec spec, ReadSpec(spec_file));
  return BoundStep::Create(registry, std::move(spec));
}

}  // namespace

absl::Status StreamingMap(const StepRegistry& registry,
                          const std::string& spec_file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> step,
                           Bind(registry, spec_file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string tables,
                           Environment("mapreduce_task_output_dir"));
  const std::string spec_path =
      std::filesystem::absolute(spec_file).lexically_normal().string();
  Reporter reporter;
  // The whole of standard input is read before work begins: Hadoop takes an
  // early end of the task for a failure.
  std::vector<Split> splits;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.empty()) continue;
    TROMMEL_ASSIGN_OR_RETURN(Split split, SplitFromLine(line));
    splits.push_back(std::move(split));
  }
  for (Split& split : splits) {
    TROMMEL_RETURN_IF_ERROR(
        MapSplit(step->spec(), spec_path, std::move(split), tables, &reporter));
  }
  return absl::OkStatus();
}

absl::Status StreamingCombine(const StepRegistry& registry,
                              const std::string& spec_file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> step,
                           Bind(registry, spec_file));
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<Combiner> combiner,
                           step->MakeCombiner());
  Reporter reporter;
  ReportedPairs input(&reporter);
  UnprefixedPairs pairs(&input);
  RawBytesWriter writer(STDOUT_FILENO, "standard output");
  PrefixingSink sink(static_cast<uint32_t>(step->spec().num_reducers), &writer);
  TROMMEL_RETURN_IF_ERROR(CopyCombined(&pairs, combiner.get(), &sink));
  return writer.Flush();
}

absl::Status StreamingReduce(const StepRegistry& registry,
                             const std::string& spec_file) {
  TROMMEL_ASSIGN_OR_RETURN(const std::unique_ptr<BoundStep> step,
                           Bind(registry, spec_file));
  TROMMEL_ASSIGN_OR_RETURN(const std::string tables_uri,
                           Environment("mapreduce_task_output_dir"));
  TROMMEL_ASSIGN_OR_RETURN(const std::string partition,
                           Environment("mapreduce_task_partition"));
  TROMMEL_ASSIGN_OR_RETURN(const io::Path tables, io::ResolvePath(tables_uri));
  const std::string prefix =
      ReducePrefix(step->spec().step_index, std::atoi(partition.c_str()));
  Reporter reporter;
  ReportedPairs input(&reporter);
  UnprefixedPairs pairs(&input);
  AttemptOutput output(*step, tables, prefix,
                       [&reporter] { reporter.Status("reducing"); });
  TROMMEL_RETURN_IF_ERROR(ReduceStream(*step, &pairs, &output));
  AttemptResult result;
  TROMMEL_RETURN_IF_ERROR(output.Close(&result));
  reporter.Counters(result.counters);
  TROMMEL_ASSIGN_OR_RETURN(const io::Path copy,
                           io::ResolvePath(ResultPath(tables_uri, prefix)));
  TROMMEL_RETURN_IF_ERROR(io::MakeDirectories(copy.Parent()));
  return io::WriteFile(copy, ToJson(result));
}

}  // namespace trommel::mr
