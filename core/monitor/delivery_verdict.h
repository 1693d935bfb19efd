#ifndef TROMMEL_CORE_MONITOR_DELIVERY_VERDICT_H_
#define TROMMEL_CORE_MONITOR_DELIVERY_VERDICT_H_

// What is different tonight from the days before, in what a site delivers:
// fewer records, less in them, or something else in them. More is no finding.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/monitor/delivery.h"

namespace trommel::monitor {

enum class DeliveryFindingKind {
  kSiteMissing,
  kSiteBlocked,
  kRecordsDrop,
  kFillDrop,
  kValuesChanged,
};
// "site_missing", "site_blocked", "records_drop", "fill_drop" or
// "values_changed", as tables and alerts have it.
std::string_view DeliveryFindingName(DeliveryFindingKind kind);
// "critical" where people get fewer records or less in them, else "warning".
std::string_view DeliveryFindingSeverity(DeliveryFindingKind kind);

struct DeliveryFinding {
  DeliveryFindingKind kind = DeliveryFindingKind::kSiteMissing;
  // What the kind is about: pages of a site, records, the share of records with
  // a value, the share of values that are as they were.
  double before = 0;
  double after = 0;
  // Pages, records or values that are gone or other, to sort by.
  double affected = 0;
  std::string message;  // for people, without the name of the site
};

// The state of a site's day. `is_walled`: others found that the site answered
// with walls.
DayState JudgeDay(const Delivery& tonight, const std::vector<Delivery>& days,
                  bool is_walled);

// The judgements of a site as a whole, of a rule, and of an attribute of all
// records of a site and schema. Where there are no good days nothing is found.
// A rule has a day, with zeros if need be, for each good day of the site, and
// an attribute the days on which there were records. Nothing is asked of the
// rules and attributes of a day that is not good.
std::vector<DeliveryFinding> JudgeSiteDelivery(const Delivery& tonight,
                                               const DeliveryHistory& history,
                                               std::string_view wall);
std::vector<DeliveryFinding> JudgeRuleDelivery(
    const Delivery& tonight, const DeliveryHistory& history,
    const Delivery& site_tonight, const DeliveryHistory& site_history);
std::vector<DeliveryFinding> JudgeAttributeDelivery(
    const Delivery& tonight, const DeliveryHistory& history);

// The probability that `count` or more of `trials` have what had_count of
// had_trials records had before, and of what as many had in advance as a prior
// says. The counts are drawn from one rate that is not known (beta-binomial).
struct RatePrior {
  double rate = 0;
  double trials = 0;
};
double PredictiveTail(int64_t count, int64_t trials, int64_t had_count,
                      int64_t had_trials, const RatePrior& prior);

// The probability of `count` or fewer, and of `count` or more, where `mean` is
// expected (Poisson).
double PoissonAtMost(int64_t count, double mean);
double PoissonAtLeast(int64_t count, double mean);

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_DELIVERY_VERDICT_H_
