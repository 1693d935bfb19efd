#ifndef TROMMEL_CORE_RECORD_ATTRIBUTE_COUNTS_H_
#define TROMMEL_CORE_RECORD_ATTRIBUTE_COUNTS_H_

// What became of the values of an attribute between two extractions of the same
// records, counted over any number of them.
//
//   AttributeCounts counts;
//   for (each record that was found before and is looked for now)
//     counts.Add(values_before, values_now);

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trommel::record {

struct AttributeCounts {
  int64_t had = 0;     // records that had a value before
  int64_t lost = 0;    // of these, none now
  int64_t gained = 0;  // none before, one now
  int64_t same = 0;    // a value before and the same now
  int64_t alike = 0;   // the same, or one that looks like it: $9.50 and $7.25

  // Counts a record. Values are compared as sets, with white space normalised.
  void Add(const std::vector<std::string>& before,
           const std::vector<std::string>& now);

  // Records that had a value before and have one now.
  int64_t kept() const { return had - lost; }

  friend bool operator==(const AttributeCounts&,
                         const AttributeCounts&) = default;
};

// Returns the text with each run of digits as 9 and each run of letters as a:
// values of one attribute look alike in it.
std::string LayoutOf(std::string_view text);

}  // namespace trommel::record

#endif  // TROMMEL_CORE_RECORD_ATTRIBUTE_COUNTS_H_
