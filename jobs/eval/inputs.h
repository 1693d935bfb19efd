#ifndef TROMMEL_JOBS_EVAL_INPUTS_H_
#define TROMMEL_JOBS_EVAL_INPUTS_H_

// What `trommel eval` compares: truth, records, and the pages left out.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/eval/score.h"
#include "mapreduce/io/path.h"

namespace trommel {

// By attribute.
using PageValues = std::map<std::string, ValueSet>;

struct Truth {
  // By URL, then record. A page without records is there with none.
  std::map<std::string, std::map<int64_t, PageValues>> pages;
  std::set<std::string> attributes;  // that any line mentions
};

// Adds the lines of a file; those of the same record are taken together. Errors
// name file and line.
absl::Status ReadTruth(const io::Path& file, Truth* truth);

// Adds the URLs of a file of annotations.
absl::Status ReadAnnotatedUrls(const io::Path& file,
                               std::set<std::string>* urls);

// The records of the pages of the truth.
struct ExtractedRecord {
  PageValues values;
  std::set<std::string> repeated;  // attributes whose column is a list
};
struct ExtractedPages {
  // By URL, then record_index; of several versions of a page the latest.
  std::map<std::string, std::map<int64_t, ExtractedRecord>> pages;
  std::map<std::string, std::string> sites;  // by URL, also of rejected pages
  int64_t records_without_truth = 0;
};
absl::StatusOr<ExtractedPages> ReadExtractedPages(
    const io::Path& records, const Truth& truth,
    const std::set<std::string>& attributes);

}  // namespace trommel

#endif  // TROMMEL_JOBS_EVAL_INPUTS_H_
