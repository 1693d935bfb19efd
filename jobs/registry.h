#ifndef TROMMEL_JOBS_REGISTRY_H_
#define TROMMEL_JOBS_REGISTRY_H_

#include <memory>
#include <string_view>
#include <vector>

#include "jobs/cli/verb.h"

namespace trommel {

// Every verb of the command line, in the order in which --help lists them.
std::vector<std::unique_ptr<cli::Verb>> AllVerbs();

// What makes each of them. Verbs do not call each other; `run` starts them as
// processes.
std::unique_ptr<cli::Verb> MakeIngestVerb();
std::unique_ptr<cli::Verb> MakeGenerateVerb();
std::unique_ptr<cli::Verb> MakeStatsVerb();
std::unique_ptr<cli::Verb> MakeClusterVerb();
std::unique_ptr<cli::Verb> MakeSampleVerb();
std::unique_ptr<cli::Verb> MakeLearnVerb();
std::unique_ptr<cli::Verb> MakeExtractVerb();
std::unique_ptr<cli::Verb> MakeEvalVerb();
std::unique_ptr<cli::Verb> MakeMonitorVerb();
std::unique_ptr<cli::Verb> MakeCoverageVerb();
std::unique_ptr<cli::Verb> MakeReuseVerb();
std::unique_ptr<cli::Verb> MakeExplainVerb();
std::unique_ptr<cli::Verb> MakeExportVerb();
std::unique_ptr<cli::Verb> MakeRulesVerb();
std::unique_ptr<cli::Verb> MakeRunVerb();
std::unique_ptr<cli::Verb> MakeDomVerb();

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
extern const std::string_view kCoverageHelp;
extern const std::string_view kReuseHelp;
extern const std::string_view kExplainHelp;
extern const std::string_view kExportHelp;
extern const std::string_view kRulesHelp;
extern const std::string_view kRunHelp;
extern const std::string_view kDomHelp;
extern const std::string_view kTaskHelp;

}  // namespace trommel

#endif  // TROMMEL_JOBS_REGISTRY_H_
