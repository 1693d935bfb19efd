#ifndef TROMMEL_JOBS_REUSE_FIELDS_TABLE_H_
#define TROMMEL_JOBS_REUSE_FIELDS_TABLE_H_

// Field tests as two tables. One has counts:
//
//   cluster_id       string, of the new cluster
//   old_cluster_id   string, of the rule that was tested
//   event            string (core/reuse/field_counts.h)
//   count            int64
//
// The other has pages, a sample of each test by a hash of the URL:
//
//   cluster_id       string
//   old_cluster_id   string
//   kind             string: "passed" and, of pages without an old version,
//                    "complete", with what the rule extracts now; "golden",
//                    with what it extracted from the old version
//   hash             int64, by which the sample was taken: the smallest
//   page             binary, a proto::PageRecords
//
// Every task writes its own counts and sample; FieldTests::Read() puts them
// together.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/reuse/field_counts.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"
#include "proto/rule.pb.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::reuse_job {

std::shared_ptr<arrow::Schema> FieldsSchema();
std::shared_ptr<arrow::Schema> FieldPagesSchema();

// So many pages of a test are kept: to watch a rule by, and to repair it from.
inline constexpr size_t kMaxFreshPages = 20;
inline constexpr size_t kMaxGoldenPages = 60;

// The pages with the smallest hashes.
class PageSample {
 public:
  // Unless there are `max_pages` with smaller ones.
  void Add(int64_t hash, const proto::PageRecords& page, size_t max_pages);
  std::vector<proto::PageRecords> Pages() const;
  const std::map<std::pair<int64_t, std::string>, std::string>& entries()
      const {
    return pages_;
  }

 private:
  // By hash and URL, as bytes.
  std::map<std::pair<int64_t, std::string>, std::string> pages_;
};

struct FieldTests {
  using Key = std::pair<std::string, std::string>;  // new and old cluster
  std::map<Key, reuse::FieldCounts> counts;
  std::map<Key, PageSample> passed;
  std::map<Key, PageSample> complete;
  std::map<Key, PageSample> golden;

  // What is read of the pages: those that passed or are complete, or, of tests
  // in which anything was not as before, the golden ones.
  enum class Pages { kFresh, kGolden };
  static absl::StatusOr<FieldTests> Read(const io::Path& fields,
                                         const io::Path& pages, Pages which);
  // And forgets them.
  absl::Status Write(io::RowWriter* fields, io::RowWriter* pages);
};

}  // namespace trommel::jobs::reuse_job

#endif  // TROMMEL_JOBS_REUSE_FIELDS_TABLE_H_
