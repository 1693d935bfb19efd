#include "jobs/run/alerts/alert_book.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/status.h"
#include "jobs/run/alerts/unreadable_file.h"
#include "jobs/run/layout/dates.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::alerts {
namespace {

constexpr int kDaysKept = 31;

}  // namespace

void AlertBook::Entry::VisitFields(JsonFields* fields) {
  alert.VisitFields(fields);
  fields->VisitUnlessEmpty("last", &last);
}

AlertBook AlertBook::Read(const std::string& file,
                          const std::function<void(std::string_view)>& log) {
  AlertBook book;
  book.file_ = file;
  const absl::StatusOr<io::Path> path = io::ResolvePath(file);
  if (!path.ok()) return book;
  const absl::StatusOr<io::Entry> entry = io::Stat(*path);
  if (!entry.ok() || entry->kind == io::EntryKind::kNone) return book;
  absl::StatusOr<Content> content =
      FromJsonText<Content>(io::ReadFile(*path).value_or(std::string()));
  if (content.ok()) {
    book.content_ = *std::move(content);
    return book;
  }
  log(StrCat(file, " cannot be read (", content.status().message(),
             "); it is kept as ", MoveUnreadableAside(*path),
             " and begun anew: alerts that were open count as new"));
  return book;
}

AlertBook::Night AlertBook::Close(const std::string& date,
                                  std::vector<Alert> raised,
                                  const MayEnd& may_end) {
  Night night;
  for (Alert& alert : raised) alert.first = alert.date = date;
  if (date < content_.date) {
    night.open = std::move(raised);
    return night;
  }
  content_.date = date;
  // What an earlier run of the date did is undone; what only that run raised
  // has ended, for somebody may have been told of it.
  for (Entry& entry : content_.alerts) {
    if (entry.alert.resolved == date) entry.alert.resolved.clear();
    if (entry.last == date) entry.last.clear();
  }
  std::map<std::string, Entry*> open;  // by key
  for (Entry& entry : content_.alerts) {
    if (entry.alert.resolved.empty()) open[entry.alert.Key()] = &entry;
  }
  std::vector<Entry> news;
  for (Alert& alert : raised) {
    const auto known = open.find(alert.Key());
    if (known != open.end()) {
      alert.first = known->second->alert.first;
      known->second->alert = alert;
      known->second->last = date;
    } else if (SeverityOf(alert) != Severity::kInfo) {
      news.push_back({alert, date});
    }
    night.open.push_back(std::move(alert));
  }
  for (Entry& entry : content_.alerts) {
    if (!entry.alert.resolved.empty() || entry.last == date) continue;
    if (may_end(entry.alert)) {
      entry.alert.resolved = date;
      night.resolved.push_back(entry.alert);
    } else {
      night.open.push_back(entry.alert);
    }
  }
  for (Entry& entry : news) content_.alerts.push_back(std::move(entry));
  ForgetOld();
  return night;
}

void AlertBook::ForgetOld() {
  const std::string first_day = layout::AddDays(content_.date, -kDaysKept);
  std::erase_if(content_.alerts, [&](const Entry& entry) {
    const std::string& resolved = entry.alert.resolved;
    return !resolved.empty() && resolved < first_day;
  });
}

absl::Status AlertBook::Write() const {
  TROMMEL_ASSIGN_OR_RETURN(const io::Path path, io::ResolvePath(file_));
  return io::WriteFile(path, JsonFileText(ToJson(content_)));
}

}  // namespace trommel::jobs::run::alerts
