#include "core/learn/vertex/vertex_learner.h"

#include <deque>
#include <map>
#include <utility>

#include "absl/time/clock.h"
#include "core/annotation/resolve.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/learn/vertex/attribute_learner.h"
#include "core/schema/schema.h"

namespace trommel {
namespace {

using vertex::AttributeTask;
using vertex::PageFacts;
using vertex::PlacedValue;

class VertexLearner final : public Learner {
 public:
  std::string_view name() const override { return "vertex"; }

  absl::StatusOr<LearnOutput> Learn(const LearnInput& input) const override {
    const absl::Time end = absl::Now() + input.budget;
    LearnOutput output;
    const auto is_out_of_time = [&] {
      if (absl::Now() < end) return false;
      output.ran_out_of_time = true;
      return true;
    };
    std::vector<PageFacts> facts;
    std::deque<PageText> texts;
    std::vector<ResolvePage> pages;
    std::map<std::string_view, size_t> page_of;
    for (const LearnPage& page : *input.pages) {
      page_of[page.url] = facts.size();
      facts.emplace_back(page.document);
      texts.emplace_back(page.document);
      pages.push_back({&texts.back(), page.url});
    }
    for (const proto::Attribute& attribute : input.schema->attribute()) {
      AttributeTask task;
      task.attribute = &attribute;
      task.pages = &facts;
      task.is_out_of_time = is_out_of_time;
      if (!Place(attribute, input.annotations, page_of, pages, &task,
                 &output.warnings)) {
        continue;  // not annotated
      }
      std::string reason;
      std::vector<proto::Extractor> alternatives =
          vertex::LearnAttribute(task, &reason);
      if (alternatives.empty()) {
        output.failures.push_back(StrCat(attribute.name(), ": ", reason));
        continue;
      }
      proto::AttributeRule& rule = output.attributes.emplace_back();
      rule.set_name(attribute.name());
      for (proto::Extractor& alternative : alternatives) {
        *rule.add_alternative() = std::move(alternative);
      }
    }
    return output;
  }

 private:
  // Finds the nodes of an attribute's annotations. False where it has no value.
  static bool Place(const proto::Attribute& attribute,
                    const std::vector<Annotation>& annotations,
                    const std::map<std::string_view, size_t>& page_of,
                    const std::vector<ResolvePage>& pages, AttributeTask* task,
                    std::vector<AnnotationProblem>* warnings) {
    std::vector<const Annotation*> lines[2];  // values, negative marks
    std::vector<WantedValue> wanted[2];
    for (const Annotation& annotation : annotations) {
      const auto page = page_of.find(annotation.url);
      if (annotation.attribute != attribute.name() || page == page_of.end()) {
        continue;
      }
      if (annotation.kind == Annotation::Kind::kAbsent) {
        task->absent_pages.push_back(page->second);
      } else {
        const size_t kind = annotation.kind == Annotation::Kind::kValue ? 0 : 1;
        lines[kind].push_back(&annotation);
        wanted[kind].push_back(
            {page->second, annotation.value, annotation.xpath});
      }
    }
    for (size_t kind = 0; kind < 2; ++kind) {
      const std::vector<ResolvedValue> resolved = ResolveValues(
          pages, wanted[kind], task->absent_pages, IsLink(attribute));
      for (size_t i = 0; i < resolved.size(); ++i) {
        Warn(*lines[kind][i], resolved[i], warnings);
        if (resolved[i].places.empty()) continue;
        (kind == 0 ? task->values : task->negatives)
            .push_back({wanted[kind][i].page,
                        std::string(wanted[kind][i].value),
                        resolved[i].places[0]});
      }
    }
    return !lines[0].empty();
  }

  static void Warn(const Annotation& annotation, const ResolvedValue& resolved,
                   std::vector<AnnotationProblem>* warnings) {
    const std::string what =
        StrCat(annotation.attribute, " of ", annotation.url, ": ");
    if (!resolved.xpath_problem.empty()) {
      warnings->push_back(
          {annotation.line,
           StrCat(what, "the XPath is not used: it ", resolved.xpath_problem)});
    }
    if (!resolved.places.empty()) return;
    std::string message =
        StrCat(what, "\"", annotation.value, "\" is not on the page");
    for (size_t i = 0; i < resolved.nearest.size(); ++i) {
      StrAppend(&message, i == 0 ? "; nearest: " : ", ", "\"",
                resolved.nearest[i], "\"");
    }
    warnings->push_back({annotation.line, std::move(message)});
  }
};

}  // namespace

std::unique_ptr<Learner> MakeVertexLearner() {
  return std::make_unique<VertexLearner>();
}

}  // namespace trommel
