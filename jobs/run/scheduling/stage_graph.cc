#include "jobs/run/scheduling/stage_graph.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/status.h"

namespace trommel::jobs::run::scheduling {
namespace {

using Writers = std::map<std::string, size_t>;

std::vector<size_t> FindWriters(const Writers& writers,
                                const std::vector<std::string>& paths) {
  std::vector<size_t> found;
  for (const std::string& path : paths) {
    if (const auto writer = writers.find(path); writer != writers.end()) {
      found.push_back(writer->second);
    }
  }
  return found;
}

}  // namespace

absl::StatusOr<StageGraph> MakeStageGraph(std::vector<Stage> stages) {
  Writers writers;
  for (size_t i = 0; i < stages.size(); ++i) {
    const auto [other, is_new] = writers.emplace(stages[i].output, i);
    if (!is_new) {
      return absl::InternalError(StrCat(stages[other->second].Name(), " and ",
                                        stages[i].Name(), " both write ",
                                        stages[i].output));
    }
  }
  std::vector<std::vector<size_t>> waits_for(stages.size());
  for (size_t i = 0; i < stages.size(); ++i) {
    waits_for[i] = FindWriters(writers, stages[i].needs);
    for (const size_t writer : FindWriters(writers, stages[i].uses)) {
      waits_for[i].push_back(writer);
    }
  }
  // The first stage that waits for none that is left comes next, again and
  // again. Runs have hundreds of stages, not millions.
  std::vector<size_t> order;
  std::vector<bool> placed(stages.size(), false);
  while (order.size() < stages.size()) {
    size_t next = 0;
    while (next < stages.size() &&
           (placed[next] ||
            !std::all_of(waits_for[next].begin(), waits_for[next].end(),
                         [&](size_t other) { return placed[other]; }))) {
      ++next;
    }
    if (next == stages.size()) {
      const size_t stuck = static_cast<size_t>(
          std::find(placed.begin(), placed.end(), false) - placed.begin());
      return absl::InternalError(
          StrCat(stages[stuck].Name(), " waits for itself"));
    }
    placed[next] = true;
    order.push_back(next);
  }
  StageGraph graph;
  for (const size_t i : order) graph.stages.push_back(std::move(stages[i]));
  writers.clear();
  for (size_t i = 0; i < graph.stages.size(); ++i) {
    writers[graph.stages[i].output] = i;
  }
  for (const Stage& stage : graph.stages) {
    graph.needs.push_back(FindWriters(writers, stage.needs));
    graph.uses.push_back(FindWriters(writers, stage.uses));
  }
  return graph;
}

}  // namespace trommel::jobs::run::scheduling
