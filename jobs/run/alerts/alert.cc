#include "jobs/run/alerts/alert.h"

#include <map>

#include "core/base/strings.h"

namespace trommel::jobs::run::alerts {

void Alert::VisitFields(JsonFields* fields) {
  fields->Visit("kind", &kind);
  fields->Visit("date", &date);
  fields->Visit("stage", &stage);
  fields->VisitUnlessEmpty("site", &site);
  fields->VisitUnlessEmpty("rule", &rule);
  fields->Visit("message", &message);
  fields->VisitUnlessEmpty("report", &report);
  fields->VisitUnlessEmpty("numbers", &numbers);
}

void LimitAlerts(std::vector<Alert>* alerts) {
  std::map<std::string, size_t> counts;
  for (const Alert& alert : *alerts) ++counts[alert.kind];
  std::map<std::string, size_t> seen;
  std::vector<Alert> kept;
  for (Alert& alert : *alerts) {
    const size_t count = counts[alert.kind];
    const size_t number = ++seen[alert.kind];
    if (number > kMaxAlertsOfAKind) continue;
    if (number == kMaxAlertsOfAKind && count > number) {
      StrAppend(&alert.message, "; and ", count - number, " more like this");
    }
    kept.push_back(std::move(alert));
  }
  *alerts = std::move(kept);
}

}  // namespace trommel::jobs::run::alerts
