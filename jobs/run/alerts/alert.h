#ifndef TROMMEL_JOBS_RUN_ALERTS_ALERT_H_
#define TROMMEL_JOBS_RUN_ALERTS_ALERT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace trommel::run {

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

  nlohmann::ordered_json ToJson() const;
  static Alert FromJson(const nlohmann::ordered_json& json);
};

// At most so many alerts of one kind come from one stage; the last then says
// how many more there are.
inline constexpr size_t kMaxAlertsOfAKind = 20;
void LimitAlerts(std::vector<Alert>* alerts);

}  // namespace trommel::run

#endif  // TROMMEL_JOBS_RUN_ALERTS_ALERT_H_
