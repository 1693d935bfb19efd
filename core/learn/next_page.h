#ifndef TROMMEL_CORE_LEARN_NEXT_PAGE_H_
#define TROMMEL_CORE_LEARN_NEXT_PAGE_H_

// What a rule leaves in doubt on pages that nobody annotated, and so which page
// an editor is asked for next.

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/annotation/annotation.h"
#include "core/learn/learner.h"
#include "core/learn/validity.h"
#include "core/rule/program.h"
#include "proto/schema.pb.h"

namespace trommel::learn {

// What is known of an attribute of the schema in a cluster.
struct AttributeKnowledge {
  bool has_value = false;  // on some annotated page
  bool may_be_absent = false;
  bool has_rule = false;
  size_t longest_value = 0;  // of those annotated, in bytes
};

// By place in the schema. `extracts` is what the rule may find.
std::vector<AttributeKnowledge> CollectKnowledge(
    const proto::Schema& schema,
    const std::vector<annotation::Annotation>& annotations,
    const std::vector<bool>& extracts);

// A rule on the sample pages that are not annotated.
struct SampleDoubts {
  ExtractionCounts counts;
  // The page with most doubts, by rank the first of several; null where all
  // pages are annotated.
  const LearnPage* worst = nullptr;
  int worst_points = 0;  // 0: nothing is in doubt
};

// `annotated` are URLs.
SampleDoubts FindDoubts(const rule::PageExtractor& extractor,
                        const std::vector<AttributeKnowledge>& knowledge,
                        const std::vector<LearnPage>& pages,
                        const std::set<std::string>& annotated);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_NEXT_PAGE_H_
