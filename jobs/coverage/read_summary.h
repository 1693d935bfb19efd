#ifndef TROMMEL_JOBS_COVERAGE_READ_SUMMARY_H_
#define TROMMEL_JOBS_COVERAGE_READ_SUMMARY_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/coverage/summary.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::coverage_job {

// The summary of the tables below `output`. `thresholds` are those of its
// timelines, `crawled_days` the days known to have been crawled, whether with
// pages or without. Holds the sites shown, whatever the number of all.
absl::StatusOr<CoverageSummary> ReadSummary(
    const io::Path& output, const std::vector<int>& thresholds,
    const std::vector<int64_t>& crawled_days);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_READ_SUMMARY_H_
