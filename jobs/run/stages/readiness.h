#ifndef TROMMEL_JOBS_RUN_STAGES_READINESS_H_
#define TROMMEL_JOBS_RUN_STAGES_READINESS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "proto/pipeline.pb.h"

namespace trommel::jobs::run::stages {

// Checks whether a crawl has arrived whole. NotFound when nothing is there,
// Unavailable when it is still being written; both say what to look at.
//
// Whole is a crawl with the marker file, where the pipeline names one, and with
// all files of its manifest in their sizes, where trommel wrote one (a copy in
// progress may have the manifest first). Without either, it is one of which no
// file has changed for a while.
absl::Status CheckCrawlIsReady(const std::string& crawl,
                               const proto::Readiness& rule, absl::Time now);

// Checks whether every file of the crawl is whole and has the columns of one,
// as far as can be told without reading all of it. What may pass, such as a
// file system that does not answer, is left to those who try again.
absl::Status CheckCrawlCanBeRead(const std::string& crawl);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_READINESS_H_
