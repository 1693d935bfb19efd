#ifndef TROMMEL_CORE_MONITOR_DRIFT_H_
#define TROMMEL_CORE_MONITOR_DRIFT_H_

// Whether the values of an attribute are still what they were: compares the
// records of two days without looking at pages. Needs no bellwethers, and sees
// what these may miss, such as an attribute that is neither mandatory nor
// constant and now holds something else.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/monitor/value_summary.h"

namespace trommel::monitor {

struct DriftThresholds {
  // Differences of fill rates up to this are never flagged, however sure.
  double fill_margin = 0.1;
  // The same for distances of shapes and lengths and for the share of distinct
  // values.
  double shape_margin = 0.2;
  // The probability that one test flags what has not changed, at most.
  double significance = 1e-6;
};

enum class DriftState {
  kFine,
  kDrifted,
  kUnknown,  // one of the days has no records
};
// "fine", "drifted" or "unknown", as tables have it.
std::string_view DriftStateName(DriftState state);

// A distance of two distributions, 0 to 1, and how far apart those of two
// samples of the same distribution may be.
struct DriftDistance {
  double distance = 0;
  double noise = 1;
};

// Of the shapes of values, total variation; of their lengths,
// Kolmogorov-Smirnov. Both days have values, and the noise is exceeded with a
// probability of `significance` at most if nothing changed.
DriftDistance ShapeDistance(const ValueSummary& before,
                            const ValueSummary& after, double significance);
DriftDistance LengthDistance(const ValueSummary& before,
                             const ValueSummary& after, double significance);
// How far apart the shares of distinct values may be in two samples of so many
// records each.
double DistinctNoise(size_t sample_size, double significance);

struct Drift {
  DriftState state = DriftState::kUnknown;
  // Of the difference of the fill rates, had nothing changed.
  double fill_probability = 1;
  DriftDistance shape;
  DriftDistance length;
  // The share of distinct values in samples of the same size.
  double distinct_before = 0;
  double distinct_after = 0;
  DriftDistance distinct;
  // For people: what drifted, or why nothing is known.
  std::vector<std::string> reasons;
};

Drift CompareSummaries(const ValueSummary& before, const ValueSummary& after,
                       const DriftThresholds& thresholds);

// The probability of counts at least as unequal as a of n and b of m if both
// have the same rate (Fisher's exact test, two-sided by doubling).
double FisherProbability(int64_t a, int64_t n, int64_t b, int64_t m);

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_DRIFT_H_
