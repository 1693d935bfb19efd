#ifndef TROMMEL_MAPREDUCE_TASK_TASK_SPEC_H_
#define TROMMEL_MAPREDUCE_TASK_TASK_SPEC_H_

// What a task process is told, as JSON files.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mapreduce/io/output_dir.h"
#include "mapreduce/job/job.h"
#include "mapreduce/job/splits.h"
#include "mapreduce/shuffle/run_file.h"

namespace trommel::mr {

// What bounds a task. Rows are not to depend on any of it.
struct TaskLimits {
  // A task process larger than this is stopped, and the row it was on is
  // suspected.
  int64_t memory_mb = 1024;
  // Of that, what map output may take before it is written out sorted.
  int64_t sort_memory_mb = 128;
  // A row that takes longer is suspected.
  int64_t row_timeout_s = 60;
  // A process that gets nowhere for so long, and is on no row, is stopped and
  // its task tried again.
  int64_t stall_timeout_s() const;
  // How often a task may fail for reasons that no row explains.
  int max_attempts = 4;
  // A task with more rows that kill it than this, and than one in a thousand,
  // is broken.
  int max_killer_rows = 100;
};

// Ten minutes, as Hadoop does by default, or more where rows may take more.
inline int64_t TaskLimits::stall_timeout_s() const {
  return row_timeout_s * 2 > 600 ? row_timeout_s * 2 : 600;
}

// The same for all tasks of a step.
struct TaskSpec {
  std::string step;
  int step_index = 0;  // among the job's; part of the names of files
  std::map<std::string, std::string> config;
  std::map<std::string, std::string> side_data;  // name to path
  std::vector<TableInput> inputs;                // columns only
  int num_reducers = 0;
  bool combine = true;
  TaskLimits limits;
};

std::string ToJson(const TaskSpec& spec);
absl::StatusOr<TaskSpec> TaskSpecFromJson(std::string_view json);

// A row given up because it killed its process whenever it was tried.
struct KillerRow {
  int64_t row = 0;  // counted through the split
  std::string reason;
  std::string detail;
};

inline constexpr size_t kSectionToReduce = 1;

// One attempt of one task, as a worker process is told to make it.
struct AttemptSpec {
  std::string task_spec;  // file
  bool is_map = true;
  std::string directory;      // local and its own: pairs, breadcrumb, result
  std::string tables;         // where tables are written: path or URI
  bool clear_tables = false;  // an attempt before this one wrote there too
  // Where a copy of the result goes, beside the tables; empty: nowhere.
  std::string published_result;
  // Of a map task.
  Split split;
  std::vector<KillerRow> killer_rows;
  // Map output as one unsorted file for Hadoop to read, not as sorted runs.
  bool as_stream = false;
  // Of a reduce task. Of each run it is told only where its own section is:
  // what lies before counts as section 0, its own as kSectionToReduce.
  int partition = 0;
  std::vector<Run> runs;

  // Its files in `directory`.
  std::string BreadcrumbFile() const { return directory + "/breadcrumb"; }
  std::string ResultFile() const { return directory + "/result.json"; }
  std::string PairsFile() const { return directory + "/pairs"; }
};

std::string ToJson(const AttemptSpec& spec);
absl::StatusOr<AttemptSpec> AttemptSpecFromJson(std::string_view json);

// What an attempt leaves behind when it ends by itself.
struct AttemptResult {
  absl::Status status;
  Counters counters;
  // Files of each table, by its name; paths relative to the table.
  std::map<std::string, std::vector<io::ShardInfo>> shards;
  std::vector<Run> runs;  // map output, where it was sorted
};

std::string ToJson(const AttemptResult& result);
absl::StatusOr<AttemptResult> AttemptResultFromJson(std::string_view json);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_TASK_TASK_SPEC_H_
