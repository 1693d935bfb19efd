#include "jobs/run/alerts/alert.h"

#include <map>

#include "core/base/strings.h"

namespace trommel::run {
namespace {

using nlohmann::ordered_json;

std::string TextOf(const ordered_json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>()
                                                   : std::string();
}

}  // namespace

ordered_json Alert::ToJson() const {
  ordered_json json;
  json["kind"] = kind;
  json["date"] = date;
  json["stage"] = stage;
  if (!site.empty()) json["site"] = site;
  if (!rule.empty()) json["rule"] = rule;
  json["message"] = message;
  if (!report.empty()) json["report"] = report;
  if (!numbers.empty()) {
    json["numbers"] = ordered_json::object();
    for (const auto& [name, value] : numbers) json["numbers"][name] = value;
  }
  return json;
}

Alert Alert::FromJson(const ordered_json& json) {
  Alert alert;
  if (!json.is_object()) return alert;
  alert.kind = TextOf(json, "kind");
  alert.date = TextOf(json, "date");
  alert.stage = TextOf(json, "stage");
  alert.site = TextOf(json, "site");
  alert.rule = TextOf(json, "rule");
  alert.message = TextOf(json, "message");
  alert.report = TextOf(json, "report");
  if (const auto numbers = json.find("numbers");
      numbers != json.end() && numbers->is_object()) {
    for (const auto& [name, value] : numbers->items()) {
      if (value.is_number()) {
        alert.numbers.emplace_back(name, value.get<double>());
      }
    }
  }
  return alert;
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

}  // namespace trommel::run
