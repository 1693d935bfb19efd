#ifndef TROMMEL_JOBS_RUN_ALERTS_ALERT_H_
#define TROMMEL_JOBS_RUN_ALERTS_ALERT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/json_fields.h"

namespace trommel::jobs::run::alerts {

enum class Severity {
  kInfo,      // good to know: the night has dealt with it
  kWarning,   // somebody should look
  kCritical,  // people get less than before
};
// "info", "warning" or "critical".
std::string_view SeverityName(Severity severity);
absl::StatusOr<Severity> ParseSeverity(std::string_view name);
// Returns the three names, the least severe first.
std::vector<std::string> SeverityNames();

// Something that a person should know of. It lives from the first night on
// which it is raised to the first on which it no longer is.
struct Alert {
  // "stage_failed", "crawl_missing", "needs_annotation", "learning_failed",
  // "rule_broken", "rule_withheld", "rule_withdrawn", "rule_restored",
  // "rule_pinned",
  // "site_changed", "site_missing", "site_blocked", "records_drop",
  // "fill_drop", "values_changed", "coverage_drop".
  std::string kind;
  // Empty: what is usual for the kind (SeverityOf()).
  std::string severity;
  std::string date;
  std::string first;      // the date on which it was first raised
  std::string stage;      // that found it
  std::string site;       // empty: of none in particular
  std::string rule;       // rule_id
  std::string attribute;  // of the site's records
  std::string message;
  std::string report;  // what to open
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::string> examples;  // URLs of pages
  std::string resolved;  // the date of the first night that did not raise it

  // Returns what makes it the same alert from night to night: its kind and what
  // it is about.
  std::string Key() const;

  void VisitFields(JsonFields* fields);
};

// Returns what a stage of this name is called on every night: "cluster" for
// "cluster 2026-01-31", "learn movie" for "learn movie 2026-01-31".
std::string StageKey(const std::string& stage);

// Returns the severity of an alert, by its kind where it says none.
Severity SeverityOf(const Alert& alert);

// The most alerts of one kind that people are told of in one night; the last
// then says how many more there are.
inline constexpr size_t kMaxAlertsOfAKind = 20;
void LimitAlerts(std::vector<Alert>* alerts);

}  // namespace trommel::jobs::run::alerts

#endif  // TROMMEL_JOBS_RUN_ALERTS_ALERT_H_
