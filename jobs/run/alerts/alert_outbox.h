#ifndef TROMMEL_JOBS_RUN_ALERTS_ALERT_OUTBOX_H_
#define TROMMEL_JOBS_RUN_ALERTS_ALERT_OUTBOX_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/run/alerts/alert.h"

namespace trommel::jobs::run::alerts {

// Alerts on their way to the user's command. One that it did not take is kept,
// and given to it again by the next run. One that it took is remembered: a
// stage that fails for the same reason every hour is told of once.
//
// Both are in a small file, for 31 days since an alert was last raised:
//   {"undelivered":[ALERT, ...],"delivered":[ALERT, ...]}
// where an ALERT has, besides its own fields, "raised": the day.
class AlertOutbox {
 public:
  struct Options {
    std::string command;  // on_alert; empty: nobody is told, nothing is kept
    std::string folder;   // that it runs in
    int timeout_s = 30;
    std::string file;
    std::string command_log;
    std::function<void(std::string_view)> log;
    std::string today;  // 2026-01-31
  };
  explicit AlertOutbox(Options options);

  // Tries what earlier runs could not deliver, until the command fails.
  void SendUndelivered();
  void Send(const Alert& alert);
  // Forgets what was delivered for the stage, but for `current`, which still
  // holds. Should another come up again, it is news.
  void KeepOnly(const std::string& stage, const std::vector<Alert>& current);
  // Says what is still to be delivered, if anything.
  void LogUndelivered() const;

 private:
  struct Entry {
    Alert alert;
    std::string raised;  // the last day on which it was

    void VisitFields(JsonFields* fields);
  };
  using Entries = std::vector<Entry>;
  // The file.
  struct Box {
    Entries undelivered;
    Entries delivered;

    TROMMEL_JSON_FIELDS(undelivered, delivered);
  };

  bool Tell(const Alert& alert) const;
  void Load();
  void Save() const;

  Options options_;
  Box box_;
};

}  // namespace trommel::jobs::run::alerts

#endif  // TROMMEL_JOBS_RUN_ALERTS_ALERT_OUTBOX_H_
