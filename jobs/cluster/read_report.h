#ifndef TROMMEL_JOBS_CLUSTER_READ_REPORT_H_
#define TROMMEL_JOBS_CLUSTER_READ_REPORT_H_

#include "absl/status/statusor.h"
#include "jobs/cluster/report.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::cluster_job {

// The report of a finished clustering from its tables sites/ and clusters/: all
// totals, the largest sites, and of these the largest clusters.
absl::StatusOr<ClusterReport> ReadReport(const io::Path& sites_table,
                                         const io::Path& clusters_table);

}  // namespace trommel::jobs::cluster_job

#endif  // TROMMEL_JOBS_CLUSTER_READ_REPORT_H_
