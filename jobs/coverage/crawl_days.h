#ifndef TROMMEL_JOBS_COVERAGE_CRAWL_DAYS_H_
#define TROMMEL_JOBS_COVERAGE_CRAWL_DAYS_H_

// Days as numbers since 1970-01-01, and the day of a crawl by its path.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace trommel::jobs::coverage_job {

// "2026-03-01".
std::string DayText(int64_t day);
std::optional<int64_t> ParseDay(std::string_view text);
// The UTC date of a time in microseconds since 1970; none for one beyond the
// years 1000 to 9999, which no crawl is of and no date of ten characters.
std::optional<int64_t> DayOfTime(int64_t microseconds);

// The day in the last folder "day=YYYY-MM-DD" of a path, if there is one.
// InvalidArgument where such a folder names no day.
absl::StatusOr<std::optional<int64_t>> DayOfPath(std::string_view path);

// Tables that hold pages of one day; or, without a day, of whatever day each
// page says.
struct CrawlDay {
  std::optional<int64_t> day;
  std::vector<std::string> paths;
};
// The crawls by day, the first day first and those without a day last. A crawl
// that has folders of days inside is taken apart.
absl::StatusOr<std::vector<CrawlDay>> FindCrawlDays(
    const std::vector<std::string>& crawls);

}  // namespace trommel::jobs::coverage_job

#endif  // TROMMEL_JOBS_COVERAGE_CRAWL_DAYS_H_
