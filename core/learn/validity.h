#ifndef TROMMEL_CORE_LEARN_VALIDITY_H_
#define TROMMEL_CORE_LEARN_VALIDITY_H_

// Whether a rule is fit for use, by what it extracts from its sample.

#include <cstdint>
#include <vector>

#include "core/annotation/annotation.h"
#include "core/learn/learner.h"
#include "core/rule/program.h"
#include "proto/rule.pb.h"

namespace trommel::learn {

// A rule must extract more than this share of what its pages should give.
inline constexpr double kLeastRecall = 0.85;

// What a rule gives of pages, counted in attributes of records.
struct ExtractionCounts {
  int64_t pages = 0;
  int64_t extracted = 0;  // have a value
  int64_t agreed = 0;     // of these, nothing speaks against
  int64_t expected = 0;   // should have a value
  int64_t came_out = 0;   // of these, have it
};

// What the rule extracts from the annotated pages, and whether that is what the
// editor said: record by record where the annotations tell records apart. A
// page of which all records are annotated must give these and no others.
ExtractionCounts CompareWithAnnotations(
    const rule::PageExtractor& extractor, const std::vector<LearnPage>& pages,
    const std::vector<annotation::Annotation>& annotations);

// The judgement of a rule: `known` are the counts of annotated pages, `others`
// those of the rest of the sample.
proto::Validity JudgeValidity(const ExtractionCounts& known,
                              const ExtractionCounts& others);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_VALIDITY_H_
