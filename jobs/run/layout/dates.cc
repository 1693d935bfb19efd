#include "jobs/run/layout/dates.h"

#include "absl/strings/str_replace.h"
#include "absl/time/civil_time.h"
#include "core/base/civil_date.h"
#include "core/base/status.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::layout {

absl::Status CheckDate(std::string_view flag, const std::string& date) {
  absl::CivilDay day;
  if (ParseDate(date, &day)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat("--", flag, "=", date, " is not a date like 2026-01-31"));
}

std::vector<std::string> DatesBetween(const std::string& first,
                                      const std::string& last) {
  std::vector<std::string> dates;
  for (std::string date = first; date <= last; date = AddDays(date, 1)) {
    dates.push_back(date);
  }
  return dates;
}

std::string AddDays(const std::string& date, int days) {
  absl::CivilDay day;
  ParseDate(date, &day);
  return absl::FormatCivilTime(day + days);
}

std::string ForDate(std::string_view pattern, std::string_view date) {
  return absl::StrReplaceAll(ToAbsl(pattern),
                             {{ToAbsl(kDatePlaceholder), ToAbsl(date)}});
}

absl::StatusOr<std::string> LatestDate(const std::string& pattern) {
  // The folder that has an entry for each date, and what these are called.
  const size_t place = pattern.find(kDatePlaceholder);
  const size_t slash = pattern.rfind('/', place);
  const size_t end = std::min(pattern.find('/', place), pattern.size());
  const std::string folder =
      slash == std::string::npos ? "." : pattern.substr(0, slash);
  const size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const std::string entry_pattern = pattern.substr(begin, end - begin);
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path,
                           io::ResolvePath(folder.empty() ? "/" : folder));
  TROMMEL_ASSIGN_OR_RETURN(const io::Entry found, io::Stat(path));
  std::vector<io::Entry> entries;
  if (found.kind == io::EntryKind::kDirectory) {
    TROMMEL_ASSIGN_OR_RETURN(entries,
                             io::ListDirectory(path, /*recursive=*/false));
  }
  std::string latest;
  for (const io::Entry& entry : entries) {
    const std::string name = entry.path.BaseName();
    const size_t before = place - begin;
    if (name.size() < before + 10) continue;
    const std::string date = name.substr(before, 10);
    absl::CivilDay day;
    if (!ParseDate(date, &day) || ForDate(entry_pattern, date) != name ||
        date <= latest) {
      continue;
    }
    TROMMEL_ASSIGN_OR_RETURN(const io::Path crawl,
                             io::ResolvePath(ForDate(pattern, date)));
    TROMMEL_ASSIGN_OR_RETURN(const io::Entry whole, io::Stat(crawl));
    if (whole.kind != io::EntryKind::kNone) latest = date;
  }
  if (latest.empty()) {
    return absl::NotFoundError(StrCat("no crawl has arrived: nothing is at ",
                                      pattern, " for any date"));
  }
  return latest;
}

}  // namespace trommel::jobs::run::layout
