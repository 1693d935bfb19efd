#ifndef TROMMEL_CORE_EVAL_RECORD_MATCH_H_
#define TROMMEL_CORE_EVAL_RECORD_MATCH_H_

// How much of an extracted record is right, and which true record it is.
//
//   for (const auto& [e, t] : AlignWithTruth(schema, extracted, is_true)) {
//     if (MatchRecords(schema, extracted[e], is_true[t]).IsRight()) ...
//   }

#include <cstdint>
#include <vector>

#include "core/record/alignment.h"
#include "core/record/value_set.h"
#include "proto/schema.pb.h"

namespace trommel::eval {

using record::ValueSet;

// A record as it is compared: the values of each attribute of the schema.
using RecordValues = std::vector<ValueSet>;

// Whether the values of an attribute were extracted as they are: the same set;
// where the attribute is not repeated, one value that is among the true ones
// (which then are the same thing said in several places).
bool IsRight(const ValueSet& extracted, const ValueSet& is_true,
             bool is_repeated);

// The attributes of two records, by number.
struct RecordMatch {
  int64_t right = 0;
  int64_t extracted = 0;  // attributes with an extracted value
  int64_t is_true = 0;    // attributes with a true value

  // The share of the extracted attributes that are right; 0 without any.
  double Precision() const;
  // The share of the true attributes that were extracted right; 0 without any.
  double Recall() const;
  // Whether all that is true was extracted, and nothing else.
  bool IsRight() const { return right == extracted && right == is_true; }
};
RecordMatch MatchRecords(const proto::Schema& schema,
                         const RecordValues& extracted,
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
