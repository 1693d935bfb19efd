#include "jobs/registry.h"

#include "jobs/cluster/cluster.h"
#include "jobs/coverage/coverage.h"
#include "jobs/dom/dom.h"
#include "jobs/eval/eval.h"
#include "jobs/explain/explain.h"
#include "jobs/export/export.h"
#include "jobs/extract/extract.h"
#include "jobs/generate/generate.h"
#include "jobs/ingest/ingest.h"
#include "jobs/learn/learn.h"
#include "jobs/monitor/monitor.h"
#include "jobs/reuse/reuse.h"
#include "jobs/rules/rules.h"
#include "jobs/run/run.h"
#include "jobs/sample/sample.h"
#include "jobs/stats/stats.h"
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
