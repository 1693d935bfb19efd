#include "core/monitor/drift.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/str_format.h"
#include "core/base/share.h"
#include "core/base/strings.h"

// Four tests, each flagged only if the difference is both worth it (a margin)
// and sure (beyond what two samples of the same distribution show with the
// given probability). Thousands of attributes are tested every night, so the
// bounds hold for any counts rather than for large ones:
//
//  - Fill rate: Fisher's exact test.
//  - Shapes: total variation distance d of the two histograms. If nothing
//    changed, E[d] is at most 1/2 sum_i sqrt(p_i (1 - p_i) (1/n + 1/m)), since
//    E|x| <= sqrt(E x^2) in each bin, with p_i from both days together; and one
//    record moves d by at most 1/n or 1/m, so by McDiarmid's inequality d is
//    above E[d] + sqrt(ln(1/a) (1/n + 1/m) / 2) with probability a at most.
//  - Lengths: the Kolmogorov-Smirnov distance, whose bound is that of Smirnov,
//    sqrt(ln(2/a) (1/n + 1/m) / 2).
//  - Distinct values: the share of distinct values falls with the number of
//    records, so samples of the same size k are compared. One record moves the
//    share by 1/k at most: McDiarmid again, sqrt(ln(2/a) / k).
//
// n and m are records with a value, not values: the values of one record go
// together. That rate and distance are of the same records on both days, as
// mostly they are, makes the tests only more careful.

namespace trommel::monitor {
namespace {

double LogChoose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

double InverseSum(const ValueSummary& before, const ValueSummary& after) {
  return 1 / static_cast<double>(before.filled) +
         1 / static_cast<double>(after.filled);
}

// Of the `size` records with the smallest hashes.
double DistinctShare(const ValueSummary& summary, size_t size) {
  std::set<uint64_t> distinct;
  size_t seen = 0;
  for (const auto& [record, values] : summary.sample) {
    if (seen++ == size) break;
    distinct.insert(values);
  }
  return ShareOf(static_cast<int64_t>(distinct.size()),
                 static_cast<int64_t>(size));
}

void CompareDistinct(const ValueSummary& before, const ValueSummary& after,
                     double significance, Drift* drift) {
  const size_t size = std::min(before.sample.size(), after.sample.size());
  drift->distinct_before = DistinctShare(before, size);
  drift->distinct_after = DistinctShare(after, size);
  drift->distinct = {std::abs(drift->distinct_before - drift->distinct_after),
                     DistinctNoise(size, significance)};
}

std::string Percents(double before, double after) {
  return absl::StrFormat("%.0f%% before, %.0f%% after", 100 * before,
                         100 * after);
}

}  // namespace

std::string_view DriftStateName(DriftState state) {
  switch (state) {
    case DriftState::kFine:
      return "fine";
    case DriftState::kDrifted:
      return "drifted";
    case DriftState::kUnknown:
      return "unknown";
  }
  return "";
}

double FisherProbability(int64_t a, int64_t n, int64_t b, int64_t m) {
  const int64_t filled = a + b;
  const double all = static_cast<double>(n + m);
  const auto probability = [&](int64_t x) {
    return std::exp(
        LogChoose(static_cast<double>(n), static_cast<double>(x)) +
        LogChoose(static_cast<double>(m), static_cast<double>(filled - x)) -
        LogChoose(all, static_cast<double>(filled)));
  };
  // Away from the mean terms only get smaller.
  const int64_t step =
      static_cast<double>(a) * all <
              static_cast<double>(n) * static_cast<double>(filled)
          ? -1
          : 1;
  const int64_t low = std::max(int64_t{0}, filled - m);
  const int64_t high = std::min(n, filled);
  double tail = 0;
  for (int64_t x = a; x >= low && x <= high; x += step) {
    const double term = probability(x);
    tail += term;
    if (term <= tail * 1e-12) break;  // 0 too, where all that follow are
  }
  return std::min(1.0, 2 * tail);
}

DriftDistance ShapeDistance(const ValueSummary& before,
                            const ValueSummary& after, double significance) {
  std::set<std::string> shapes;
  for (const auto& [shape, count] : before.shapes) shapes.insert(shape);
  for (const auto& [shape, count] : after.shapes) shapes.insert(shape);
  const auto count_of = [](const ValueSummary& summary,
                           const std::string& shape) {
    const auto found = summary.shapes.find(shape);
    return found == summary.shapes.end() ? int64_t{0} : found->second;
  };
  const double inverse_sum = InverseSum(before, after);
  DriftDistance drift{0, 0};
  for (const std::string& shape : shapes) {
    const int64_t a = count_of(before, shape);
    const int64_t b = count_of(after, shape);
    const double p = ShareOf(a + b, before.values + after.values);
    drift.distance +=
        std::abs(ShareOf(a, before.values) - ShareOf(b, after.values)) / 2;
    drift.noise += std::sqrt(p * (1 - p) * inverse_sum) / 2;
  }
  drift.noise += std::sqrt(std::log(1 / significance) * inverse_sum / 2);
  return drift;
}

DriftDistance LengthDistance(const ValueSummary& before,
                             const ValueSummary& after, double significance) {
  DriftDistance drift;
  int64_t a = 0;
  int64_t b = 0;
  for (size_t i = 0; i < kLengthBuckets; ++i) {
    a += before.lengths[i];
    b += after.lengths[i];
    drift.distance = std::max(
        drift.distance,
        std::abs(ShareOf(a, before.values) - ShareOf(b, after.values)));
  }
  drift.noise =
      std::sqrt(std::log(2 / significance) * InverseSum(before, after) / 2);
  return drift;
}

double DistinctNoise(size_t sample_size, double significance) {
  return std::sqrt(std::log(2 / significance) /
                   static_cast<double>(sample_size));
}

Drift CompareSummaries(const ValueSummary& before, const ValueSummary& after,
                       const DriftThresholds& thresholds) {
  Drift drift;
  if (before.records == 0 || after.records == 0) {
    drift.reasons.push_back(before.records == 0 ? "no records before"
                                                : "no records after");
    return drift;
  }
  drift.fill_probability = FisherProbability(before.filled, before.records,
                                             after.filled, after.records);
  if (std::abs(before.FillRate() - after.FillRate()) > thresholds.fill_margin &&
      drift.fill_probability < thresholds.significance) {
    drift.reasons.push_back(
        StrCat("filled: ", Percents(before.FillRate(), after.FillRate())));
  }
  if (before.filled > 0 && after.filled > 0) {
    drift.shape = ShapeDistance(before, after, thresholds.significance);
    drift.length = LengthDistance(before, after, thresholds.significance);
    CompareDistinct(before, after, thresholds.significance, &drift);
    const auto is_flagged = [&](const DriftDistance& d) {
      return d.distance > thresholds.shape_margin && d.distance > d.noise;
    };
    if (is_flagged(drift.shape)) {
      drift.reasons.push_back(StrCat("shapes: ", before.TopShapes(3),
                                     " before, ", after.TopShapes(3),
                                     " after"));
    }
    if (is_flagged(drift.length)) {
      drift.reasons.push_back(
          StrCat("median length: ", before.LengthQuantile(0.5), " before, ",
                 after.LengthQuantile(0.5), " after"));
    }
    if (is_flagged(drift.distinct)) {
      drift.reasons.push_back(
          StrCat("distinct values: ",
                 Percents(drift.distinct_before, drift.distinct_after)));
    }
  }
  drift.state =
      drift.reasons.empty() ? DriftState::kFine : DriftState::kDrifted;
  return drift;
}

}  // namespace trommel::monitor
