#ifndef TROMMEL_CORE_RECORD_ALIGNMENT_H_
#define TROMMEL_CORE_RECORD_ALIGNMENT_H_

// Which record of one list is which of another, both in document order: what
// was extracted and what is true, or what a page gave yesterday and gives
// today. One record that is missing must not shift all that follow.

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "core/record/record.h"
#include "core/record/value_set.h"
#include "proto/schema.pb.h"

namespace trommel::record {

// Pairs of places (in the first list, in the second), ascending in both.
using Alignment = std::vector<std::pair<size_t, size_t>>;

// The alignment with the largest sum of `likeness`, which is not negative, and
// of these one with most pairs: two records without any likeness may still be
// the same place of the page. Of several such the one that pairs the first
// records first.
//
// Takes time and memory in the product of the sizes; where that is over a
// million, records at equal places at both ends are paired first if they are
// the same (`likeness` at its most, 1), and what is then still too much is
// paired by place.
Alignment Align(size_t first_size, size_t second_size,
                const std::function<double(size_t, size_t)>& likeness);

// The likeness of two records: the share of attributes that have the same
// values (as sets), of those that have values in either; 0 to 1. Two records
// without values are alike.
double Likeness(const RecordValues& a, const RecordValues& b);

Alignment AlignRecords(const proto::Schema& schema,
                       const std::vector<Record>& first,
                       const std::vector<Record>& second);

// Returns for each record of `first` the one of `second` that it is aligned
// with, or a record without values where there is none. The pointers are into
// `second`, or to a record that stays.
std::vector<const Record*> CounterpartsOf(const proto::Schema& schema,
                                          const std::vector<Record>& first,
                                          const std::vector<Record>& second);

}  // namespace trommel::record

#endif  // TROMMEL_CORE_RECORD_ALIGNMENT_H_
