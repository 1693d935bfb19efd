#ifndef TROMMEL_MAPREDUCE_TASK_ATTEMPT_H_
#define TROMMEL_MAPREDUCE_TASK_ATTEMPT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/codec/pair_stream.h"
#include "mapreduce/io/path.h"
#include "mapreduce/job/job.h"
#include "mapreduce/task/task_spec.h"

namespace trommel::mr {

// The columns of the table of rejects, and its folder.
inline constexpr char kRejectsTable[] = "_rejects";
std::shared_ptr<arrow::Schema> RejectsSchema();

// A step as a task sees it: its code, its data, and what they make together.
class BoundStep final : public TaskContext {
 public:
  static absl::StatusOr<std::unique_ptr<BoundStep>> Create(
      const StepRegistry& registry, TaskSpec spec);

  absl::StatusOr<std::string> Config(std::string_view name) const override;
  absl::StatusOr<std::string> SideDataPath(
      std::string_view name) const override;

  const TaskSpec& spec() const { return spec_; }
  // The step's tables and, last, that of rejects.
  const std::vector<OutputTable>& tables() const { return tables_; }
  absl::StatusOr<std::unique_ptr<Mapper>> MakeMapper() const {
    return step_->MakeMapper(*this);
  }
  // Null when there is none or it is switched off.
  absl::StatusOr<std::unique_ptr<Combiner>> MakeCombiner() const;
  absl::StatusOr<std::unique_ptr<Reducer>> MakeReducer() const;

 private:
  BoundStep(const Step* step, TaskSpec spec)
      : step_(step), spec_(std::move(spec)) {}

  const Step* step_;
  TaskSpec spec_;
  std::vector<OutputTable> tables_;
};

// Counters and tables of one attempt.
class AttemptOutput final : public TaskOutput {
 public:
  // Files are named PREFIX-00000.parquet below DIRECTORY/TABLE. `on_activity`
  // is called whenever something is put out.
  AttemptOutput(const BoundStep& step, io::Path directory, std::string prefix,
                std::function<void()> on_activity)
      : step_(step),
        directory_(std::move(directory)),
        prefix_(std::move(prefix)),
        on_activity_(std::move(on_activity)),
        writers_(step.tables().size()) {}

  using TaskOutput::Count;
  void Count(std::string_view counter, int64_t amount) override;
  absl::StatusOr<io::RowWriter*> Table(size_t output) override;
  absl::Status Reject(const RowName& row, std::string_view reason,
                      std::string_view detail) override;
  absl::Status PassOver(const RowName& row, std::string_view reason,
                        std::string_view detail) override;
  int64_t num_rejected() const { return num_rejected_; }

  // Finishes the tables and fills in what the attempt has made.
  absl::Status Close(AttemptResult* result);

 private:
  absl::Status WriteReject(const RowName& row, std::string_view reason,
                           std::string_view detail);

  const BoundStep& step_;
  io::Path directory_;
  std::string prefix_;
  std::function<void()> on_activity_;
  std::vector<std::unique_ptr<io::RowWriter>> writers_;
  absl::flat_hash_map<std::string, int64_t> counters_;
  int64_t num_rejected_ = 0;
};

// Reduces a sorted stream: the reduce side of a step, wherever the stream
// comes from.
absl::Status ReduceStream(const BoundStep& step, PairStream* sorted,
                          AttemptOutput* output);

// How the names of a task's files begin: the same on every engine, and
// different for every task of a job.
std::string MapPrefix(int step_index, int split);
std::string ReducePrefix(int step_index, int partition);

// The life of a worker process: runs the attempts whose files are named, line
// by line, on standard input, leaves each one's result in the file its
// specification names, and answers on standard output with a byte. A row that
// crashes takes the process with it. Returns the exit code.
int RunWorker(const StepRegistry& registry, int64_t supervisor_pid);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_ATTEMPT_H_
