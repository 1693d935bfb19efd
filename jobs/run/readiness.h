#ifndef TROMMEL_JOBS_RUN_READINESS_H_
#define TROMMEL_JOBS_RUN_READINESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "proto/pipeline.pb.h"

namespace trommel::run {

// Whether a crawl has arrived whole. NotFound when nothing is there,
// Unavailable when it is still being written; both say what to look at.
//
// Whole is a crawl with a manifest of trommel's whose files are all there with
// their sizes (a copy in progress may have the manifest first); with the marker
// file, where the pipeline names one; or else one of which no file has changed
// for a while.
absl::Status CheckCrawlIsReady(const std::string& crawl,
                               const proto::Readiness& rule, absl::Time now);

}  // namespace trommel::run

#endif  // TROMMEL_JOBS_RUN_READINESS_H_
