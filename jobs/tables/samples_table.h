#ifndef TROMMEL_JOBS_TABLES_SAMPLES_TABLE_H_
#define TROMMEL_JOBS_TABLES_SAMPLES_TABLE_H_

// The table samples/: one row per page chosen for annotation, all that learning
// needs of it.
//
//   site             string
//   cluster_id       string
//   rank             int64, 0 is to be annotated first
//   url              string
//   content          binary, as crawled
//   content_charset  string, as crawled; null when not declared
//   fetch_time       timestamp, UTC; null when unknown
//   gain             double, what the page adds to those before it
//                    (core/sample/page_sampler.h)
//
// Rows of a cluster stand together, by rank, and clusters of a site too. A URL
// is there once.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::tables {

// Folders in the output of `trommel sample`: this table, and a copy of the one
// with the clusters.
inline constexpr char kSamplesFolder[] = "samples";
inline constexpr char kSampledClustersFolder[] = "clusters";

struct SampleRow {
  std::string_view site;
  std::string_view cluster_id;
  int64_t rank = 0;
  std::string_view url;
  std::string_view content;
  std::string_view charset;  // empty when not declared
  std::optional<int64_t> fetch_time_us;
  double gain = 0;
};

std::shared_ptr<arrow::Schema> SamplesSchema();
// Columns of long unique values.
std::vector<std::string> SamplesPlainColumns();
absl::Status WriteSample(const SampleRow& sample, io::RowWriter* table);

const std::vector<io::ColumnRequest>& SamplesColumns();
// Pages are large; so few are to be read at a time.
inline constexpr int64_t kSamplesBatchRows = 16;
// Its views are the row's.
SampleRow ReadSample(const io::Row& row);

// All rows of a table, file by file. Stops at the first error, also one of
// `visit`.
absl::Status VisitSamples(
    const io::Path& table,
    const std::function<absl::Status(const SampleRow& sample)>& visit);

}  // namespace trommel::jobs::tables

#endif  // TROMMEL_JOBS_TABLES_SAMPLES_TABLE_H_
