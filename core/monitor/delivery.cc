#include "core/monitor/delivery.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/share.h"

namespace trommel::monitor {
namespace {

constexpr DayState kDayStates[] = {DayState::kGood, DayState::kBlocked,
                                   DayState::kMissing};

// Returns the median distance from the median, which must be that of the
// values.
double Spread(const std::vector<double>& values, double median) {
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) {
    distances.push_back(std::abs(value - median));
  }
  return Median(std::move(distances));
}

void AddCounts(const SampleMatch& match, SampleMatch* sum) {
  sum->kept += match.kept;
  sum->changed += match.changed;
  sum->lost += match.lost;
  sum->gained += match.gained;
  sum->blank += match.blank;
}

}  // namespace

std::string_view DayStateName(DayState state) {
  switch (state) {
    case DayState::kGood:
      return "good";
    case DayState::kBlocked:
      return "blocked";
    case DayState::kMissing:
      return "missing";
  }
  return "";
}

bool ParseDayState(std::string_view name, DayState* state) {
  for (const DayState one : kDayStates) {
    if (DayStateName(one) != name) continue;
    *state = one;
    return true;
  }
  return false;
}

bool Delivery::HasFound(std::string_view name) const {
  return std::find(found.begin(), found.end(), name) != found.end();
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

Baseline BaselineOf(const std::vector<Delivery>& days) {
  std::vector<double> pages, records, fill;
  for (const Delivery& day : days) {
    pages.push_back(static_cast<double>(day.pages));
    records.push_back(static_cast<double>(day.records));
    if (day.records > 0) fill.push_back(ShareOf(day.filled, day.records));
  }
  Baseline baseline;
  baseline.days = static_cast<int64_t>(days.size());
  baseline.pages = Median(pages);
  baseline.pages_spread = Spread(pages, baseline.pages);
  baseline.records = Median(records);
  baseline.records_spread = Spread(records, baseline.records);
  baseline.fill = Median(fill);
  baseline.fill_spread = Spread(fill, baseline.fill);
  return baseline;
}

void DeliveryHistory::Add(Delivery delivery) {
  if (delivery.pages > 0) last_date_with_pages_ = delivery.date;
  if (delivery.state == DayState::kMissing) ++num_missing_lately_;
  if (delivery.state != DayState::kGood) return;
  num_missing_ += std::exchange(num_missing_lately_, 0);
  ++num_good_;
  // An accident says nothing of what is usual.
  if (delivery.found.empty()) AddCounts(delivery.match, &all_matches_);
  // Only the last good day's records are looked for again.
  if (!good_days_.empty()) good_days_.back().sample = ValueSample();
  good_days_.push_back(std::move(delivery));
  if (good_days_.size() > kBaselineDays) good_days_.erase(good_days_.begin());
}

SampleMatch DeliveryHistory::Match(const ValueSample& tonight) const {
  return good_days_.empty() ? SampleMatch()
                            : MatchSamples(good_days_.back().sample, tonight);
}

ValueSample DeliveryHistory::KeptSample(ValueSample tonight) const {
  if (!good_days_.empty()) CarryOver(good_days_.back().sample, &tonight);
  return tonight;
}

bool DeliveryHistory::ComesAndGoes() const {
  constexpr int64_t kOnceInDays = 8;
  return num_missing_ * kOnceInDays > num_missing_ + num_good_;
}

}  // namespace trommel::monitor
