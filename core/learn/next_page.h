#ifndef TROMMEL_CORE_LEARN_NEXT_PAGE_H_
#define TROMMEL_CORE_LEARN_NEXT_PAGE_H_

// What a rule leaves in doubt on pages that nobody annotated, and so which page
// an editor is asked for next.

#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::vector<std::string> values;  // those annotated
};

// By place in the schema. `extracts` is what the rule may find.
std::vector<AttributeKnowledge> CollectKnowledge(
    const proto::Schema& schema,
    const std::vector<annotation::Annotation>& annotations,
    const std::vector<bool>& extracts);

// What is not settled about an attribute on a page.
struct Doubt {
  size_t attribute = 0;  // by place in the schema
  const LearnPage* page = nullptr;
  double weight = 0;  // from 0 (none) to 1
  std::string text;   // for people: what is in doubt there
};

// What a rule says of an attribute on pages that nobody annotated.
struct AttributeFill {
  int64_t pages = 0;
  int64_t with_value = 0;
  // Different values of the first pages, cut where they are long.
  std::vector<std::string> examples;
};

// A rule on the sample pages that are not annotated.
struct SampleDoubts {
  ExtractionCounts counts;
  std::vector<AttributeFill> fill;  // by place in the schema
  // The page with most doubts, by rank the first of several; null where all
  // pages are annotated.
  const LearnPage* worst = nullptr;
  double worst_weight = 0;  // of all doubts there together
  // The attribute most in doubt there, by place in the schema; not set where
  // none is in a doubt that is worth a question.
  std::optional<size_t> worst_attribute;
  // Of each attribute the page that would settle most, where there is a doubt
  // that is worth a question; the worst first.
  std::vector<Doubt> doubts;

  // The greatest doubt about a value that the rule gives: what is missing is
  // not wrong.
  double worst_of_values = 0;

  bool HasQuestion() const { return !doubts.empty(); }
  // Whether a rule that nobody can be asked about any more is hardly right.
  bool IsSerious() const;
};

// `annotated` are URLs.
SampleDoubts FindDoubts(const rule::PageExtractor& extractor,
                        const std::vector<AttributeKnowledge>& knowledge,
                        const std::vector<AttributeBelief>& beliefs,
                        const std::vector<LearnPage>& pages,
                        const std::set<std::string>& annotated);

}  // namespace trommel::learn

#endif  // TROMMEL_CORE_LEARN_NEXT_PAGE_H_
