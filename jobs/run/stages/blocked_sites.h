#ifndef TROMMEL_JOBS_RUN_STAGES_BLOCKED_SITES_H_
#define TROMMEL_JOBS_RUN_STAGES_BLOCKED_SITES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "jobs/run/stages/stages.h"

namespace trommel::jobs::run::stages {

// Finds the sites that have answered with pages that are no pages tonight: a
// wall, an error, nothing (core/monitor/site_answer.h). No rule is judged by
// their pages, and no editor is asked for them. Returns by site what people are
// told. None where the crawl was not clustered.
absl::StatusOr<std::map<std::string, std::string>> FindBlockedSites(
    const Night& night, const scheduling::Available& available);

// Returns the content of the file that publishing and comparing read: a line
// for each site, with what people are told behind a tab.
std::string FormatBlockedSites(
    const std::map<std::string, std::string>& blocked);

}  // namespace trommel::jobs::run::stages

#endif  // TROMMEL_JOBS_RUN_STAGES_BLOCKED_SITES_H_
