#ifndef TROMMEL_JOBS_RUN_STAGES_KEPT_INPUTS_H_
#define TROMMEL_JOBS_RUN_STAGES_KEPT_INPUTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "jobs/run/layout/layout.h"
#include "jobs/run/scheduling/stage.h"

namespace trommel::jobs::run::stages {

// Checks that no stage replaces what people give to the pipeline: its crawls,
// schemas, annotations, and the pipeline file. A verb protects what it is
// given itself, but annotations that are kept among the samples are none of
// the business of `trommel sample`. The InvalidArgument names the file and the
// stage.
absl::Status CheckInputsAreKept(const layout::Layout& layout,
                                const std::string& pipeline_file,
                                const std::vector<scheduling::Stage>& stages);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_KEPT_INPUTS_H_
