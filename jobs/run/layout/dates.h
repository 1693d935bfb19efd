#ifndef TROMMEL_JOBS_RUN_LAYOUT_DATES_H_
#define TROMMEL_JOBS_RUN_LAYOUT_DATES_H_

// Dates as text, YYYY-MM-DD: their order is that of their bytes.

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace trommel::jobs::run::layout {

// Returns an InvalidArgument that names the flag where its value is no date.
absl::Status CheckDate(std::string_view flag, const std::string& date);

// Returns all dates from `first` to `last`, both included; they are valid.
std::vector<std::string> DatesBetween(const std::string& first,
                                      const std::string& last);
// Returns the date that is `days` later, or earlier where that is negative.
std::string AddDays(const std::string& date, int days);

// Returns the pattern with every {date} replaced.
std::string ForDate(std::string_view pattern, std::string_view date);
inline constexpr std::string_view kDatePlaceholder = "{date}";

// Returns the latest date for which something is at the pattern's place;
// NotFound when there is none.
absl::StatusOr<std::string> LatestDate(const std::string& pattern);

}  // namespace trommel::jobs::run::layout

#endif  // TROMMEL_JOBS_RUN_LAYOUT_DATES_H_
