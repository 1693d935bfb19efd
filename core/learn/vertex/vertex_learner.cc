#include "core/learn/vertex/vertex_learner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "absl/time/clock.h"
#include "core/annotation/resolve.h"
#include "core/base/status.h"
#include "core/base/text.h"
#include "core/learn/vertex/attribute_learner.h"
#include "core/rule/fields/fields.h"
#include "core/schema/schema.h"

namespace trommel {
namespace {

using vertex::AttributeTask;
using vertex::LearntAlternative;
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
      std::vector<LearntAlternative> alternatives =
          vertex::LearnAttribute(task, &reason);
      if (attribute.repeated() &&
          (alternatives.empty() || !alternatives[0].is_strong)) {
        LearnByGroups(task, &alternatives);
      }
      if (!attribute.repeated() && !alternatives.empty()) {
        LearnElsewhere(std::move(task), input.annotations, page_of, pages,
                       &alternatives);
      }
      if (alternatives.empty()) {
        output.failures.push_back(StrCat(attribute.name(), ": ", reason));
        continue;
      }
      proto::AttributeRule rule;
      rule.set_name(attribute.name());
      for (LearntAlternative& alternative : alternatives) {
        *rule.add_alternative() = std::move(alternative.extractor);
      }
      fields::AddAttributeRule(std::move(rule), &output.program);
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
    if (!attribute.repeated()) WarnOfSecondValues(lines[0], warnings);
    // What is not the attribute's comes first: the values are elsewhere.
    // Without an XPath it is not the attribute's wherever the page says it.
    const std::vector<ResolvedValue> denied =
        ResolveValues(pages, wanted[1], task->absent_pages, IsLink(attribute));
    for (size_t i = 0; i < denied.size(); ++i) {
      Warn(*lines[1][i], denied[i], warnings);
      for (const ValuePlace& place : denied[i].places) {
        task->negatives.push_back(
            {wanted[1][i].page, std::string(wanted[1][i].value), place});
        for (WantedValue& value : wanted[0]) {
          if (value.page == wanted[1][i].page) value.excluded.push_back(place);
        }
      }
    }
    const std::vector<ResolvedValue> resolved =
        ResolveValues(pages, wanted[0], task->absent_pages, IsLink(attribute));
    for (size_t i = 0; i < resolved.size(); ++i) {
      Warn(*lines[0][i], resolved[i], warnings);
      if (resolved[i].places.empty()) continue;
      task->values.push_back({wanted[0][i].page,
                              std::string(wanted[0][i].value),
                              resolved[i].places[0], resolved[i].group});
    }
    return !lines[0].empty();
  }

  // Pages say things twice: a title in a heading and in the trail of links
  // above it, where it may be cut off on some pages. Which of the places the
  // editor means, nobody knows as long as both say the same. So what can be
  // learnt from the other places is added to the alternatives: where it agrees
  // it is further evidence, and where it does not, the page is asked for and
  // the annotation tells.
  static void LearnElsewhere(AttributeTask task,
                             const std::vector<Annotation>& annotations,
                             const std::map<std::string_view, size_t>& page_of,
                             const std::vector<ResolvePage>& pages,
                             std::vector<LearntAlternative>* alternatives) {
    constexpr int kMaxElsewhere = 2;
    constexpr double kLeastSupport = 0.8;
    std::vector<WantedValue> wanted;
    for (const PlacedValue& value : task.values) {
      if (value.place.fit != ValuePlace::Fit::kWholeText) return;
      wanted.push_back({value.page, value.value, {}, {value.place}});
      for (const PlacedValue& denied : task.negatives) {
        if (denied.page == value.page) {
          wanted.back().excluded.push_back(denied.place);
        }
      }
    }
    for (const Annotation& annotation : annotations) {
      // The editor has said where.
      if (annotation.attribute == task.attribute->name() &&
          annotation.kind == Annotation::Kind::kValue &&
          !annotation.xpath.empty() && page_of.count(annotation.url) > 0) {
        return;
      }
    }
    for (int round = 0; round < kMaxElsewhere && !task.is_out_of_time();
         ++round) {
      const std::vector<ResolvedValue> resolved = ResolveValues(
          pages, wanted, task.absent_pages, IsLink(*task.attribute));
      for (size_t i = 0; i < resolved.size(); ++i) {
        if (resolved[i].places.empty() ||
            resolved[i].places[0].fit != ValuePlace::Fit::kWholeText) {
          return;
        }
        task.values[i].place = resolved[i].places[0];
        wanted[i].excluded.push_back(resolved[i].places[0]);
      }
      std::string reason;
      std::vector<LearntAlternative> learnt =
          vertex::LearnAttribute(task, &reason);
      if (learnt.empty() || !learnt[0].is_strong ||
          learnt[0].support < kLeastSupport) {
        continue;
      }
      const bool is_known = std::any_of(
          alternatives->begin(), alternatives->end(),
          [&](const LearntAlternative& known) {
            return known.extractor.xpath() == learnt[0].extractor.xpath();
          });
      if (!is_known) alternatives->push_back(std::move(learnt[0]));
    }
  }

