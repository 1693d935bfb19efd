#include "jobs/registry.h"

namespace trommel::jobs {

std::vector<std::unique_ptr<cli::Verb>> AllVerbs() {
  std::vector<std::unique_ptr<cli::Verb>> verbs;
  verbs.push_back(ingest::MakeIngestVerb());
  verbs.push_back(generate::MakeGenerateVerb());
  verbs.push_back(stats::MakeStatsVerb());
  verbs.push_back(cluster_job::MakeClusterVerb());
  verbs.push_back(sample_job::MakeSampleVerb());
  verbs.push_back(learn_job::MakeLearnVerb());
  verbs.push_back(extract::MakeExtractVerb());
  verbs.push_back(eval_job::MakeEvalVerb());
  verbs.push_back(monitor_job::MakeMonitorVerb());
  verbs.push_back(compare::MakeCompareVerb());
  verbs.push_back(coverage_job::MakeCoverageVerb());
  verbs.push_back(reuse_job::MakeReuseVerb());
  verbs.push_back(explain::MakeExplainVerb());
  verbs.push_back(export_job::MakeExportVerb());
  verbs.push_back(rules::MakeRulesVerb());
  verbs.push_back(run::MakeRunVerb());
  verbs.push_back(dom::MakeDomVerb());
  task::AddTaskVerb(&verbs);
  return verbs;
}

}  // namespace trommel::jobs
