#include "jobs/run/alerts/alert.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/strings.h"

namespace trommel::jobs::run::alerts {
namespace {

constexpr std::string_view kSeverityNames[] = {"info", "warning", "critical"};

// Kinds that are not warnings.
constexpr std::pair<std::string_view, Severity> kSeverities[] = {
    {"stage_failed", Severity::kCritical},
    {"site_missing", Severity::kCritical},
    {"site_blocked", Severity::kCritical},
    {"records_drop", Severity::kCritical},
    {"fill_drop", Severity::kCritical},
    {"rule_restored", Severity::kInfo},
};

}  // namespace

std::string StageKey(const std::string& stage) {
  return stage.substr(0, stage.rfind(' '));
}

std::string_view SeverityName(Severity severity) {
  return kSeverityNames[static_cast<size_t>(severity)];
}

absl::StatusOr<Severity> ParseSeverity(std::string_view name) {
  const auto found =
      std::find(std::begin(kSeverityNames), std::end(kSeverityNames), name);
  if (found != std::end(kSeverityNames)) {
    return static_cast<Severity>(found - std::begin(kSeverityNames));
  }
  return absl::InvalidArgumentError(
      StrCat("\"", name, "\" is not info, warning or critical"));
}

std::vector<std::string> SeverityNames() {
  return {std::begin(kSeverityNames), std::end(kSeverityNames)};
}

std::string Alert::Key() const {
  std::string key = kind;
  if (site.empty()) StrAppend(&key, "/", StageKey(stage));
  for (const std::string* const part : {&site, &rule, &attribute}) {
    if (!part->empty()) StrAppend(&key, "/", *part);
  }
  return key;
}

void Alert::VisitFields(JsonFields* fields) {
  std::string key = Key();
  fields->VisitUnlessEmpty("key", &key);  // of no use to a reader of structs
  fields->Visit("kind", &kind);
  fields->VisitUnlessEmpty("severity", &severity);
  fields->Visit("date", &date);
  fields->VisitUnlessEmpty("first", &first);
  fields->Visit("stage", &stage);
  fields->VisitUnlessEmpty("site", &site);
  fields->VisitUnlessEmpty("rule", &rule);
  fields->VisitUnlessEmpty("attribute", &attribute);
  fields->Visit("message", &message);
  fields->VisitUnlessEmpty("report", &report);
  fields->VisitUnlessEmpty("numbers", &numbers);
  fields->VisitUnlessEmpty("examples", &examples);
  fields->VisitUnlessEmpty("resolved", &resolved);
}

Severity SeverityOf(const Alert& alert) {
  if (!alert.severity.empty()) {
    return ParseSeverity(alert.severity).value_or(Severity::kWarning);
  }
  for (const auto& [kind, severity] : kSeverities) {
    if (alert.kind == kind) return severity;
  }
  return Severity::kWarning;
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
