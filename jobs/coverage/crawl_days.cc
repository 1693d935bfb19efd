#include "jobs/coverage/crawl_days.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/time/civil_time.h"
#include "core/base/status.h"
#include "core/base/strings.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/table_files.h"

namespace trommel::jobs::coverage_job {
namespace {

constexpr std::string_view kDayFolder = "day=";
constexpr int64_t kMicrosPerDay = int64_t{24} * 60 * 60 * 1000 * 1000;
const absl::CivilDay kFirstDay(1970, 1, 1);

}  // namespace

std::string DayText(int64_t day) {
  return absl::FormatCivilTime(kFirstDay + day);
}

std::optional<int64_t> ParseDay(std::string_view text) {
  absl::CivilDay day;
  // abseil also takes days such as 2026-1-1, which sort wrongly as folders.
  if (text.size() != 10 || !absl::ParseCivilTime(ToAbsl(text), &day)) {
    return std::nullopt;
  }
  return day - kFirstDay;
}

std::optional<int64_t> DayOfTime(int64_t microseconds) {
  const int64_t day =
      microseconds / kMicrosPerDay - (microseconds % kMicrosPerDay < 0 ? 1 : 0);
  const absl::civil_year_t year = (kFirstDay + day).year();
  if (year < 1000 || year > 9999) return std::nullopt;
  return day;
}

absl::StatusOr<std::optional<int64_t>> DayOfPath(std::string_view path) {
  std::optional<int64_t> found;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view folder = path.substr(begin, end - begin);
    if (folder.starts_with(kDayFolder)) {
      found = ParseDay(folder.substr(kDayFolder.size()));
      if (!found.has_value()) {
        return absl::InvalidArgumentError(
            StrCat(path, ": the folder ", folder,
                   " names no day; expected day=YYYY-MM-DD"));
      }
    }
    begin = end + 1;
  }
  return found;
}

absl::StatusOr<std::vector<CrawlDay>> FindCrawlDays(
    const std::vector<std::string>& crawls) {
  std::map<int64_t, CrawlDay> days;
  CrawlDay without;
  const auto add = [&](std::optional<int64_t> day, std::string path) {
    CrawlDay& crawl = day.has_value() ? days[*day] : without;
    crawl.day = day;
    crawl.paths.push_back(std::move(path));
  };
  for (const std::string& crawl : crawls) {
    TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(crawl));
    TROMMEL_ASSIGN_OR_RETURN(const std::vector<io::Entry> files,
                             io::ListTableFiles(path));
    std::set<std::optional<int64_t>> file_days;
    for (const io::Entry& file : files) {
      TROMMEL_ASSIGN_OR_RETURN(const std::optional<int64_t> file_day,
                               DayOfPath(file.path.Absolute()));
      file_days.insert(file_day);
    }
    if (file_days.size() == 1) {
      add(*file_days.begin(), crawl);
      continue;
    }
    for (const io::Entry& file : files) {
      TROMMEL_ASSIGN_OR_RETURN(const std::optional<int64_t> file_day,
                               DayOfPath(file.path.Absolute()));
      add(file_day, file.path.Absolute());
    }
  }
  std::vector<CrawlDay> result;
  for (auto& [day, crawl] : days) result.push_back(std::move(crawl));
  if (!without.paths.empty()) result.push_back(std::move(without));
  return result;
}

}  // namespace trommel::jobs::coverage_job
