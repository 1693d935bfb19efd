#include "jobs/run/reports/close_nights.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/strings.h"

// The stages of a night see a site one after the other: the monitor that its
// rules break, coverage that its templates have changed, reuse that all of them
// could be repaired, publishing what came back, and the comparison of what was
// delivered whether any of it matters. People want to know the last first. So:
//
//  - Of a site that answered with pages that are no pages, nothing else is said
//    but that: whatever its pages made of the rules is not news of the site.
//  - Of a site that was repaired by the night itself, and delivers what it did,
//    one alert says so, of severity info.
//  - That the templates of a site have changed is for information where
//    deliveries have no complaint of it.

namespace trommel::jobs::run::reports {
namespace {

using alerts::Alert;
using alerts::StageKey;

// Kinds that say how a site was built the night before, and no longer is.
bool IsOfChange(const std::string& kind) {
  return kind == "site_changed" || kind == "rule_broken" ||
         kind == "coverage_drop" || kind == "rule_withdrawn";
}

// Kinds that say that people get something else than before.
bool IsOfDelivery(const std::string& kind) {
  return kind == "site_missing" || kind == "site_blocked" ||
         kind == "records_drop" || kind == "fill_drop" ||
         kind == "values_changed";
}

// What the stages of a night did for a site.
struct Repair {
  double pages = 0;  // in clusters that have a rule again
  double open = 0;   // in clusters that an editor is needed for
};

// Joins the alerts that a night's stages raised.
class NightAlerts {
 public:
  // `is_compared`: what was delivered has been compared with the nights before.
  NightAlerts(std::vector<Alert> raised, std::map<std::string, Repair> repairs,
              bool is_compared)
      : raised_(std::move(raised)),
        repairs_(std::move(repairs)),
        is_compared_(is_compared) {
    for (const Alert& alert : raised_) {
      if (alert.kind == "site_blocked") blocked_.insert(alert.site);
      if (IsOfDelivery(alert.kind)) complaints_.insert(alert.site);
      if (alert.kind == "needs_annotation") needs_editor_.insert(alert.site);
      if (alert.kind == "rule_restored") restored_.insert(alert.site);
      if (IsOfChange(alert.kind)) changed_.insert(alert.site);
    }
  }

  std::vector<Alert> Join() const {
    std::vector<Alert> joined;
    std::set<std::string> told;  // sites whose repair has its line
    for (const Alert& alert : raised_) {
      const bool is_blocked =
          blocked_.count(alert.site) > 0 && alert.kind != "site_blocked";
      if (!alert.site.empty() && is_blocked) continue;
      const bool is_of_repair =
          IsOfChange(alert.kind) || alert.kind == "rule_restored";
      if (!is_of_repair || !IsRepaired(alert.site)) {
        joined.push_back(alert);
        if (alert.kind == "coverage_drop" && is_compared_ &&
            complaints_.count(alert.site) == 0) {
          joined.back().severity =
              alerts::SeverityName(alerts::Severity::kInfo);
        }
      } else if (told.insert(alert.site).second) {
        joined.push_back(RepairAlert(alert));
      }
    }
    return MergeByKey(std::move(joined));
  }

  const std::set<std::string>& blocked() const { return blocked_; }

 private:
  // Several stages may say the same of a site: of two samples, say.
  static std::vector<Alert> MergeByKey(std::vector<Alert> alerts) {
    std::vector<Alert> merged;
    std::map<std::string, size_t> places;
    for (Alert& alert : alerts) {
      const auto [place, is_new] = places.emplace(alert.Key(), merged.size());
      if (is_new) {
        merged.push_back(std::move(alert));
        continue;
      }
      std::string& message = merged[place->second].message;
      if (message.find(alert.message) == std::string::npos) {
        StrAppend(&message, "; ", alert.message);
      }
    }
    return merged;
  }

  bool IsRepaired(const std::string& site) const {
    const auto repair = repairs_.find(site);
    const bool by_reuse = repair != repairs_.end() && repair->second.open == 0;
    return (by_reuse || restored_.count(site) > 0) &&
           changed_.count(site) + restored_.count(site) > 0 &&
           complaints_.count(site) == 0 && needs_editor_.count(site) == 0;
  }

