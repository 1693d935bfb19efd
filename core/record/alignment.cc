#include "core/record/alignment.h"

#include <algorithm>
#include <cstdint>

#include "core/base/share.h"

// The longest common subsequence with weights, by dynamic programming over
// suffixes: best(i, j) is the largest sum that records i.. and j.. give.
//
// Pairs that have nothing in common count as well, but less than any likeness:
// each pair adds a bonus so small that all bonuses together are less than the
// smallest likeness of two records, one attribute of some hundreds. So the sum
// of likenesses decides, and then the number of pairs.

namespace trommel::record {
namespace {

constexpr size_t kMaxCells = size_t{1} << 20;
// A table of kMaxCells cells pairs 1,024 records at most, the side of a square.
constexpr double kPairBonus = 1e-9;

// Aligns the rows of a table with its columns.
class TableAligner {
 public:
  TableAligner(size_t rows, size_t columns,
               const std::function<double(size_t, size_t)>& score)
      : rows_(rows), columns_(columns), best_((rows + 1) * (columns + 1)) {
    scores_.reserve(rows * columns);
    for (size_t i = 0; i < rows; ++i) {
      for (size_t j = 0; j < columns; ++j) {
        scores_.push_back(score(i, j) + kPairBonus);
      }
    }
    for (size_t i = rows; i-- > 0;) {
      for (size_t j = columns; j-- > 0;) {
        At(i, j) = std::max(Score(i, j) + At(i + 1, j + 1),
                            std::max(At(i + 1, j), At(i, j + 1)));
      }
    }
  }

  void Append(size_t first_begin, size_t second_begin, Alignment* alignment) {
    size_t i = 0;
    size_t j = 0;
    while (i < rows_ && j < columns_) {
      if (At(i, j) == Score(i, j) + At(i + 1, j + 1)) {
        alignment->emplace_back(first_begin + i++, second_begin + j++);
      } else if (At(i, j) == At(i, j + 1)) {
        ++j;
      } else {
        ++i;
      }
    }
  }

 private:
  double& At(size_t i, size_t j) { return best_[i * (columns_ + 1) + j]; }
  double Score(size_t i, size_t j) const { return scores_[i * columns_ + j]; }

  const size_t rows_;
  const size_t columns_;
  std::vector<double> best_;
  std::vector<double> scores_;
};

std::vector<RecordValues> AllNormalizedValues(
    const proto::Schema& schema, const std::vector<Record>& records) {
  std::vector<RecordValues> all;
  for (const Record& record : records) {
    all.push_back(NormalizedValues(schema, record));
  }
  return all;
}

}  // namespace

Alignment Align(size_t first_size, size_t second_size,
                const std::function<double(size_t, size_t)>& likeness) {
  Alignment alignment;
  size_t begin = 0;
  size_t tail = 0;
  const size_t shorter = std::min(first_size, second_size);
  const auto fits = [&] {
    return (first_size - begin - tail) <=
           kMaxCells / std::max<size_t>(1, second_size - begin - tail);
  };
  if (!fits()) {
    while (begin < shorter && likeness(begin, begin) == 1) {
      alignment.emplace_back(begin, begin);
      ++begin;
    }
    while (begin + tail < shorter &&
           likeness(first_size - tail - 1, second_size - tail - 1) == 1) {
      ++tail;
    }
  }
  if (fits()) {
    TableAligner(
        first_size - begin - tail, second_size - begin - tail,
        [&](size_t i, size_t j) { return likeness(begin + i, begin + j); })
        .Append(begin, begin, &alignment);
  } else {
    for (; begin + tail < shorter; ++begin) {
      alignment.emplace_back(begin, begin);
    }
  }
  for (; tail > 0; --tail) {
    alignment.emplace_back(first_size - tail, second_size - tail);
  }
  return alignment;
}

double Likeness(const RecordValues& a, const RecordValues& b) {
  int64_t either = 0;
  int64_t same = 0;
  static const ValueSet kNone;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const ValueSet& in_a = i < a.size() ? a[i] : kNone;
    const ValueSet& in_b = i < b.size() ? b[i] : kNone;
    if (in_a.empty() && in_b.empty()) continue;
    ++either;
    same += in_a == in_b ? 1 : 0;
  }
  return either == 0 ? 1 : ShareOf(same, either);
}

Alignment AlignRecords(const proto::Schema& schema,
                       const std::vector<Record>& first,
                       const std::vector<Record>& second) {
  // One record on each side, as most pages have, needs no comparison.
  if (first.size() == 1 && second.size() == 1) return {{0, 0}};
  const std::vector<RecordValues> a = AllNormalizedValues(schema, first);
  const std::vector<RecordValues> b = AllNormalizedValues(schema, second);
  return Align(first.size(), second.size(),
               [&](size_t i, size_t j) { return Likeness(a[i], b[j]); });
}

std::vector<const Record*> CounterpartsOf(const proto::Schema& schema,
                                          const std::vector<Record>& first,
                                          const std::vector<Record>& second) {
  static const Record kNoRecord;
  std::vector<const Record*> counterparts(first.size(), &kNoRecord);
  for (const auto& [in_first, in_second] :
       AlignRecords(schema, first, second)) {
    counterparts[in_first] = &second[in_second];
  }
  return counterparts;
}

}  // namespace trommel::record
