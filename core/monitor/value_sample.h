#ifndef TROMMEL_CORE_MONITOR_VALUE_SAMPLE_H_
#define TROMMEL_CORE_MONITOR_VALUE_SAMPLE_H_

// A few records of a day, as hashes, that are looked for again on the next: the
// strongest evidence there is of a change. Rates move with the pages that come
// and go; a record that had a value yesterday and has none today has lost it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/monitor/value_summary.h"

namespace trommel::monitor {

// Those with the smallest hashes among the records that have a value, and among
// those that have none, so that two days choose the same records.
struct ValueSample {
  // As many are kept for the next day, in seven and in four bytes each. A day
  // has more of its own (ValueSummary::kMaxSample), so that it finds them again
  // where it has twice as many records.
  static constexpr size_t kMaxKeptFilled = 128;
  static constexpr size_t kMaxKeptBlank = 64;
  // A record that is not there is looked for as many times. Without this, what
  // a weekend leaves out could not be compared on the day after.
  static constexpr uint8_t kMaxAge = 3;

  struct Filled {
    uint32_t record = 0;
    uint16_t values = 0;
    uint8_t age = 0;  // how many days ago it was seen, beside the last one
  };
  std::vector<Filled> filled;   // by record
  std::vector<uint32_t> blank;  // in order
  // The sample has every record of the day up to this hash.
  uint32_t complete_to = UINT32_MAX;
};

ValueSample SampleOf(const ValueSummary& summary);

// Adds what `before` has of records that `tonight` has not, for the next day.
void CarryOver(const ValueSample& before, ValueSample* tonight);

// What is kept for the next day, as bytes; complete_to is not.
std::string EncodeSample(const ValueSample& sample);
absl::StatusOr<ValueSample> DecodeSample(std::string_view bytes);

// What became of the records of an earlier sample that are there again.
struct SampleMatch {
  int64_t kept = 0;     // had a value and have one
  int64_t changed = 0;  // of these, another one
  int64_t lost = 0;     // had a value and have none
  int64_t gained = 0;   // had none and have one
  int64_t blank = 0;    // had none and have none
  std::vector<uint32_t> changed_records;
  std::vector<uint32_t> lost_records;
};
SampleMatch MatchSamples(const ValueSample& before, const ValueSample& after);

// The share of distinct values among the first `size` records with one.
double DistinctShare(const ValueSample& sample, size_t size);

// The hash of a record in a sample.
uint32_t SampleHash(uint64_t record_hash);

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_VALUE_SAMPLE_H_
