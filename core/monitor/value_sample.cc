#include "core/monitor/value_sample.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/share.h"

// A sample of the smallest hashes is complete up to its last one, and says
// nothing of what is beyond. A record of yesterday is judged only if both lists
// of today are complete where it would stand: otherwise one of them would be
// searched further than the other, and losses found where there are none.

namespace trommel::monitor {
namespace {

void AppendBytes(uint64_t value, size_t size, std::string* out) {
  for (size_t i = 0; i < size; ++i) {
    *out += static_cast<char>(value >> (8 * i) & 0xFF);
  }
}

uint64_t TakeBytes(size_t size, std::string_view* in) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value |= static_cast<uint64_t>(static_cast<unsigned char>((*in)[i]))
             << (8 * i);
  }
  in->remove_prefix(size);
  return value;
}

constexpr size_t kCountBytes = 2;
constexpr size_t kRecordBytes = 4;
constexpr size_t kValuesBytes = 2;
constexpr size_t kAgeBytes = 1;
constexpr size_t kFilledBytes = kRecordBytes + kValuesBytes + kAgeBytes;

// Returns the record with its values, or null.
const ValueSample::Filled* FindFilled(const ValueSample& sample,
                                      uint32_t record) {
  const auto found = std::lower_bound(
      sample.filled.begin(), sample.filled.end(), record,
      [](const ValueSample::Filled& a, uint32_t b) { return a.record < b; });
  return found != sample.filled.end() && found->record == record ? &*found
                                                                 : nullptr;
}

bool IsBlank(const ValueSample& sample, uint32_t record) {
  return std::binary_search(sample.blank.begin(), sample.blank.end(), record);
}

}  // namespace

uint32_t SampleHash(uint64_t record_hash) {
  return static_cast<uint32_t>(record_hash >> 32);  // keeps the order
}

ValueSample SampleOf(const ValueSummary& summary) {
  ValueSample sample;
  for (const auto& [record, values] : summary.sample) {
    sample.filled.push_back(
        {SampleHash(record), static_cast<uint16_t>(values)});
  }
  for (const uint64_t record : summary.blank_sample) {
    sample.blank.push_back(SampleHash(record));
  }
  if (sample.filled.size() == ValueSummary::kMaxSample) {
    sample.complete_to = sample.filled.back().record;
  }
  if (sample.blank.size() == ValueSummary::kMaxSample) {
    sample.complete_to = std::min(sample.complete_to, sample.blank.back());
  }
  return sample;
}

void CarryOver(const ValueSample& before, ValueSample* tonight) {
  std::vector<ValueSample::Filled> carried;
  for (ValueSample::Filled had : before.filled) {
    if (had.age == ValueSample::kMaxAge || had.record > tonight->complete_to ||
        FindFilled(*tonight, had.record) != nullptr ||
        IsBlank(*tonight, had.record)) {
      continue;
    }
    ++had.age;
    carried.push_back(had);
  }
  const auto by_record = [](const ValueSample::Filled& a,
                            const ValueSample::Filled& b) {
    return a.record < b.record;
  };
  std::vector<ValueSample::Filled> all;
  std::merge(tonight->filled.begin(), tonight->filled.end(), carried.begin(),
             carried.end(), std::back_inserter(all), by_record);
  tonight->filled = std::move(all);
}

std::string EncodeSample(const ValueSample& sample) {
  const size_t filled =
      std::min(sample.filled.size(), ValueSample::kMaxKeptFilled);
  const size_t blank =
      std::min(sample.blank.size(), ValueSample::kMaxKeptBlank);
  std::string bytes;
  AppendBytes(filled, kCountBytes, &bytes);
  for (size_t i = 0; i < filled; ++i) {
    AppendBytes(sample.filled[i].record, kRecordBytes, &bytes);
    AppendBytes(sample.filled[i].values, kValuesBytes, &bytes);
    AppendBytes(sample.filled[i].age, kAgeBytes, &bytes);
  }
  for (size_t i = 0; i < blank; ++i) {
    AppendBytes(sample.blank[i], kRecordBytes, &bytes);
  }
  return bytes;
}

absl::StatusOr<ValueSample> DecodeSample(std::string_view bytes) {
  ValueSample sample;
  if (bytes.empty()) return sample;
  const auto cut_off = [] {
    return absl::DataLossError("a sample of values is cut off");
  };
  if (bytes.size() < kCountBytes) return cut_off();
  const uint64_t filled = TakeBytes(kCountBytes, &bytes);
  if (bytes.size() < filled * kFilledBytes) return cut_off();
  for (uint64_t i = 0; i < filled; ++i) {
    const auto record = static_cast<uint32_t>(TakeBytes(kRecordBytes, &bytes));
    const auto values = static_cast<uint16_t>(TakeBytes(kValuesBytes, &bytes));
    const auto age = static_cast<uint8_t>(TakeBytes(kAgeBytes, &bytes));
    sample.filled.push_back({record, values, age});
  }
  if (bytes.size() % kRecordBytes != 0) return cut_off();
  while (!bytes.empty()) {
    sample.blank.push_back(
        static_cast<uint32_t>(TakeBytes(kRecordBytes, &bytes)));
  }
  return sample;
}

SampleMatch MatchSamples(const ValueSample& before, const ValueSample& after) {
  SampleMatch match;
  for (const ValueSample::Filled& had : before.filled) {
    if (had.record > after.complete_to) break;
    if (const ValueSample::Filled* const has = FindFilled(after, had.record)) {
      ++match.kept;
      if (has->values == had.values) continue;
      ++match.changed;
      match.changed_records.push_back(had.record);
    } else if (IsBlank(after, had.record)) {
      ++match.lost;
      match.lost_records.push_back(had.record);
    }
  }
  for (const uint32_t record : before.blank) {
    if (record > after.complete_to) break;
    if (FindFilled(after, record) != nullptr) {
      ++match.gained;
    } else if (IsBlank(after, record)) {
      ++match.blank;
    }
  }
  return match;
}

double DistinctShare(const ValueSample& sample, size_t size) {
  std::set<uint16_t> distinct;
  for (size_t i = 0; i < size; ++i) distinct.insert(sample.filled[i].values);
  return ShareOf(static_cast<int64_t>(distinct.size()),
                 static_cast<int64_t>(size));
}

}  // namespace trommel::monitor
