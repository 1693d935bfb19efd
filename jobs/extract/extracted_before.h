#ifndef TROMMEL_JOBS_EXTRACT_EXTRACTED_BEFORE_H_
#define TROMMEL_JOBS_EXTRACT_EXTRACTED_BEFORE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::extract {

// The pages that records say were extracted: by URL, content and rule. Eight
// bytes a record; a page that is not there passes for one that is with a
// probability of one in 2^64 a record.
class ExtractedBefore {
 public:
  ExtractedBefore() = default;  // none
  // Of the records of an output of `trommel extract`.
  static absl::StatusOr<ExtractedBefore> Read(const io::Path& records);

  bool empty() const { return hashes_.empty(); }
  // The URL as crawled.
  bool Contains(std::string_view url, std::string_view content_digest,
                std::string_view rule_id) const;

 private:
  std::vector<uint64_t> hashes_;  // sorted
};

}  // namespace trommel::jobs::extract

#endif  // TROMMEL_JOBS_EXTRACT_EXTRACTED_BEFORE_H_
