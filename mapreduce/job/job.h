#ifndef TROMMEL_MAPREDUCE_JOB_JOB_H_
#define TROMMEL_MAPREDUCE_JOB_JOB_H_

// What a job is made of.
//
// A job is a list of steps. Each step reads the rows of Parquet tables and
// maps them; where it also reduces, pairs are grouped, sorted and reduced;
// what comes out are rows of further tables, which later steps may read.
//
// A step has two halves. The code (`Step`) says what happens to a row and to a
// group; it is registered under a name, since the processes that run it, here
// or on another machine, know it only by that. The data (`StepSpec`) says
// which tables go in, with which settings; it travels as JSON. jobs/stats is a
// job to read as an example.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"
#include "mapreduce/io/table_reader.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::mr {

// --- Data --------------------------------------------------------------------

// A table that a step reads, in splits of whole row groups.
struct TableInput {
  // Files or directories; or, where `from_output` is set, the table of that
  // name which an earlier step of the same job wrote.
  std::vector<std::string> paths;
  std::string from_output;
  std::vector<io::ColumnRequest> columns;
  // Rows decoded at a time, at most; few where rows are large.
  int64_t max_batch_rows = 65536;
  // A value of more bytes may be withheld (io::Row::withheld_bytes()) instead
  // of read, where that saves its memory; 0: never.
  int64_t max_value_bytes = 0;
};

// A file or directory that every task of a step reads.
struct SideData {
  std::string name;
  std::string path;  // or, as above:
  std::string from_output;
};

struct StepSpec {
  std::string step;  // the name of its code
  std::vector<TableInput> inputs;
  std::vector<SideData> side_data;
  // Settings the code reads. Whatever decides rows belongs here.
  std::map<std::string, std::string> config;
  // 0: map only. Rows do not depend on the number.
  int num_reducers = 0;
  // Whether the step's combiner, if it has one, is used.
  bool combine = true;
};

struct Job {
  std::string name;
  std::vector<StepSpec> steps;
};

// --- Code --------------------------------------------------------------------

// What a task knows of its step.
class TaskContext {
 public:
  virtual ~TaskContext() = default;
  // A setting; NotFound names it when the spec lacks it.
  virtual absl::StatusOr<std::string> Config(std::string_view name) const = 0;
  // Where this task can read a piece of side data. A local path or a URI. In a
  // directory there may be hidden files besides (Hadoop's checksums).
  virtual absl::StatusOr<std::string> SideDataPath(
      std::string_view name) const = 0;
};

// A page, or what else a row stands for, as the table of rejects names it.
struct RowName {
  std::string url;
  std::string site;
};

// Where tasks put results.
class TaskOutput {
 public:
  virtual ~TaskOutput() = default;
  // Counters add up over all tasks and count every row once, however often a
  // task had to be tried. Names read "group.event", past tense.
  virtual void Count(std::string_view counter, int64_t amount) = 0;
  void Count(std::string_view counter) { Count(counter, 1); }
  // The writer of one of the step's tables, by its place in Outputs().
  virtual absl::StatusOr<io::RowWriter*> Table(size_t output) = 0;
  // Puts a row into the table of rejects, and counts it.
  virtual absl::Status Reject(const RowName& row, std::string_view reason,
                              std::string_view detail) = 0;
  // The same for a row that nothing is wrong with and that the job has no use
  // for: it goes into the same table and is counted by its reason, but is not
  // among the bad rows of which a job bears only a share.
  virtual absl::Status PassOver(const RowName& row, std::string_view reason,
                                std::string_view detail) = 0;
};

class MapOutput : public TaskOutput {
 public:
  // Sends a value to the reducer of `group`, which receives a group's values
  // ordered by sort key. Values with the same group and sort key come in an
  // order that differs between engines: what depends on order needs a sort key
  // that decides it.
  virtual absl::Status Emit(std::string_view group, std::string_view sort_key,
                            std::string_view value) = 0;
};

