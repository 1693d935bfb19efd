#ifndef TROMMEL_JOBS_RUN_STAGES_VERTICAL_SCHEMA_H_
#define TROMMEL_JOBS_RUN_STAGES_VERTICAL_SCHEMA_H_

#include "absl/status/status.h"
#include "proto/pipeline.pb.h"

namespace trommel::jobs::run::stages {

// Checks whether the schema can be read and is one for the records of a
// pipeline, which are partitioned by date. Without it the rules that a vertical
// has go on serving, and other verticals have nothing to do with it.
absl::Status CheckSchemaOf(const proto::Vertical& vertical);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_VERTICAL_SCHEMA_H_