  Alert RepairAlert(const Alert& first) const {
    Alert alert = first;
    const bool is_back = restored_.count(alert.site) > 0;
    alert.kind = is_back ? "rule_restored" : "site_changed";
    alert.rule.clear();
    alert.severity = alerts::SeverityName(alerts::Severity::kInfo);
    alert.message =
        is_back
            ? StrCat(alert.site,
                     " is back at a design that it had before, and so are the "
                     "rules for it; it delivers as before")
            : StrCat(alert.site,
                     " has changed; its rules were repaired, and it delivers "
                     "as before");
    const auto repair = repairs_.find(alert.site);
    if (!is_back && repair != repairs_.end()) {
      alert.numbers = {{"pages", repair->second.pages}};
    }
    return alert;
  }

  const std::vector<Alert> raised_;
  const std::map<std::string, Repair> repairs_;
  const bool is_compared_;
  std::set<std::string> blocked_, complaints_, needs_editor_, restored_,
      changed_;
};

// The night of a run that a stage belongs to. Samples of earlier dates are
// learnt from on the first.
const std::string& NightOf(const RunResult& result,
                           const scheduling::Stage& stage) {
  const bool is_night = std::find(result.dates.begin(), result.dates.end(),
                                  stage.date) != result.dates.end();
  return is_night ? stage.date : result.dates.front();
}

std::map<std::string, Repair> RepairsOf(const summaries::AnySummary& summary) {
  std::map<std::string, Repair> repairs;
  const auto* const reuse = std::get_if<summaries::Reuse>(&summary);
  if (reuse == nullptr) return repairs;
  for (const summaries::Reuse::Site& site : reuse->sites) {
    const double pages = static_cast<double>(site.pages);
    repairs[site.site] = {(site.reused + site.repaired) * pages,
                          site.to_annotate * pages};
  }
  return repairs;
}

// Returns whether the stage would have said what it said the night before, if
// it still were so. One that publishes nothing because a date is settled says
// nothing of the rules.
bool HasSpoken(const std::string& kind, scheduling::StageStatus status) {
  if (status == scheduling::StageStatus::kPresent) return kind != "publish";
  return status == scheduling::StageStatus::kDone ||
         status == scheduling::StageStatus::kUnchanged ||
         status == scheduling::StageStatus::kNotNeeded;
}

void CloseNight(const std::string& date, alerts::AlertBook* book,
                RunResult* result) {
  std::vector<Alert> raised;
  std::map<std::string, Repair> repairs;
  std::set<std::string> silent;  // keys of stages that nothing is known from
  bool has_crawl = true;
  bool is_compared = false;
  for (size_t i = 0; i < result->outcomes.size(); ++i) {
    const scheduling::Stage& stage = result->graph.stages[i];
    const scheduling::StageOutcome& outcome = result->outcomes[i];
    if (NightOf(*result, stage) != date) continue;
    raised.insert(raised.end(), outcome.alerts.begin(), outcome.alerts.end());
    repairs.merge(RepairsOf(outcome.summary));
    if (!HasSpoken(stage.kind, outcome.status)) {
      silent.insert(StageKey(stage.Name()));
    }
    is_compared |= std::holds_alternative<summaries::Compare>(outcome.summary);
    // Without a crawl no stage has anything to say.
    has_crawl &= stage.kind != "crawl" ||
                 outcome.status == scheduling::StageStatus::kPresent;
  }
  const NightAlerts alerts(std::move(raised), std::move(repairs), is_compared);
  alerts::AlertBook::Night night =
      book->Close(date, alerts.Join(), [&](const Alert& alert) {
        const bool is_hidden = alert.kind != "site_blocked" &&
                               alerts.blocked().count(alert.site) > 0;
        return has_crawl && !is_hidden &&
               silent.count(StageKey(alert.stage)) == 0;
      });
  const auto move_all = [](std::vector<Alert>* from, std::vector<Alert>* to) {
    std::move(from->begin(), from->end(), std::back_inserter(*to));
  };
  move_all(&night.open, &result->open_alerts);
  move_all(&night.resolved, &result->resolved_alerts);
}

}  // namespace

void CloseNights(alerts::AlertBook* book, RunResult* result) {
  for (const std::string& date : result->dates) CloseNight(date, book, result);
  // The most severe first; of those the order of the stages.
  std::stable_sort(result->open_alerts.begin(), result->open_alerts.end(),
                   [](const Alert& a, const Alert& b) {
                     return alerts::SeverityOf(a) > alerts::SeverityOf(b);
                   });
}

}  // namespace trommel::jobs::run::reports
