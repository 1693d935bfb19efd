#ifndef TROMMEL_JOBS_RUN_ALERTS_ALERT_H_
#define TROMMEL_JOBS_RUN_ALERTS_ALERT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json_fields.h"

namespace trommel::jobs::run::alerts {

// Something that a person should know of.
struct Alert {
  // "stage_failed", "crawl_missing", "needs_annotation", "learning_failed",
  // "rule_broken", "site_changed", "rule_withheld", "rule_withdrawn",
  // "coverage_drop".
  std::string kind;
  std::string date;
  std::string stage;  // that found it
  std::string site;   // empty: of none in particular
  std::string rule;   // rule_id
  std::string message;
  std::string report;  // what to open
  std::vector<std::pair<std::string, double>> numbers;

  void VisitFields(JsonFields* fields);
};

// The most alerts of one kind that one stage raises; the last then says how
// many more there are.
inline constexpr size_t kMaxAlertsOfAKind = 20;
void LimitAlerts(std::vector<Alert>* alerts);

}  // namespace trommel::jobs::run::alerts

#endif  // TROMMEL_JOBS_RUN_ALERTS_ALERT_H_
