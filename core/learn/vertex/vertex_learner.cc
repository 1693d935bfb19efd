#include "core/learn/vertex/vertex_learner.h"

#include <utility>

#include "absl/time/clock.h"
#include "core/base/status.h"
#include "core/learn/vertex/attribute_learner.h"
#include "core/learn/vertex/attribute_task.h"
#include "core/rule/fields/fields.h"

// The learner of the Vertex paper (Gulhane et al., "Web-Scale Information
// Extraction with Vertex", ICDE 2011, III-C), attribute by attribute:
//
//   annotations   -> nodes                 core/annotation/placed_values.h
//   nodes         -> what they have in     features.cc
//                    common
//   features      -> XPaths                search.cc, hypotheses.cc
//   no XPath      -> a classifier          naive_bayes.cc
//   parts of text -> pattern or range      text_selection.cc
//   XPaths        -> a rule, and rivals    attribute_learner.cc
//
// What is added here is about an attribute as a whole: values that a page says
// in several places.
//
// Attributes are learnt one after the other and share the time: each may use
// what is left of it, so a budget that is too small leaves the last ones of the
// schema without a rule.

namespace trommel::learn::vertex {
namespace {

class VertexLearner final : public Learner {
 public:
  std::string_view name() const override { return "vertex"; }

  absl::StatusOr<LearnOutput> Learn(const LearnInput& input) const override {
    const absl::Time end = absl::Now() + input.budget;
    LearnOutput output;
    output.learner = name();
    const auto is_out_of_time = [&] {
      if (absl::Now() < end) return false;
      output.ran_out_of_time = true;
      return true;
    };
    const SampleTasks tasks(input, is_out_of_time);
    output.warnings = tasks.placed().warnings;
    if (tasks.HasSeveralRecords()) {
      output.failures.push_back(
          "the annotations have several records on a page, of which this "
          "learner's rules give one");
    }
    for (int i = 0; i < input.schema->attribute_size(); ++i) {
      const std::vector<AttributeTask> ways = tasks.WaysOf(i);
      if (ways.empty()) continue;
      LearntAttribute learnt = LearnAttribute(ways);
      if (learnt.rule.alternative().empty()) {
        output.failures.push_back(
            StrCat(input.schema->attribute(i).name(), ": ", learnt.reason));
        continue;
      }
      rule::fields::AddAttributeRule(std::move(learnt.rule), &output.program);
      output.beliefs.push_back(std::move(learnt.belief));
    }
    return output;
  }
};

}  // namespace

absl::StatusOr<std::unique_ptr<Learner>> MakeVertexLearner(
    const LearnerOptions& /*options*/) {
  return std::make_unique<VertexLearner>();
}

}  // namespace trommel::learn::vertex
