#include "core/monitor/value_summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/characters.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/base/text.h"

namespace trommel::monitor {
namespace {

constexpr size_t kMaxRuns = 4;
constexpr size_t kExactLengths = 16;
constexpr size_t kBucketsPerOctave = 4;
constexpr uint64_t kSampleSeed = 0x7265636F72647321;  // differs from other uses

char ClassOf(char c) {
  if (c >= '0' && c <= '9') return '9';
  if (c >= 'A' && c <= 'Z') return 'A';
  // All of UTF-8 beyond ASCII counts as letters without capitals.
  const bool is_letter =
      (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
  return is_letter ? 'a' : '$';
}

}  // namespace

std::string ShapeOf(std::string_view value) {
  std::string shape;
  for (const char c : NormalizeSpace(value)) {
    if (c == ' ') continue;
    const char run = ClassOf(c);
    if (!shape.empty() && shape.back() == run) continue;
    if (shape.size() == kMaxRuns) return shape + '+';
    shape += run;
  }
  return shape;
}

size_t LengthBucket(size_t length) {
  if (length < kExactLengths) return length;
  const size_t octave = static_cast<size_t>(std::bit_width(length)) - 1;
  const size_t quarter = (length >> (octave - 2)) & 3;
  return std::min(kExactLengths + (octave - 4) * kBucketsPerOctave + quarter,
                  kLengthBuckets - 1);
}

int64_t LengthOfBucket(size_t bucket) {
  if (bucket < kExactLengths) return static_cast<int64_t>(bucket);
  const size_t above = bucket - kExactLengths;
  const size_t octave = 4 + above / kBucketsPerOctave;
  return static_cast<int64_t>((4 + above % kBucketsPerOctave) << (octave - 2));
}

uint64_t RecordHash(std::string_view url, int64_t record_index) {
  return Hash64(url, kSampleSeed + static_cast<uint64_t>(record_index));
}

void ValueSummary::AddRecord(
    std::string_view url, int64_t record_index,
    const std::vector<std::string_view>& record_values) {
  ++records;
  uint64_t hash = kSampleSeed;
  bool has_value = false;
  for (const std::string_view value : record_values) {
    if (IsBlankValue(value)) continue;
    has_value = true;
    ++values;
    ++shapes[ShapeOf(value)];
    ++lengths[LengthBucket(value.size())];
    hash = Hash64(value, hash);
  }
  const uint64_t record = RecordHash(url, record_index);
  if (!has_value) return AddToBlankSample(record);
  ++filled;
  AddToSample(record, hash);
}

void ValueSummary::AddToSample(uint64_t record, uint64_t values_hash) {
  if (sample.size() == kMaxSample && record > sample.rbegin()->first) return;
  const auto [entry, is_new] = sample.emplace(record, values_hash);
  if (!is_new) entry->second = std::min(entry->second, values_hash);
  if (sample.size() > kMaxSample) sample.erase(std::prev(sample.end()));
}

void ValueSummary::AddToBlankSample(uint64_t record) {
  if (blank_sample.size() == kMaxSample && record > *blank_sample.rbegin()) {
    return;
  }
  blank_sample.insert(record);
  if (blank_sample.size() > kMaxSample) {
    blank_sample.erase(std::prev(blank_sample.end()));
  }
}

void ValueSummary::Merge(const ValueSummary& other) {
  records += other.records;
  filled += other.filled;
  values += other.values;
  for (const auto& [shape, count] : other.shapes) shapes[shape] += count;
  for (size_t i = 0; i < lengths.size(); ++i) lengths[i] += other.lengths[i];
  for (const auto& [record, values_hash] : other.sample) {
    AddToSample(record, values_hash);
  }
  for (const uint64_t record : other.blank_sample) AddToBlankSample(record);
}

double ValueSummary::FillRate() const {
  return records == 0
             ? 0.0
             : static_cast<double>(filled) / static_cast<double>(records);
}

int64_t ValueSummary::LengthQuantile(double share) const {
  const double wanted = share * static_cast<double>(values);
  int64_t below = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    below += lengths[i];
    if (lengths[i] > 0 && static_cast<double>(below) >= wanted) {
      return LengthOfBucket(i);
    }
  }
  return 0;
}

std::string ValueSummary::TopShapes(size_t count) const {
  std::vector<std::pair<std::string, int64_t>> sorted(shapes.begin(),
                                                      shapes.end());
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const auto& a, const auto& b) { return a.second > b.second; });
  if (sorted.size() > count) sorted.resize(count);
  std::string text;
  for (const auto& [shape, shape_count] : sorted) {
    const double percent =
        100 * static_cast<double>(shape_count) / static_cast<double>(values);
    StrAppend(&text, text.empty() ? "" : ", ", shape, " ",
              static_cast<int64_t>(std::lround(percent)), "%");
  }
  return text;
}

}  // namespace trommel::monitor
