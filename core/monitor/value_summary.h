#ifndef TROMMEL_CORE_MONITOR_VALUE_SUMMARY_H_
#define TROMMEL_CORE_MONITOR_VALUE_SUMMARY_H_

// What the values of an attribute look like over any number of records.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::monitor {

// The coarse shape of a value: its runs of capitals (A), other letters (a),
// digits (9) and anything else ($), white space left out. After four runs, '+'
// stands for the rest. "$25.99" is "$9$9", "The Matrix" is "AaAa", "3 May 2009"
// is "9Aa9". There are fewer than 300 shapes, whatever the values.
std::string ShapeOf(std::string_view value);

// Lengths in bytes are counted exactly up to 15 and to a quarter of an octave
// above.
inline constexpr size_t kLengthBuckets = 80;
size_t LengthBucket(size_t length);
// The smallest length of a bucket.
int64_t LengthOfBucket(size_t bucket);

// The hash by which a record, known by its URL and its number on the page, is
// in samples. That of a page is that of its first record.
uint64_t RecordHash(std::string_view url, int64_t record_index);

// Of bounded size. The summary of two sets of records is that of one merged
// with that of the other, in any order and any grouping.
struct ValueSummary {
  // Records that are compared value by value, at most: those with the smallest
  // hashes of their URLs, which are a sample that does not depend on order.
  static constexpr size_t kMaxSample = 256;

  int64_t records = 0;
  int64_t filled = 0;  // records with a value
  int64_t values = 0;
  std::map<std::string, int64_t> shapes;  // values by shape
  std::array<int64_t, kLengthBuckets> lengths{};
  // Hash of the record to hash of its values. Of records with the same hash the
  // one with the smaller values.
  std::map<uint64_t, uint64_t> sample;
  // Hashes of records without a value, the smallest of these, as many at most.
  std::set<uint64_t> blank_sample;

  // A record, which is known by its URL and its number on the page.
  void AddRecord(std::string_view url, int64_t record_index,
                 const std::vector<std::string_view>& record_values);
  void Merge(const ValueSummary& other);

  double FillRate() const;
  // A length that a share of the values do not reach; 0 without values.
  int64_t LengthQuantile(double share) const;
  // "Aa 70%, 9 20%": the most frequent shapes, at most so many.
  std::string TopShapes(size_t count) const;

 private:
  void AddToSample(uint64_t record, uint64_t values_hash);
  void AddToBlankSample(uint64_t record);
};

}  // namespace trommel::monitor

#endif  // TROMMEL_CORE_MONITOR_VALUE_SUMMARY_H_
