#ifndef TROMMEL_TESTS_MAPREDUCE_SHUFFLE_SUM_COMBINER_H_
#define TROMMEL_TESTS_MAPREDUCE_SHUFFLE_SUM_COMBINER_H_

#include <map>
#include <string>
#include <string_view>

#include "mapreduce/job/job.h"
#include "tests/testing/pairs.h"

namespace trommel::mr {

// Values are numbers in digits; one with their sum takes their place.
class SumCombiner final : public Combiner {
 public:
  absl::Status Combine(std::string_view /*group*/, Values* values,
                       Output* out) override {
    ++num_calls;
    int64_t sum = 0;
    while (values->Next()) sum += std::stoll(std::string(values->value()));
    return out->Emit(std::to_string(sum));
  }
  int num_calls = 0;
};

// The sum of the values of each key.
inline std::map<std::string, int64_t> Sums(
    const testing_support::PairList& pairs) {
  std::map<std::string, int64_t> sums;
  for (const auto& [key, value] : pairs) sums[key] += std::stoll(value);
  return sums;
}

}  // namespace trommel::mr

#endif  // TROMMEL_TESTS_MAPREDUCE_SHUFFLE_SUM_COMBINER_H_