  // The values of a repeated attribute may be in places that have nothing in
  // common, such as the lines of an address. Each kind of place is then learnt
  // by itself, and the rule is the union, if that is strong throughout.
  static void LearnByGroups(const AttributeTask& task,
                            std::vector<LearntAlternative>* alternatives) {
    constexpr size_t kMaxGroups = 8;
    std::map<int, std::vector<PlacedValue>> groups;
    for (const PlacedValue& value : task.values) {
      groups[value.group].push_back(value);
    }
    if (groups.size() < 2 || groups.size() > kMaxGroups) return;
    LearntAlternative all;
    all.is_strong = true;
    all.support = 1;
    for (const auto& [group, values] : groups) {
      AttributeTask part = task;
      part.values = values;
      for (const PlacedValue& value : task.values) {
        if (value.group != group) part.neutral.push_back(value);
      }
      // Pages that have none of the group have none of it.
      std::set<size_t> with_value;
      for (const PlacedValue& value : values) with_value.insert(value.page);
      for (const PlacedValue& value : task.values) {
        if (with_value.insert(value.page).second) {
          part.absent_pages.push_back(value.page);
        }
      }
      std::string reason;
      std::vector<LearntAlternative> learnt =
          vertex::LearnAttribute(part, &reason);
      if (learnt.empty() || !learnt[0].is_strong ||
          learnt[0].extractor.has_range() ||
          !learnt[0].extractor.regex().empty()) {
        return;
      }
      if (all.extractor.xpath().empty()) {
        all.extractor = learnt[0].extractor;
      } else {
        all.extractor.add_also(learnt[0].extractor.xpath());
      }
      all.support = std::min(all.support, learnt[0].support);
    }
    // What the first group's texts have and have not, the others need not.
    all.extractor.clear_check();
    all.extractor.clear_stop_value();
    alternatives->clear();
    alternatives->push_back(std::move(all));
  }

  // An attribute that is not repeated has one value. Two may be two spellings
  // that the page has, so both are used, but not in silence.
  static void WarnOfSecondValues(const std::vector<const Annotation*>& lines,
                                 std::vector<AnnotationProblem>* warnings) {
    std::map<std::string_view, const Annotation*> first;  // by page
    for (const Annotation* const line : lines) {
      const Annotation* const known =
          first.try_emplace(line->url, line).first->second;
      if (NormalizeSpace(known->value) == NormalizeSpace(line->value)) continue;
      warnings->push_back(
          {line->line,
           StrCat(line->attribute, " of ", line->url, ": \"", line->value,
                  "\", and \"", known->value,
                  "\" as well, although the attribute is not repeated; both "
                  "are taken as right")});
    }
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
