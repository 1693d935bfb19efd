#ifndef TROMMEL_JOBS_RUN_SCHEDULING_STAGE_GRAPH_H_
#define TROMMEL_JOBS_RUN_SCHEDULING_STAGE_GRAPH_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "jobs/run/scheduling/stage.h"

namespace trommel::jobs::run::scheduling {

// The stages of a run and what waits for what, computed from their paths.
struct StageGraph {
  std::vector<Stage> stages;  // each after those that it waits for
  // The stages whose outputs a stage needs, or uses, by stage.
  std::vector<std::vector<size_t>> needs;
  std::vector<std::vector<size_t>> uses;
};

// Stages keep their order where nothing says otherwise. Paths that no stage
// writes are nobody's edge: they have to be there. Internal when two stages
// write one path or wait for each other.
absl::StatusOr<StageGraph> MakeStageGraph(std::vector<Stage> stages);

}  // namespace trommel::jobs::run::scheduling

#endif  // TROMMEL_JOBS_RUN_SCHEDULING_STAGE_GRAPH_H_
