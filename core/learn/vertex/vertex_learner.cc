#include "core/learn/vertex/vertex_learner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "absl/time/clock.h"
#include "core/annotation/placed_values.h"
#include "core/base/status.h"
#include "core/learn/vertex/attribute_learner.h"
#include "core/rule/fields/fields.h"
#include "core/schema/schema.h"

// The learner of the Vertex paper (Gulhane et al., "Web-Scale Information
// Extraction with Vertex", ICDE 2011, III-C), attribute by attribute:
//
//   annotations   -> nodes                 core/annotation/placed_values.h
//   nodes         -> what they have in     features.cc
//                    common
//   features      -> XPaths                search.cc, attribute_learner.cc
//   no XPath      -> a classifier          naive_bayes.cc
//   parts of text -> pattern or range      text_selection.cc
//
// What is added here is about an attribute as a whole: values that a page says
// twice, and values of a repeated attribute that have nothing in common.
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
    std::vector<PageFacts> facts;
    std::deque<annotation::PageText> texts;
    std::vector<annotation::ResolvePage> pages;
    for (const LearnPage& page : *input.pages) {
      facts.emplace_back(page.document);
      texts.emplace_back(page.document);
      pages.push_back({&texts.back(), page.url});
    }
    annotation::PlacedAnnotations placed =
        annotation::PlaceAnnotations(*input.schema, input.annotations, pages);
    output.warnings = std::move(placed.warnings);
    if (HasSeveralRecords(placed)) {
      output.failures.push_back(
          "the annotations have several records on a page, of which this "
          "learner's rules give one");
    }
    for (int i = 0; i < input.schema->attribute_size(); ++i) {
      const proto::Attribute& attribute = input.schema->attribute(i);
      annotation::PlacedAttribute& annotated =
          placed.attributes[static_cast<size_t>(i)];
      if (!annotated.is_annotated) continue;
      AttributeTask task;
      task.attribute = &attribute;
      task.pages = &facts;
      task.is_out_of_time = is_out_of_time;
      task.values = std::move(annotated.values);
      task.negatives = std::move(annotated.negatives);
      task.absent_pages = std::move(annotated.absent_pages);
      std::string reason;
      std::vector<LearntAlternative> alternatives =
          LearnAttribute(task, &reason);
      if (attribute.repeated() &&
          (alternatives.empty() || !alternatives[0].is_strong)) {
        LearnByGroups(task, &alternatives);
      }
      // Where the editor has said which node it is, no other is.
      if (!attribute.repeated() && !alternatives.empty() &&
          !annotated.has_xpath) {
        LearnElsewhere(std::move(task), pages, &alternatives);
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
      rule::fields::AddAttributeRule(std::move(rule), &output.program);
    }
    return output;
  }

 private:
  static bool HasSeveralRecords(const annotation::PlacedAnnotations& placed) {
    std::map<size_t, int64_t> records;  // one of each page
    for (const annotation::PlacedAttribute& attribute : placed.attributes) {
      for (const annotation::PlacedValue& value : attribute.values) {
        const int64_t record = value.record.value_or(0);
        if (records.try_emplace(value.page, record).first->second != record) {
          return true;
        }
      }
    }
    return false;
  }

  // Pages say things twice: a title in a heading and in the trail of links
  // above it, where it may be cut off on some pages. Which of the places the
  // editor means, nobody knows as long as both say the same. So what can be
  // learnt from the other places is added to the alternatives: where it agrees
  // it is further evidence, and where it does not, the page is asked for and
  // the annotation tells.
  static void LearnElsewhere(AttributeTask task,
                             const std::vector<annotation::ResolvePage>& pages,
                             std::vector<LearntAlternative>* alternatives) {
    constexpr int kMaxElsewhere = 2;
    constexpr double kLeastSupport = 0.8;
    std::vector<annotation::WantedValue> wanted;
    for (const annotation::PlacedValue& value : task.values) {
      if (value.place.fit != annotation::ValuePlace::Fit::kWholeText) return;
      wanted.push_back({value.page, value.value, {}, {value.place}});
      for (const annotation::PlacedValue& denied : task.negatives) {
        if (denied.page == value.page) {
          wanted.back().excluded.push_back(denied.place);
        }
      }
    }
    for (int round = 0; round < kMaxElsewhere && !task.is_out_of_time();
         ++round) {
      const std::vector<annotation::ResolvedValue> resolved =
          annotation::ResolveValues(pages, wanted, task.absent_pages,
                                    schema::IsLink(*task.attribute));
      for (size_t i = 0; i < resolved.size(); ++i) {
        if (resolved[i].places.empty() ||
            resolved[i].places[0].fit !=
                annotation::ValuePlace::Fit::kWholeText) {
          return;
        }
        task.values[i].place = resolved[i].places[0];
        wanted[i].excluded.push_back(resolved[i].places[0]);
      }
      std::string reason;
      std::vector<LearntAlternative> learnt = LearnAttribute(task, &reason);
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
    std::map<int, std::vector<annotation::PlacedValue>> groups;
    for (const annotation::PlacedValue& value : task.values) {
      groups[value.group].push_back(value);
    }
    if (groups.size() < 2 || groups.size() > kMaxGroups) return;
    LearntAlternative all;
    all.is_strong = true;
    all.support = 1;
    for (const auto& [group, values] : groups) {
      AttributeTask part = task;
      part.values = values;
      for (const annotation::PlacedValue& value : task.values) {
        if (value.group != group) part.neutral.push_back(value);
      }
      // Pages that have none of the group have none of it.
      std::set<size_t> with_value;
      for (const annotation::PlacedValue& value : values) {
        with_value.insert(value.page);
      }
      for (const annotation::PlacedValue& value : task.values) {
        if (with_value.insert(value.page).second) {
          part.absent_pages.push_back(value.page);
        }
      }
      std::string reason;
      std::vector<LearntAlternative> learnt = LearnAttribute(part, &reason);
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
};

}  // namespace

absl::StatusOr<std::unique_ptr<Learner>> MakeVertexLearner(
    const LearnerOptions& /*options*/) {
  return std::make_unique<VertexLearner>();
}

}  // namespace trommel::learn::vertex
