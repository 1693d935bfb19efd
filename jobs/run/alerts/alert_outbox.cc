#include "jobs/run/alerts/alert_outbox.h"

#include <algorithm>
#include <utility>

#include "core/base/status.h"
#include "jobs/run/alerts/alert_hook.h"
#include "jobs/run/alerts/unreadable_file.h"
#include "jobs/run/layout/dates.h"
#include "mapreduce/io/path.h"

namespace trommel::jobs::run::alerts {
namespace {

constexpr int kDaysKept = 31;

bool IsSame(const Alert& a, const Alert& b) {
  return a.kind == b.kind && a.date == b.date && a.stage == b.stage &&
         a.site == b.site && a.rule == b.rule && a.message == b.message &&
         a.resolved == b.resolved;
}

template <typename Entries>
auto Find(Entries& entries, const Alert& alert) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
    return IsSame(entry.alert, alert);
  });
}

// Adds an entry in place of an earlier one for the same alert.
template <typename Entries>
void Put(Entries* entries, const Alert& alert, const std::string& day) {
  const auto found = Find(*entries, alert);
  if (found != entries->end()) entries->erase(found);
  entries->push_back({alert, day});
}

}  // namespace

AlertOutbox::AlertOutbox(Options options) : options_(std::move(options)) {
  if (!options_.command.empty()) Load();
}

void AlertOutbox::SendUndelivered() {
  if (options_.command.empty()) return;
  while (!box_.undelivered.empty()) {
    const Entry first = box_.undelivered.front();
    if (!Tell(first.alert)) return;
    box_.undelivered.erase(box_.undelivered.begin());
    Put(&box_.delivered, first.alert, first.raised);
    Save();
  }
}

void AlertOutbox::Send(const Alert& alert) {
  if (options_.command.empty()) return;
  if (Find(box_.delivered, alert) != box_.delivered.end() || Tell(alert)) {
    Put(&box_.delivered, alert, options_.today);
    const auto waiting = Find(box_.undelivered, alert);
    if (waiting != box_.undelivered.end()) box_.undelivered.erase(waiting);
  } else {
    Put(&box_.undelivered, alert, options_.today);
  }
  Save();
}

void AlertOutbox::KeepOnly(const std::string& stage,
                           const std::vector<Alert>& current) {
  const auto kept = std::remove_if(
      box_.delivered.begin(), box_.delivered.end(), [&](const Entry& entry) {
        return entry.alert.stage == stage &&
               std::none_of(current.begin(), current.end(),
                            [&](const Alert& alert) {
                              return IsSame(entry.alert, alert);
                            });
      });
  if (kept == box_.delivered.end()) return;
  box_.delivered.erase(kept, box_.delivered.end());
  Save();
}

void AlertOutbox::LogUndelivered() const {
  if (box_.undelivered.empty()) return;
  options_.log(StrCat(
      Counted(static_cast<int64_t>(box_.undelivered.size()), "alert"),
      " could not be delivered by on_alert; the next run tries again (kept in ",
      options_.file, ")"));
}

bool AlertOutbox::Tell(const Alert& alert) const {
  const absl::Status status =
      TellOfAlert(options_.command, options_.folder, alert, options_.timeout_s,
                  options_.command_log);
  if (!status.ok()) {
    options_.log(StrCat(status.message(), " (the run goes on)"));
  }
  return status.ok();
}

void AlertOutbox::Entry::VisitFields(JsonFields* fields) {
  alert.VisitFields(fields);
  fields->Visit("raised", &raised);
}

void AlertOutbox::Load() {
  const absl::StatusOr<io::Path> path = io::ResolvePath(options_.file);
  if (!path.ok()) return;
  const absl::StatusOr<io::Entry> entry = io::Stat(*path);
  if (!entry.ok() || entry->kind == io::EntryKind::kNone) return;
  absl::StatusOr<Box> box =
      FromJsonText<Box>(io::ReadFile(*path).value_or(std::string()));
  if (!box.ok()) {
    const std::string aside = MoveUnreadableAside(*path);
    options_.log(StrCat(options_.file, " cannot be read (",
                        box.status().message(), "); it is kept as ", aside,
                        " and begun anew: alerts may be told again, and those "
                        "in it that were not delivered are not"));
    return;
  }
  box_ = *std::move(box);
  const std::string first_day = layout::AddDays(options_.today, -kDaysKept);
  for (Entries* const entries : {&box_.undelivered, &box_.delivered}) {
    std::erase_if(*entries,
                  [&](const Entry& old) { return old.raised < first_day; });
  }
}

void AlertOutbox::Save() const {
  const absl::StatusOr<io::Path> path = io::ResolvePath(options_.file);
  absl::Status status = path.status();
  if (status.ok()) status = io::WriteFile(*path, JsonFileText(ToJson(box_)));
  if (!status.ok()) {
    options_.log(
        StrCat(status.message(),
               ": alerts may be told again, or not (the run goes on)"));
  }
}

}  // namespace trommel::jobs::run::alerts
