#include "core/monitor/delivery_verdict.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"
#include "core/monitor/drift.h"

// The idea. Tonight is compared with the good days of the last week in two
// ways. Totals (records, share of records with a value, shapes, lengths) are
// compared with the medians of those days, so that one bad day among them does
// not count and a lasting change has become usual after four. But totals move
// with the pages that come and go, and on a small site such noise is larger
// than what must be noticed. So a sample of the last day's records is looked
// for again: among records that are there on both days, one that loses its
// value is rare, and how rare is known from the same comparison on the days
// before.
//
// A difference is found if it is both worth it, by a margin, and sure, by a
// test that holds for small counts:
//
//  - Losses in the sample: the count has a beta-binomial distribution, which is
//    what a rate gives that is known from the days before and a weak prior
//    only. Gains of other records are set against losses, or a value that is
//    shown on other pages every day would be lost every day.
//  - Fill rates: Fisher's exact test against all records of the baseline, with
//    its median rate. A slow drift is further from the median than from the
//    last day, so the last day must show it, too.
//  - Numbers of records: a Poisson tail, and the spread of the baseline.
//  - Shapes and lengths: the bounds of drift.cc; the distance is that to the
//    days' majority (the median of the distances), beyond what days usually
//    differ by among themselves.
//
// What is found against the last day only would be found for one night. So a
// loss that was found goes on to be found until it is made good halfway, or has
// become usual.
//
// Cost: linear in the size of samples and summaries; for distances between
// days, kBaselineDays times that.

