#include "jobs/run/alerts/alert_outbox.h"

#include <algorithm>
#include <utility>

#include "core/base/status.h"
#include "jobs/run/alerts/alert_hook.h"
#include "jobs/run/layout/dates.h"
#include "mapreduce/io/path.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;

constexpr int kDaysKept = 31;

bool IsSame(const Alert& a, const Alert& b) {
  return a.kind == b.kind && a.date == b.date && a.stage == b.stage &&
         a.site == b.site && a.rule == b.rule && a.message == b.message;
}

template <typename Entries>
auto Find(Entries& entries, const Alert& alert) {
  return std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
    return IsSame(entry.alert, alert);
  });
}

// Says so in place of what was said of it before.
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
  while (!undelivered_.empty()) {
    const Entry first = undelivered_.front();
    if (!Tell(first.alert)) return;
    undelivered_.erase(undelivered_.begin());
    Put(&delivered_, first.alert, first.raised);
    Save();
  }
}

void AlertOutbox::Send(const Alert& alert) {
  if (options_.command.empty()) return;
  if (Find(delivered_, alert) != delivered_.end() || Tell(alert)) {
    Put(&delivered_, alert, options_.today);
    const auto waiting = Find(undelivered_, alert);
    if (waiting != undelivered_.end()) undelivered_.erase(waiting);
  } else {
    Put(&undelivered_, alert, options_.today);
  }
  Save();
}

void AlertOutbox::KeepOnly(const std::string& stage,
                           const std::vector<Alert>& current) {
  const auto kept = std::remove_if(
      delivered_.begin(), delivered_.end(), [&](const Entry& entry) {
        return entry.alert.stage == stage &&
               std::none_of(current.begin(), current.end(),
                            [&](const Alert& alert) {
                              return IsSame(entry.alert, alert);
                            });
      });
  if (kept == delivered_.end()) return;
  delivered_.erase(kept, delivered_.end());
  Save();
}

void AlertOutbox::LogUndelivered() const {
  if (undelivered_.empty()) return;
  options_.log(StrCat(
      Counted(static_cast<int64_t>(undelivered_.size()), "alert"),
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

void AlertOutbox::Load() {
  const absl::StatusOr<io::Path> path = io::ResolvePath(options_.file);
  if (!path.ok()) return;
  const absl::StatusOr<io::Entry> there = io::Stat(*path);
  if (!there.ok() || there->kind == io::EntryKind::kNone) return;
  const ordered_json json =
      ordered_json::parse(io::ReadFile(*path).value_or(std::string()), nullptr,
                          /*allow_exceptions=*/false);
  if (!json.is_object()) {
    options_.log(StrCat(options_.file,
                        " cannot be read; it is begun anew, and "
                        "alerts may be told again"));
    return;
  }
  const std::string first_day = AddDays(options_.today, -kDaysKept);
  for (const auto& [name, entries] : {std::pair{"undelivered", &undelivered_},
                                      std::pair{"delivered", &delivered_}}) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_array()) continue;
    for (const ordered_json& of_entry : *found) {
      if (!of_entry.is_object() || !of_entry.contains("raised") ||
          !of_entry["raised"].is_string()) {
        continue;
      }
      Entry entry{Alert::FromJson(of_entry),
                  of_entry["raised"].get<std::string>()};
      if (entry.raised >= first_day) entries->push_back(std::move(entry));
    }
  }
}

void AlertOutbox::Save() const {
  ordered_json json;
  for (const auto& [name, entries] : {std::pair{"undelivered", &undelivered_},
                                      std::pair{"delivered", &delivered_}}) {
    json[name] = ordered_json::array();
    for (const Entry& entry : *entries) {
      ordered_json of_entry = entry.alert.ToJson();
      of_entry["raised"] = entry.raised;
      json[name].push_back(std::move(of_entry));
    }
  }
  const absl::StatusOr<io::Path> path = io::ResolvePath(options_.file);
  absl::Status status = path.status();
  if (status.ok()) {
    status = io::WriteFile(
        *path,
        json.dump(1, ' ', false, ordered_json::error_handler_t::replace) +
            "\n");
  }
  if (!status.ok()) {
    options_.log(
        StrCat(status.message(),
               ": alerts may be told again, or not (the run goes on)"));
  }
}

}  // namespace trommel::run
