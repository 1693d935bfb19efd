#ifndef TROMMEL_JOBS_RUN_PIPELINE_FILE_H_
#define TROMMEL_JOBS_RUN_PIPELINE_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "proto/pipeline.pb.h"

namespace trommel::jobs::run {

// Returns the pipeline of a textproto file: defaults filled in, paths no longer
// relative to the file, everything in it checked that can be without a crawl.
// Errors name the file and what is wrong in it.
absl::StatusOr<proto::Pipeline> ReadPipelineFile(const std::string& file);

}  // namespace trommel::jobs::run

#endif  // TROMMEL_JOBS_RUN_PIPELINE_FILE_H_
