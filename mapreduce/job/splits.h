#ifndef TROMMEL_MAPREDUCE_JOB_SPLITS_H_
#define TROMMEL_MAPREDUCE_JOB_SPLITS_H_

// The units of work of a step's map side: row groups, about 64 MB together.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/job/job.h"

namespace trommel::mr {

// Row groups [first, last) of a file of one of the step's inputs.
struct SplitPiece {
  int input = 0;
  std::string file;
  int first_row_group = 0;
  int last_row_group = 0;
  int64_t num_rows = 0;
};

struct Split {
  int index = 0;  // among the step's splits
  std::vector<SplitPiece> pieces;

  int64_t num_rows() const;
};

// Cuts the inputs into splits of about `target_bytes` uncompressed bytes of
// the columns asked for, in the order of inputs, files and row groups. A row
// group is never cut, a split never holds two inputs. Opens every file, so a
// bad one is found before any work is done.
absl::StatusOr<std::vector<Split>> PlanSplits(
    const std::vector<TableInput>& inputs, int64_t target_bytes);

// One line of text, without the newline.
std::string ToLine(const Split& split);
absl::StatusOr<Split> SplitFromLine(std::string_view line);

}  // namespace trommel::mr

#endif  // TROMMEL_MAPREDUCE_JOB_SPLITS_H_
