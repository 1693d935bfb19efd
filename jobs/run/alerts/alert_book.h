#ifndef TROMMEL_JOBS_RUN_ALERTS_ALERT_BOOK_H_
#define TROMMEL_JOBS_RUN_ALERTS_ALERT_BOOK_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/base/json_fields.h"
#include "jobs/run/alerts/alert.h"

namespace trommel::jobs::run::alerts {

// Which alerts are open, since when, and which have ended: what turns the
// alerts that every night raises into alerts with a life.
//
// Alerts are the same from night to night by their keys. A night may be closed
// again, when it is run again, and comes to the same as if it had been closed
// once. A night before the latest is history: it says what it raised and
// changes nothing.
//
// The book is a small file:
//   {"date":"2026-01-31","alerts":[ALERT, ...]}
// of the latest night that was closed. Those that have ended are kept for a
// month.
class AlertBook {
 public:
  struct Night {
    std::vector<Alert> open;      // raised that night, or still open
    std::vector<Alert> resolved;  // ended that night
  };

  // An alert that is open may end with a night that did not raise it, if that
  // night would have: where the stage that raised it has failed, nothing is
  // known.
  using MayEnd = std::function<bool(const Alert& alert)>;

  // Reads the file, if there is one. One that cannot be read is kept under
  // another name and begun anew; `log` is told.
  static AlertBook Read(const std::string& file,
                        const std::function<void(std::string_view)>& log);

  // Closes a night that has raised these alerts. Those of severity info are
  // news of one night: they do not stay open and never end.
  Night Close(const std::string& date, std::vector<Alert> raised,
              const MayEnd& may_end);

  absl::Status Write() const;

 private:
  struct Entry {
    Alert alert;
    std::string last;  // the last date on which it was raised

    void VisitFields(JsonFields* fields);
  };
  struct Content {
    std::string date;  // the latest night
    std::vector<Entry> alerts;

    TROMMEL_JSON_FIELDS(date, alerts);
  };

  void ForgetOld();

  std::string file_;
  Content content_;
};

}  // namespace trommel::jobs::run::alerts

#endif  // TROMMEL_JOBS_RUN_ALERTS_ALERT_BOOK_H_
