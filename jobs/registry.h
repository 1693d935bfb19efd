#ifndef TROMMEL_JOBS_REGISTRY_H_
#define TROMMEL_JOBS_REGISTRY_H_

#include <memory>
#include <string_view>
#include <vector>

#include "jobs/cli/verb.h"

namespace trommel::jobs {

// Every verb of the command line, in the order in which --help lists them.
std::vector<std::unique_ptr<cli::Verb>> AllVerbs();

// What makes each of them. Verbs do not call each other; `run` starts them as
// processes.
namespace ingest {
std::unique_ptr<cli::Verb> MakeIngestVerb();
}  // namespace ingest
namespace generate {
std::unique_ptr<cli::Verb> MakeGenerateVerb();
}  // namespace generate
namespace stats {
std::unique_ptr<cli::Verb> MakeStatsVerb();
}  // namespace stats
namespace cluster_job {
std::unique_ptr<cli::Verb> MakeClusterVerb();
}  // namespace cluster_job
namespace sample_job {
std::unique_ptr<cli::Verb> MakeSampleVerb();
}  // namespace sample_job
namespace learn_job {
std::unique_ptr<cli::Verb> MakeLearnVerb();
}  // namespace learn_job
namespace extract {
std::unique_ptr<cli::Verb> MakeExtractVerb();
}  // namespace extract
namespace eval_job {
std::unique_ptr<cli::Verb> MakeEvalVerb();
}  // namespace eval_job
namespace monitor_job {
std::unique_ptr<cli::Verb> MakeMonitorVerb();
}  // namespace monitor_job
namespace compare {
std::unique_ptr<cli::Verb> MakeCompareVerb();
}  // namespace compare
namespace coverage_job {
std::unique_ptr<cli::Verb> MakeCoverageVerb();
}  // namespace coverage_job
namespace reuse_job {
std::unique_ptr<cli::Verb> MakeReuseVerb();
}  // namespace reuse_job
namespace explain {
std::unique_ptr<cli::Verb> MakeExplainVerb();
}  // namespace explain
namespace export_job {
std::unique_ptr<cli::Verb> MakeExportVerb();
}  // namespace export_job
namespace rules {
std::unique_ptr<cli::Verb> MakeRulesVerb();
}  // namespace rules
namespace run {
std::unique_ptr<cli::Verb> MakeRunVerb();
}  // namespace run
namespace dom {
std::unique_ptr<cli::Verb> MakeDomVerb();
}  // namespace dom

// Adds `trommel task`, which runs one task of a job as the engines start it,
// for the jobs of all verbs in the list.
namespace task {
void AddTaskVerb(std::vector<std::unique_ptr<cli::Verb>>* verbs);
}  // namespace task

// Their files help.txt.
extern const std::string_view kIngestHelp;
extern const std::string_view kGenerateHelp;
extern const std::string_view kStatsHelp;
extern const std::string_view kClusterHelp;
extern const std::string_view kSampleHelp;
extern const std::string_view kLearnHelp;
extern const std::string_view kExtractHelp;
extern const std::string_view kEvalHelp;
extern const std::string_view kMonitorHelp;
extern const std::string_view kCompareHelp;
extern const std::string_view kCoverageHelp;
extern const std::string_view kReuseHelp;
extern const std::string_view kExplainHelp;
extern const std::string_view kExportHelp;
extern const std::string_view kRulesHelp;
extern const std::string_view kRunHelp;
extern const std::string_view kDomHelp;
extern const std::string_view kTaskHelp;

}  // namespace trommel::jobs

#endif  // TROMMEL_JOBS_REGISTRY_H_
