#ifndef TROMMEL_JOBS_MONITOR_DRIFT_TABLE_H_
#define TROMMEL_JOBS_MONITOR_DRIFT_TABLE_H_

// The table drift/: one row per site, schema and attribute of the records.
//
//   site                string
//   schema              string
//   attribute           string
//   records_before      int64; and so on for all that there is of both days
//   records_after
//   filled_before       int64, records with a value
//   filled_after
//   fill_probability    double, of such a difference if nothing had changed
//   shapes_before       string, the most frequent
//   (core/monitor/value_summary.h) shapes_after shape_distance      double,
//   total variation, 0 to 1 shape_noise         double, what chance alone may
//   make of it lengths_before      list<int64>, in bytes: of 10%, 50% and 90%
//   of the values lengths_after length_distance     double, Kolmogorov-Smirnov
//   length_noise        double
//   distinct_before     double, share of distinct values among as many records
//   distinct_after      of either day
//   distinct_noise      double
//   state               string: fine, drifted or unknown
//   reasons             list<string>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/monitor/drift.h"
#include "core/monitor/value_summary.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace arrow {
class Schema;
}  // namespace arrow

namespace trommel::jobs::monitor_job {

inline constexpr char kDriftFolder[] = "drift";

std::shared_ptr<arrow::Schema> DriftSchema();
absl::Status WriteDrift(const std::string& site, const std::string& schema,
                        const std::string& attribute,
                        const monitor::ValueSummary& before,
                        const monitor::ValueSummary& after,
                        const monitor::Drift& drift, io::RowWriter* table);

// What the report says of a row.
struct DriftRow {
  std::string site;
  std::string schema;
  std::string attribute;
  int64_t records_before = 0, records_after = 0;
  int64_t filled_before = 0, filled_after = 0;
  std::string shapes_before, shapes_after;
  std::string state;
  std::vector<std::string> reasons;
};
absl::Status ReadDrift(const io::Path& table,
                       const std::function<void(DriftRow)>& visit);

}  // namespace trommel::jobs::monitor_job

#endif  // TROMMEL_JOBS_MONITOR_DRIFT_TABLE_H_
