#ifndef TROMMEL_JOBS_SUMMARIES_ANY_SUMMARY_H_
#define TROMMEL_JOBS_SUMMARIES_ANY_SUMMARY_H_

// The summaries that verbs print with --json and that `trommel run` reads. Each
// is a struct that both sides include, so that its keys are said once.

#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "jobs/summaries/cluster.h"
#include "jobs/summaries/compare.h"
#include "jobs/summaries/coverage.h"
#include "jobs/summaries/extract.h"
#include "jobs/summaries/learn.h"
#include "jobs/summaries/monitor.h"
#include "jobs/summaries/publish.h"
#include "jobs/summaries/reuse.h"
#include "jobs/summaries/sample.h"

namespace trommel::jobs::summaries {

// The summary of one of the verbs; the first alternative: there is none.
using AnySummary =
    std::variant<std::monostate, Cluster, Compare, Coverage, Extract, Learn,
                 Monitor, Publish, Reuse, Sample>;

// The summary that a verb ("learn", "rules publish") has printed.
// InvalidArgument names the verb and the key that is missing or wrong.
absl::StatusOr<AnySummary> ParseSummary(std::string_view verb,
                                        const nlohmann::ordered_json& json);

// The summary as the verb prints it; null where there is none.
nlohmann::ordered_json SummaryJson(const AnySummary& summary);

}  // namespace trommel::jobs::summaries

#endif  // TROMMEL_JOBS_SUMMARIES_ANY_SUMMARY_H_
