#ifndef TROMMEL_JOBS_EVAL_INPUTS_H_
#define TROMMEL_JOBS_EVAL_INPUTS_H_

// What `trommel eval` compares: truth, records, and the pages left out.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/eval/calibration.h"
#include "core/record/record.h"
#include "mapreduce/io/path.h"
#include "proto/schema.pb.h"

namespace trommel::jobs::eval_job {

// The records of a page by their number, which is their order on it.
using NumberedRecords = std::map<int64_t, record::Record>;

// A page of the truth, and what was extracted from it.
struct EvalPage {
  NumberedRecords is_true;
  // Of several versions of the page the latest. Without confidence unless it
  // was asked for.
  std::map<int64_t, eval::StatedRecord> extracted;
  // What records or rejects say; none where neither has the page.
  std::optional<std::string> site;
};

struct EvalInputs {
  // The attributes of all records: those of --schema, then those that only the
  // truth mentions.
  proto::Schema schema;
  // Those that the truth has on any page, if only to say that there is none.
  std::set<std::string> true_attributes;
  std::map<std::string, EvalPage> pages;  // by URL
  int64_t records_without_truth = 0;
};

// Reads truth and records. `schema`, which may be without attributes, says
// which of its attributes are repeated; another one is if any of its columns is
// a list. With `with_confidence` the records must say theirs. Errors name the
// file, and of truth the line.
absl::StatusOr<EvalInputs> ReadInputs(const proto::Schema& schema,
                                      const std::vector<io::Path>& truth_files,
                                      const io::Path& records,
                                      bool with_confidence);

// Adds the URLs of a file of annotations.
absl::Status ReadAnnotatedUrls(const io::Path& file,
                               std::set<std::string>* urls);

}  // namespace trommel::jobs::eval_job

#endif  // TROMMEL_JOBS_EVAL_INPUTS_H_
