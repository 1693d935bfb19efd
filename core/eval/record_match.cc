#include "core/eval/record_match.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/share.h"

// The alignment of section 6.1.2 of Zheng, Song, Wen and Giles, "Efficient
// Record-Level Wrapper Induction" (CIKM 2009). A page has extracted records Me
// and true records Mg, both in document order. A pair of records has an
// attribute-level precision P_attr, right / extracted attributes, and recall
// R_attr, right / true attributes. The page's precision is the mean of P_attr
// over the pairs times the share of Me that is in a pair; its recall is the
// mean of R_attr times the share of Mg that is. The number of pairs cancels:
//
//   P = sum(P_attr) / |Me|     R = sum(R_attr) / |Mg|
//
// so a pair without a right attribute is worth what no pair is, and what an
// alignment is worth is a sum over its pairs. The paper looks for the alignment
// with the largest F1 by dynamic programming and does not say how; F1 itself is
// no such sum. Here the alignment has the largest P + R, which the dynamic
// program of record::Align() finds exactly, given for each pair
//
//   (|Mg| P_attr + |Me| R_attr) / (|Me| + |Mg|)
//
// which is its part of P + R in a scale where 1 is a record that is right.
//
// The difference to the paper: another alignment may have a smaller P + R and
// still a larger F1, because its P and R are closer to each other. F1 is at
// most (P + R) / 2, for every alignment, so what is lost is at most
// (P + R) / 2 - F1 = (P - R)^2 / (2 (P + R)), and nothing where P = R or where
// only one alignment makes sense. Of random pages whose records share all their
// values, one or two in a hundred lose something. A reported F1 is never too
// large.

namespace trommel::eval {

std::optional<double> Tally::Precision() const {
  if (extracted == 0) return std::nullopt;
  return ShareOf(right, extracted);
}

std::optional<double> Tally::Recall() const {
  if (is_true == 0) return std::nullopt;
  return ShareOf(right, is_true);
}

// 2PR / (P + R), with P and R written out.
double Tally::F1() const { return ShareOf(2 * right, extracted + is_true); }

bool IsRight(const ValueSet& extracted, const ValueSet& is_true,
             bool is_repeated) {
  if (extracted.empty()) return false;
  if (is_repeated) return extracted == is_true;
  return extracted.size() == 1 && is_true.count(*extracted.begin()) > 0;
}

ComparedRecords RecordsToCompare(const proto::Schema& schema,
                                 const std::vector<record::Record>& records) {
  ComparedRecords compared;
  for (size_t place = 0; place < records.size(); ++place) {
    RecordValues values = record::NormalizedValues(schema, records[place]);
    if (std::all_of(values.begin(), values.end(),
                    [](const ValueSet& set) { return set.empty(); })) {
      continue;
    }
    compared.values.push_back(std::move(values));
    compared.places.push_back(place);
  }
  return compared;
}

Tally MatchRecords(const proto::Schema& schema, const RecordValues& extracted,
                   const RecordValues& is_true) {
  Tally match;
  for (size_t i = 0; i < extracted.size(); ++i) {
    match.extracted += extracted[i].empty() ? 0 : 1;
    match.is_true += is_true[i].empty() ? 0 : 1;
    const bool is_repeated = schema.attribute(static_cast<int>(i)).repeated();
    match.right += IsRight(extracted[i], is_true[i], is_repeated) ? 1 : 0;
  }
  return match;
}

record::Alignment AlignWithTruth(const proto::Schema& schema,
                                 const std::vector<RecordValues>& extracted,
                                 const std::vector<RecordValues>& is_true) {
  const auto num_extracted = static_cast<double>(extracted.size());
  const auto num_true = static_cast<double>(is_true.size());
  return record::Align(
      extracted.size(), is_true.size(), [&](size_t e, size_t t) {
        const Tally match = MatchRecords(schema, extracted[e], is_true[t]);
        return (num_true * match.Precision().value_or(0) +
                num_extracted * match.Recall().value_or(0)) /
               (num_extracted + num_true);
      });
}

}  // namespace trommel::eval
