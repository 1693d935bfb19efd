#ifndef TROMMEL_JOBS_VALUE_SUMMARIES_RECORD_SETS_H_
#define TROMMEL_JOBS_VALUE_SUMMARIES_RECORD_SETS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/row.h"

namespace trommel::jobs::value_summaries {

// The records of one schema.
struct RecordSet {
  std::string path;
  // The attributes, by what the files say: kBytes, or kBytesList where
  // repeated.
  std::vector<io::ColumnRequest> attributes;
};

// By schema.
using RecordSets = std::map<std::string, RecordSet>;

// The records in an output of `trommel extract`, by schema. NotFound if there
// are none.
absl::StatusOr<RecordSets> FindRecordSets(std::string_view records);
// The same of a folder in which there may be none.
absl::StatusOr<RecordSets> FindRecordSetsIfAny(std::string_view records);

}  // namespace trommel::jobs::value_summaries

#endif  // TROMMEL_JOBS_VALUE_SUMMARIES_RECORD_SETS_H_
