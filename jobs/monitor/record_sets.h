#ifndef TROMMEL_JOBS_MONITOR_RECORD_SETS_H_
#define TROMMEL_JOBS_MONITOR_RECORD_SETS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/row.h"

namespace trommel::jobs::monitor_job {

// The records of one schema.
struct RecordSet {
  std::string path;
  // The attributes, by what the files say: kBytes, or kBytesList where
  // repeated.
  std::vector<io::ColumnRequest> attributes;
};

// The records in an output of `trommel extract`, by schema. NotFound if there
// are none.
absl::StatusOr<std::map<std::string, RecordSet>> FindRecordSets(
    std::string_view records);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_RECORD_SETS_H_
