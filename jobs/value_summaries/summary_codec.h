#ifndef TROMMEL_JOBS_VALUE_SUMMARIES_SUMMARY_CODEC_H_
#define TROMMEL_JOBS_VALUE_SUMMARIES_SUMMARY_CODEC_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/monitor/value_summary.h"

namespace trommel::jobs::value_summaries {

// A summary of values on its way from mappers to reducers.
std::string EncodeSummary(const monitor::ValueSummary& summary);
absl::StatusOr<monitor::ValueSummary> DecodeSummary(std::string_view bytes);

}  // namespace trommel::jobs::value_summaries

#endif  // TROMMEL_JOBS_VALUE_SUMMARIES_SUMMARY_CODEC_H_
