#ifndef TROMMEL_CORE_MONITOR_DELIVERY_H_
#define TROMMEL_CORE_MONITOR_DELIVERY_H_

// What came of a site on a day, and what usually comes of it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/monitor/value_sample.h"
#include "core/monitor/value_summary.h"

namespace trommel::monitor {

// A site's day. Only good days say what is usual.
enum class DayState {
  kGood,
  kBlocked,  // pages came, but nearly all of them were refused
  kMissing,  // no page came
};
// "good", "blocked" or "missing", as tables have it.
std::string_view DayStateName(DayState state);
// False for any other name.
bool ParseDayState(std::string_view name, DayState* state);

// What came on a day of a whole site, of one of its rules, of an attribute of
// its records, or of an attribute of the records of a rule. What has no meaning
// for one of these is 0.
struct Delivery {
  std::string date;  // YYYY-MM-DD
  DayState state = DayState::kGood;
  int64_t pages = 0;    // crawled; of a rule, those that met it
  int64_t placed = 0;   // of these, those that met a rule
  int64_t refused = 0;  // of these, those that could not be looked at
  int64_t records = 0;
  int64_t filled = 0;  // records with a value of the attribute

  // What became of the last good day's sample: of its pages with records, where
  // this is a site, of its records with a value, where it is an attribute.
  SampleMatch match;
  ValueSample sample;
  // The shapes and lengths of the values, without its samples.
  ValueSummary values;
  // The names of what was found different (delivery_verdict.h).
  std::vector<std::string> found;

  bool HasFound(std::string_view name) const;
};

// What usually comes: medians of good days, and their spread, which is the
// median distance from the median.
struct Baseline {
  int64_t days = 0;
  double pages = 0;
  double pages_spread = 0;
  double records = 0;
  double records_spread = 0;
  double fill = 0;  // share of records with a value
  double fill_spread = 0;
};

// As many of the last good days make the baseline: a week, so that it has a
// weekend in it, and a lasting change has most of it after four days.
inline constexpr size_t kBaselineDays = 7;

Baseline BaselineOf(const std::vector<Delivery>& days);

// 0 of nothing.
double Median(std::vector<double> values);

// What the earlier dates of a site, a rule or an attribute leave for the
// judgement of tonight.
class DeliveryHistory {
 public:
  // In the order of dates, which are before tonight's.
  void Add(Delivery delivery);

  // The last good days, kBaselineDays at most, in order.
  const std::vector<Delivery>& good_days() const { return good_days_; }
  // Sums of match over all good days on which nothing was found.
  const SampleMatch& all_matches() const { return all_matches_; }
  // Looks for the last good day's sample in tonight's.
  SampleMatch Match(const ValueSample& tonight) const;
  // The sample that tonight leaves for the next day.
  ValueSample KeptSample(ValueSample tonight) const;
  // Whether the site stays away now and then: more than once in eight of the
  // days before its last good one.
  bool ComesAndGoes() const;
  // The last date with pages; empty if there is none.
  const std::string& last_date_with_pages() const {
    return last_date_with_pages_;
  }

 private:
  std::vector<Delivery> good_days_;
  SampleMatch all_matches_;
  int64_t num_good_ = 0;
  int64_t num_missing_ = 0;         // before the last good day
  int64_t num_missing_lately_ = 0;  // since
  std::string last_date_with_pages_;
};

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_DELIVERY_H_
