#include "jobs/registry.h"

#include "jobs/task/task.h"

namespace trommel {

std::vector<std::unique_ptr<cli::Verb>> AllVerbs() {
  std::vector<std::unique_ptr<cli::Verb>> verbs;
  verbs.push_back(MakeIngestVerb());
  verbs.push_back(MakeGenerateVerb());
  verbs.push_back(MakeStatsVerb());
  verbs.push_back(MakeClusterVerb());
  verbs.push_back(MakeSampleVerb());
  verbs.push_back(MakeLearnVerb());
  verbs.push_back(MakeExtractVerb());
  verbs.push_back(MakeEvalVerb());
  verbs.push_back(MakeMonitorVerb());
  verbs.push_back(MakeCoverageVerb());
  verbs.push_back(MakeReuseVerb());
  verbs.push_back(MakeExplainVerb());
  verbs.push_back(MakeExportVerb());
  verbs.push_back(MakeRulesVerb());
  verbs.push_back(MakeRunVerb());
  verbs.push_back(MakeDomVerb());
  AddTaskVerb(&verbs);
  return verbs;
}

}  // namespace trommel
