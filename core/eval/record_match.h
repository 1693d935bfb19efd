#ifndef TROMMEL_CORE_EVAL_RECORD_MATCH_H_
#define TROMMEL_CORE_EVAL_RECORD_MATCH_H_

// How much of an extracted record is right, and which true record it is.
//
//   for (const auto& [e, t] : AlignWithTruth(schema, extracted, is_true)) {
//     if (MatchRecords(schema, extracted[e], is_true[t]).IsRight()) ...
//   }

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/record/alignment.h"
#include "core/record/value_set.h"
#include "proto/schema.pb.h"

namespace trommel::eval {

using record::RecordValues;
using record::ValueSet;

// How many of some things, such as the attributes of a record, were extracted,
// are true, and were extracted right.
struct Tally {
  int64_t right = 0;
  int64_t extracted = 0;
  int64_t is_true = 0;

  // None when nothing was extracted, or nothing is true.
  std::optional<double> Precision() const;
  std::optional<double> Recall() const;
  // 0 where one of them is missing, or both are 0.
  double F1() const;
  // Whether all that is true was extracted, and nothing else.
  bool IsRight() const { return right == extracted && right == is_true; }
};

// Whether the values of an attribute were extracted as they are: the same set;
// where the attribute is not repeated, one value that is among the true ones
// (which then are the same thing said in several places).
bool IsRight(const ValueSet& extracted, const ValueSet& is_true,
             bool is_repeated);

// The records of a page that have a value, as they are compared, in their
// order, and the place of each among all of the page's.
struct ComparedRecords {
  std::vector<RecordValues> values;
  std::vector<size_t> places;
};
ComparedRecords RecordsToCompare(const proto::Schema& schema,
                                 const std::vector<record::Record>& records);

// The attributes of two records, those that have values.
Tally MatchRecords(const proto::Schema& schema, const RecordValues& extracted,
                   const RecordValues& is_true);

// Pairs the extracted records of a page with the true ones, both in document
// order, so that the page's precision and recall are as large as they can be.
// Takes time in the product of the sizes; very long lists are paired as
// record::Align() says.
record::Alignment AlignWithTruth(const proto::Schema& schema,
                                 const std::vector<RecordValues>& extracted,
                                 const std::vector<RecordValues>& is_true);

}  // namespace trommel::eval

#endif  // TROMMEL_CORE_EVAL_RECORD_MATCH_H_