// Sees every row of one split. A split is tried again from its beginning, by a
// new mapper in a new process, if its process dies.
class Mapper {
 public:
  virtual ~Mapper() = default;
  // `input` is the place of the row's table among the step's inputs. An error
  // fails the task; a row that is merely bad is rejected or counted instead.
  virtual absl::Status Map(int input, const io::Row& row, MapOutput* out) = 0;
  // Whether Map() needs the deferred columns of the row (which has them null
  // here). A row group of which no row needs them is mapped without them, and
  // they are not read. Asked only where a step's input has such columns, of as
  // many rows as it takes.
  virtual bool NeedsDeferred(int /*input*/, const io::Row& /*row*/) {
    return true;
  }
  // After the last row.
  virtual absl::Status Finish(MapOutput* /*out*/) { return absl::OkStatus(); }
  // For the table of rejects, should this row kill its process whenever it is
  // mapped. Must not do what Map() does with the row.
  virtual RowName Name(int input, const io::Row& row) const = 0;
};

// The values of a group, once, in order.
class Values {
 public:
  virtual ~Values() = default;
  // False at the end of the group. Views are valid until the next call.
  virtual bool Next() = 0;
  virtual std::string_view value() const = 0;
  virtual std::string_view sort_key() const = 0;
};

// Makes fewer values of many that have the same group and sort key, wherever
// that saves carrying them: on any part of them, any number of times or never,
// so it must not change what the reducer makes of them.
class Combiner {
 public:
  class Output {
   public:
    virtual ~Output() = default;
    virtual absl::Status Emit(std::string_view value) = 0;
  };
  virtual ~Combiner() = default;
  virtual absl::Status Combine(std::string_view group, Values* values,
                               Output* out) = 0;
};

// Sees every group of one partition, in bytewise order of groups. Need not
// read all values.
class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual absl::Status Reduce(std::string_view group, Values* values,
                              TaskOutput* out) = 0;
  virtual absl::Status Finish(TaskOutput* /*out*/) { return absl::OkStatus(); }
};

// A table that a step writes.
struct OutputTable {
  // Its folder in the job's output; one that begins with "_scratch" is removed
  // when the job is done. "." is the output folder itself.
  std::string name;
  std::shared_ptr<arrow::Schema> schema;
  // Columns of long unique values, stored without a dictionary.
  std::vector<std::string> plain_columns;
};

class Step {
 public:
  virtual ~Step() = default;
  virtual std::string_view name() const = 0;
  virtual absl::StatusOr<std::vector<OutputTable>> Outputs(
      const TaskContext& context) const = 0;
  virtual absl::StatusOr<std::unique_ptr<Mapper>> MakeMapper(
      const TaskContext& context) const = 0;
  // Null: there is none.
  virtual absl::StatusOr<std::unique_ptr<Combiner>> MakeCombiner(
      const TaskContext& /*context*/) const {
    return nullptr;
  }
  virtual absl::StatusOr<std::unique_ptr<Reducer>> MakeReducer(
      const TaskContext& /*context*/) const {
    return nullptr;
  }
};

// All steps of a program.
using StepRegistry = std::vector<std::unique_ptr<Step>>;
// The step of a name; NotFound lists those there are.
absl::StatusOr<const Step*> FindStep(const StepRegistry& registry,
                                     std::string_view name);

// What a finished step, or job, reports.
using Counters = std::map<std::string, int64_t, std::less<>>;
// 0 for one that nobody counted.
int64_t CounterOf(const Counters& counters, std::string_view name);
// Counters that every step has.
inline constexpr std::string_view kRowsRead = "rows.read";
// Of the tables' files; columns that nobody needs are not read.
inline constexpr std::string_view kBytesRead = "bytes.read";
inline constexpr std::string_view kRowsRejected = "rows.rejected";
inline constexpr std::string_view kRowsPassedOver = "rows.passed_over";
// And one for each reason why rows were rejected or passed over: this and the
// reason.
inline constexpr std::string_view kRejectedPrefix = "rejected.";
// Those, by reason.
Counters RejectsByReason(const Counters& counters);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_JOB_JOB_H_