namespace trommel::monitor {
namespace {

// --- What is worth a finding, and how sure it has to be ----------------------

// Of the usual number of records. Weekends have 30% fewer.
constexpr double kRecordsMargin = 0.6;
constexpr double kRecordsChance = 0.02;
// Standard deviations of the baseline, as far as its spread shows them.
constexpr double kSpreads = 3;
constexpr double kDeviationOfSpread = 1.4826;  // of a normal distribution

// Pages that had records and have none. Some fail every night.
constexpr double kLostPagesMargin = 0.08;
constexpr double kLostPagesChance = 3e-5;
constexpr RatePrior kLostPagesPrior = {0.02, 100};

// Records that had a value and have none.
constexpr double kLostValuesMargin = 0.055;
constexpr double kLostValuesChance = 0.001;
constexpr RatePrior kLostValuesPrior = {0.004, 100};
constexpr int64_t kMinLostValues = 2;

// Shares of records with a value, of that before.
constexpr double kFillMargin = 0.07;
constexpr double kFillMarginOfLastDay = 0.045;
constexpr double kFillChance = 1e-4;

// A rule that meets its pages and finds half of their records, or that meets
// half of its pages, which meet no other.
constexpr double kRuleMargin = 0.5;
constexpr double kRuleChance = 1e-5;
constexpr double kMinRuleRecords = 5;

// Shares of values.
constexpr double kValuesMargin = 0.2;
constexpr double kLengthMargin = 0.25;  // of the length before
constexpr double kChangedMargin = 0.3;
constexpr double kChangedChance = 1e-4;
constexpr RatePrior kChangedPrior = {0.01, 20};
constexpr double kValuesSignificance = 1e-6;

// Pages that could not be looked at, of a site that is blocked and of one that
// is not.
constexpr double kRefusedShare = 0.8;
constexpr double kUsuallyRefusedShare = 0.4;
constexpr double kRefusedChance = 1e-3;
constexpr RatePrior kRefusedPrior = {0.02, 50};

// -----------------------------------------------------------------------------

std::string Amount(double value) {
  return Grouped(static_cast<int64_t>(std::lround(value)));
}

std::string Percent(double share) {
  const double percent = 100 * share;
  // 99.7% is not all, nor 0.3% nothing.
  const bool is_nearly_whole =
      (percent > 99 && percent < 100) || (percent > 0 && percent < 1);
  return absl::StrFormat("%.*f%%", is_nearly_whole ? 1 : 0, percent);
}

int64_t SumOf(const std::vector<Delivery>& days,
              int64_t (*count_of)(const Delivery&)) {
  int64_t sum = 0;
  for (const Delivery& day : days) sum += count_of(day);
  return sum;
}

double MedianOf(const std::vector<Delivery>& days,
                double (*value_of)(const Delivery&)) {
  std::vector<double> values;
  for (const Delivery& day : days) values.push_back(value_of(day));
  return Median(std::move(values));
}

int64_t Had(const SampleMatch& match) { return match.kept + match.lost; }
int64_t Changed(const Delivery& day) { return day.match.changed; }
int64_t Kept(const Delivery& day) { return day.match.kept; }
double Yield(const Delivery& day) { return ShareOf(day.records, day.pages); }
double Fill(const Delivery& day) { return ShareOf(day.filled, day.records); }
double Placed(const Delivery& day) { return static_cast<double>(day.placed); }
double Unplaced(const Delivery& day) {
  return static_cast<double>(day.pages - day.placed - day.refused);
}

// Whether what was found on the last day goes on: the rate is nearer to that of
// the last day than to the usual one, and they still differ.
bool GoesOn(DeliveryFindingKind kind, const Delivery& last, double usual,
            double last_rate, double tonight, double margin) {
  return last.HasFound(DeliveryFindingName(kind)) &&
         last_rate < usual * (1 - margin) && tonight < (usual + last_rate) / 2;
}

// --- Sites -------------------------------------------------------------------

DeliveryFinding SiteMissing(const Baseline& usual) {
  return {DeliveryFindingKind::kSiteMissing, usual.pages, 0, usual.records,
          StrCat("no page came; usually there are ", Amount(usual.pages),
                 " with ", Amount(usual.records), " records")};
}

DeliveryFinding SiteBlocked(const Delivery& tonight, const Baseline& usual,
                            std::string_view wall) {
  const double affected =
      std::max(0.0, usual.records - static_cast<double>(tonight.records));
  std::string message = !wall.empty()
                            ? StrCat("the site is behind a wall: ", wall)
                            : StrCat(Grouped(tonight.refused), " of ",
                                     GroupedCount(tonight.pages, "page"),
                                     " could not be looked at");
  StrAppend(&message, "; ", GroupedCount(tonight.records, "record"),
            ", usually ", Amount(usual.records));
  return {DeliveryFindingKind::kSiteBlocked, usual.records,
          static_cast<double>(tonight.records), affected, std::move(message)};
}

bool HasFewRecords(const Delivery& tonight, const Baseline& usual) {
  const double records = static_cast<double>(tonight.records);
  return records < kRecordsMargin * usual.records &&
         records < usual.records -
                       kSpreads * kDeviationOfSpread * usual.records_spread &&
         PoissonAtMost(tonight.records, usual.records) < kRecordsChance;
}

bool HasLostPages(const SampleMatch& tonight, const SampleMatch& before) {
  return static_cast<double>(tonight.lost) >=
             kLostPagesMargin * static_cast<double>(Had(tonight)) &&
         PredictiveTail(tonight.lost, Had(tonight), before.lost, Had(before),
                        kLostPagesPrior) < kLostPagesChance;
}

DeliveryFinding RecordsDrop(const Delivery& tonight, const Baseline& usual) {
  const double records = static_cast<double>(tonight.records);
  DeliveryFinding finding = {DeliveryFindingKind::kRecordsDrop, usual.records,
                             records};
  finding.affected = std::max(usual.records - records, 0.0);
  finding.message = StrCat(GroupedCount(tonight.records, "record"), " of ",
                           GroupedCount(tonight.pages, "page"), ", usually ",
                           Amount(usual.records), " of ", Amount(usual.pages));
  return finding;
}

// --- Attributes --------------------------------------------------------------

// The records that lost their value, less those that won one, as a share of
// those with a value on the last good day.
double NetLossShare(const Delivery& tonight, const Delivery& last) {
  const SampleMatch& match = tonight.match;
  const double blank = static_cast<double>(last.records - last.filled);
  const double gained =
      blank * ShareOf(match.gained, match.gained + match.blank);
  return ShareOf(match.lost, match.kept + match.lost) -
         gained / std::max(1.0, static_cast<double>(last.filled));
}

bool HasLostValues(const Delivery& tonight, const DeliveryHistory& history) {
  const SampleMatch& match = tonight.match;
  const SampleMatch& before = history.all_matches();
  return match.lost >= kMinLostValues &&
         NetLossShare(tonight, history.good_days().back()) >=
             kLostValuesMargin &&
         PredictiveTail(match.lost, Had(match), before.lost, Had(before),
                        kLostValuesPrior) < kLostValuesChance;
}

bool HasLowFill(const Delivery& tonight, const std::vector<Delivery>& days,
                const Baseline& usual) {
  const double fill = Fill(tonight);
  if (fill >= usual.fill * (1 - kFillMargin) ||
      fill >= Fill(days.back()) * (1 - kFillMarginOfLastDay) ||
      fill >= usual.fill - kSpreads * kDeviationOfSpread * usual.fill_spread) {
    return false;
  }
  const int64_t records =
      SumOf(days, [](const Delivery& day) { return day.records; });
  const auto filled = static_cast<int64_t>(
      std::lround(usual.fill * static_cast<double>(records)));
  return FisherProbability(filled, records, tonight.filled, tonight.records) <
         kFillChance;
}

DeliveryFinding FillDrop(const Delivery& tonight, const Baseline& usual) {
  const double fill = Fill(tonight);
  DeliveryFinding finding = {DeliveryFindingKind::kFillDrop, usual.fill, fill};
  const double lost_in_sample = static_cast<double>(tonight.filled) *
                                ShareOf(tonight.match.lost, tonight.match.kept);
  finding.affected =
      std::max((usual.fill - fill) * static_cast<double>(tonight.records),
               lost_in_sample);
  finding.message = StrCat("filled in ", Percent(fill), " of ",
                           GroupedCount(tonight.records, "record"),
                           ", usually in ", Percent(usual.fill));
  if (tonight.match.lost > 0) {
    StrAppend(&finding.message, "; ", tonight.match.lost, " of ",
              Counted(Had(tonight.match), "record"),
              " looked at again lost the value");
  }
  return finding;
}

// How far tonight is from the majority of the days, and how far these usually
// are from each other.
struct UsualDistance {
  double distance = 0;
  double usual = 0;
};
using DistanceOf = DriftDistance (*)(const ValueSummary&, const ValueSummary&,
                                     double);

UsualDistance DistanceToDays(const ValueSummary& tonight,
                             const std::vector<const ValueSummary*>& days,
                             DistanceOf distance_of) {
  std::vector<double> to_tonight, between;
  for (size_t i = 0; i < days.size(); ++i) {
    to_tonight.push_back(
        distance_of(*days[i], tonight, kValuesSignificance).distance);
    if (i == 0) continue;
    between.push_back(
        distance_of(*days[i - 1], *days[i], kValuesSignificance).distance);
  }
  return {Median(std::move(to_tonight)), Median(std::move(between))};
}

bool HasOtherValues(const Delivery& tonight, const std::vector<Delivery>& days,
                    DistanceOf distance_of) {
  std::vector<const ValueSummary*> with_values;
  ValueSummary pooled;
  for (const Delivery& day : days) {
    if (day.values.values == 0) continue;
    with_values.push_back(&day.values);
    pooled.Merge(day.values);
  }
  if (with_values.empty() || tonight.values.values == 0) return false;
  const UsualDistance found =
      DistanceToDays(tonight.values, with_values, distance_of);
  const DriftDistance sure =
      distance_of(pooled, tonight.values, kValuesSignificance);
  return found.distance > found.usual + kValuesMargin &&
         sure.distance > sure.noise;
}

// Whether short, middling or long values have other lengths, and not just a
// digit more.
bool HasOtherLengths(const Delivery& tonight,
                     const std::vector<Delivery>& days) {
  for (const double quantile : {0.1, 0.5, 0.9}) {
    const auto before =
        static_cast<double>(days.back().values.LengthQuantile(quantile));
    const auto after =
        static_cast<double>(tonight.values.LengthQuantile(quantile));
    if (std::abs(after - before) > kLengthMargin * before) {
      return HasOtherValues(tonight, days, LengthDistance);
    }
  }
  return false;
}

DeliveryFinding ValuesChanged(const Delivery& tonight, double before,
                              double after, std::string message) {
  DeliveryFinding finding = {DeliveryFindingKind::kValuesChanged, before,
                             after};
  finding.affected = static_cast<double>(tonight.filled);
  finding.message = std::move(message);
  return finding;
}

// Returns how many of the records that are there again may usually change, on
// the worst day; none if this was never compared.
bool HasChangedRecords(const Delivery& tonight,
                       const std::vector<Delivery>& days, double* usual) {
  double most = 0;
  for (const Delivery& day : days) {
    most = std::max(most, ShareOf(Changed(day), Kept(day)));
  }
  *usual = most;
  return SumOf(days, Kept) > 0 &&
         ShareOf(Changed(tonight), Kept(tonight)) > most + kChangedMargin &&
         PredictiveTail(Changed(tonight), Kept(tonight), SumOf(days, Changed),
                        SumOf(days, Kept), kChangedPrior) < kChangedChance;
}

// The first of the tests that finds something speaks for all.
void JudgeValues(const Delivery& tonight, const std::vector<Delivery>& days,
                 std::vector<DeliveryFinding>* findings) {
  const Delivery& last = days.back();
  const double share_kept =
      1 - ShareOf(tonight.match.changed, tonight.match.kept);
  if (HasOtherValues(tonight, days, ShapeDistance)) {
    findings->push_back(ValuesChanged(
        tonight, 1, share_kept,
        StrCat("the values look like ", tonight.values.TopShapes(3),
               ", the last time like ", last.values.TopShapes(3))));
    return;
  }
  if (HasOtherLengths(tonight, days)) {
    findings->push_back(ValuesChanged(
        tonight, 1, share_kept,
        StrCat("half of the values have ", tonight.values.LengthQuantile(0.5),
               " bytes at least, the last time ",
               last.values.LengthQuantile(0.5))));
    return;
  }
  // Compared with the last day only, a change back would be found as well.
  if (last.HasFound(DeliveryFindingName(DeliveryFindingKind::kValuesChanged))) {
    return;
  }
  double usually_changed = 0;
  if (HasChangedRecords(tonight, days, &usually_changed)) {
    findings->push_back(
        ValuesChanged(tonight, 1 - usually_changed, share_kept,
                      StrCat(tonight.match.changed, " of ",
                             Counted(tonight.match.kept, "record"),
                             " looked at again have another value; usually ",
                             Percent(usually_changed), " at most")));
    return;
  }
  const size_t size =
      std::min(last.sample.filled.size(), tonight.sample.filled.size());
  if (size == 0) return;
  const double before = DistinctShare(last.sample, size);
  const double after = DistinctShare(tonight.sample, size);
  if (std::abs(before - after) > kValuesMargin &&
      std::abs(before - after) > DistinctNoise(size, kValuesSignificance)) {
    findings->push_back(ValuesChanged(
        tonight, before, after,
        StrCat(Percent(after), " of the values are distinct, the last time ",
               Percent(before))));
  }
}

}  // namespace

std::string_view DeliveryFindingName(DeliveryFindingKind kind) {
  switch (kind) {
    case DeliveryFindingKind::kSiteMissing:
      return "site_missing";
    case DeliveryFindingKind::kSiteBlocked:
      return "site_blocked";
    case DeliveryFindingKind::kRecordsDrop:
      return "records_drop";
    case DeliveryFindingKind::kFillDrop:
      return "fill_drop";
    case DeliveryFindingKind::kValuesChanged:
      return "values_changed";
  }
  return "";
}

std::string_view DeliveryFindingSeverity(DeliveryFindingKind kind) {
  return kind == DeliveryFindingKind::kValuesChanged ? "warning" : "critical";
}

double PredictiveTail(int64_t count, int64_t trials, int64_t had_count,
                      int64_t had_trials, const RatePrior& prior) {
  const double n = static_cast<double>(trials);
  const double a = prior.rate * prior.trials + static_cast<double>(had_count);
  const double b = (1 - prior.rate) * prior.trials +
                   static_cast<double>(had_trials - had_count);
  const double constant = std::lgamma(n + 1) + std::lgamma(a + b) -
                          std::lgamma(a) - std::lgamma(b) -
                          std::lgamma(a + b + n);
  double tail = 0;
  for (int64_t i = std::max<int64_t>(count, 0); i <= trials; ++i) {
    const double x = static_cast<double>(i);
    tail += std::exp(constant + std::lgamma(a + x) + std::lgamma(b + n - x) -
                     std::lgamma(x + 1) - std::lgamma(n - x + 1));
  }
  return std::min(1.0, tail);
}

double PoissonAtMost(int64_t count, double mean) {
  if (mean <= 0) return 1;
  double sum = 0;
  // From the largest term on; those that no longer add anything are left out.
  for (int64_t i = count; i >= 0; --i) {
    const double x = static_cast<double>(i);
    const double term =
        std::exp(x * std::log(mean) - mean - std::lgamma(x + 1));
    sum += term;
    if (x < mean && term <= sum * 1e-12) break;
  }
  return std::min(1.0, sum);
}

double PoissonAtLeast(int64_t count, double mean) {
  return count <= 0 ? 1.0 : std::max(0.0, 1 - PoissonAtMost(count - 1, mean));
}

DayState JudgeDay(const Delivery& tonight, const std::vector<Delivery>& days,
                  bool is_walled) {
  if (tonight.pages == 0) return DayState::kMissing;
  if (is_walled) return DayState::kBlocked;
  const int64_t refused_before =
      SumOf(days, [](const Delivery& day) { return day.refused; });
  const int64_t pages_before =
      SumOf(days, [](const Delivery& day) { return day.pages; });
  const bool is_blocked =
      ShareOf(tonight.refused, tonight.pages) >= kRefusedShare &&
      ShareOf(refused_before, pages_before) < kUsuallyRefusedShare &&
      PredictiveTail(tonight.refused, tonight.pages, refused_before,
                     pages_before, kRefusedPrior) < kRefusedChance;
  return is_blocked ? DayState::kBlocked : DayState::kGood;
}

std::vector<DeliveryFinding> JudgeSiteDelivery(const Delivery& tonight,
                                               const DeliveryHistory& history,
                                               std::string_view wall) {
  const std::vector<Delivery>& days = history.good_days();
  if (days.empty()) return {};
  const Baseline usual = BaselineOf(days);
  switch (tonight.state) {
    case DayState::kMissing:
      if (history.ComesAndGoes() ||
          PoissonAtMost(0, usual.pages) >= kRecordsChance) {
        return {};
      }
      return {SiteMissing(usual)};
    case DayState::kBlocked:
      return {SiteBlocked(tonight, usual, wall)};
    case DayState::kGood:
      break;
  }
  const Delivery& last = days.back();
  if (HasFewRecords(tonight, usual) ||
      GoesOn(DeliveryFindingKind::kRecordsDrop, last, MedianOf(days, Yield),
             Yield(last), Yield(tonight), kLostPagesMargin)) {
    return {RecordsDrop(tonight, usual)};
  }
  if (HasLostPages(tonight.match, history.all_matches())) {
    DeliveryFinding finding = RecordsDrop(tonight, usual);
    finding.affected = std::max(
        finding.affected, static_cast<double>(tonight.records) *
                              ShareOf(tonight.match.lost, tonight.match.kept));
    StrAppend(&finding.message, "; ", tonight.match.lost, " of ",
              Counted(Had(tonight.match), "page"),
              " with records that were looked at again have none");
    return {finding};
  }
  return {};
}

std::vector<DeliveryFinding> JudgeRuleDelivery(
    const Delivery& tonight, const DeliveryHistory& history,
    const Delivery& site_tonight, const DeliveryHistory& site_history) {
  const std::vector<Delivery>& days = history.good_days();
  const Baseline usual = BaselineOf(days);
  if (days.empty() || usual.records < kMinRuleRecords) return {};
  const int64_t placed_before =
      SumOf(days, [](const Delivery& day) { return day.placed; });
  const int64_t records_before =
      SumOf(days, [](const Delivery& day) { return day.records; });
  const double placed = Placed(tonight);
  const double expected = placed * ShareOf(records_before, placed_before);
  const bool finds_few =
      static_cast<double>(tonight.records) < kRuleMargin * expected &&
      PoissonAtMost(tonight.records, expected) < kRuleChance;
  const double usually_placed = MedianOf(days, Placed);
  const double unplaced = Unplaced(site_tonight);
  const double usually_unplaced = MedianOf(site_history.good_days(), Unplaced);
  const bool meets_few =
      placed < kRuleMargin * usually_placed &&
      PoissonAtMost(tonight.placed, usually_placed) < kRuleChance &&
      unplaced - usually_unplaced >= kRuleMargin * (usually_placed - placed) &&
      PoissonAtLeast(static_cast<int64_t>(unplaced), usually_unplaced) <
          kRuleChance;
  if (!finds_few && !meets_few) return {};
  return {RecordsDrop(tonight, usual)};
}

std::vector<DeliveryFinding> JudgeAttributeDelivery(
    const Delivery& tonight, const DeliveryHistory& history) {
  const std::vector<Delivery>& days = history.good_days();
  std::vector<DeliveryFinding> findings;
  if (days.empty() || tonight.records == 0) return findings;
  const Baseline usual = BaselineOf(days);
  const Delivery& last = days.back();
  if (HasLostValues(tonight, history) || HasLowFill(tonight, days, usual) ||
      GoesOn(DeliveryFindingKind::kFillDrop, last, usual.fill, Fill(last),
             Fill(tonight), kFillMarginOfLastDay)) {
    findings.push_back(FillDrop(tonight, usual));
  }
  JudgeValues(tonight, days, &findings);
  return findings;
}

}  // namespace trommel::monitor
