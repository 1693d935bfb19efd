#include "core/learn/next_page.h"

#include <algorithm>
#include <set>
#include <string_view>

// What to ask next.
//
// The paper's editors annotate pages in the order of the sample and stop when
// the rule extracts from the rest of it (III-B). Here the rule is run on the
// rest after each page, and a page is worth annotating if something is in doubt
// there:
//
//  - those that have a say on an attribute say different things: one of them is
//    wrong, and the annotation tells which (4 points);
//  - a mandatory attribute does not come out (4);
//  - an attribute does not come out that came out on all annotated pages:
//    either the rule fails there, or the attribute may be missing, which is
//    known from then on (2);
//  - one finds a value and another is silent (2);
//  - a value is much longer than any that was annotated (1).
//
// The page with most points is asked for next, not merely the next by rank. If
// no page has any, nothing need be asked.
//
// What comes out of the program as a whole does not matter here, only the
// opinions within it (PageExtractor::Opinions()), so a page may have any number
// of records.
//
// Cost: the rule runs once on every page of the sample.

namespace trommel::learn {
namespace {

using Kind = annotation::Annotation::Kind;

constexpr int kContradiction = 4;
constexpr int kMissingMandatory = 4;
constexpr int kMissing = 2;
constexpr int kOneSided = 2;
constexpr int kOutlier = 1;

// Names and prices are short; a sentence in their place is something else.
bool IsOutlier(const std::string& value, const AttributeKnowledge& knowledge) {
  constexpr size_t kShort = 40;
  return knowledge.longest_value <= kShort &&
         value.size() > 3 * knowledge.longest_value + 10;
}

// Adds what a page says of an attribute to the counts; its points of doubt.
int AssessAttribute(const AttributeKnowledge& knowledge, bool is_mandatory,
                    const std::vector<rule::Opinion>& opinions,
                    ExtractionCounts* counts) {
  const bool is_expected = is_mandatory || !knowledge.may_be_absent;
  std::set<std::vector<std::string>> said;
  bool is_one_silent = false;
  for (const rule::Opinion& opinion : opinions) {
    if (opinion.values.empty()) {
      is_one_silent = true;
    } else {
      said.insert(opinion.values);
    }
  }
  counts->expected += is_expected ? 1 : 0;
  if (said.empty()) {
    if (!is_expected) return 0;
    return is_mandatory ? kMissingMandatory : kMissing;
  }
  ++counts->extracted;
  counts->came_out += is_expected ? 1 : 0;
  counts->agreed += said.size() == 1 ? 1 : 0;
  int points = 0;
  const auto chosen = std::find_if(
      opinions.begin(), opinions.end(),
      [](const rule::Opinion& opinion) { return !opinion.values.empty(); });
  for (const std::string& value : chosen->values) {
    if (IsOutlier(value, knowledge)) points += kOutlier;
  }
  if (said.size() > 1) return points + kContradiction;
  return points + (is_one_silent ? kOneSided : 0);
}

}  // namespace

std::vector<AttributeKnowledge> CollectKnowledge(
    const proto::Schema& schema,
    const std::vector<annotation::Annotation>& annotations,
    const std::vector<bool>& extracts) {
  // A page that is complete and has no value has nothing of any attribute.
  std::set<std::string_view> complete, with_value;
  for (const annotation::Annotation& annotation : annotations) {
    if (annotation.kind == Kind::kComplete) complete.insert(annotation.url);
    if (annotation.kind == Kind::kValue) with_value.insert(annotation.url);
  }
  const bool has_empty_page = !std::includes(
      with_value.begin(), with_value.end(), complete.begin(), complete.end());
  std::vector<AttributeKnowledge> all(extracts.size());
  for (size_t i = 0; i < all.size(); ++i) {
    AttributeKnowledge& knowledge = all[i];
    knowledge.may_be_absent = has_empty_page;
    const std::string& name = schema.attribute(static_cast<int>(i)).name();
    for (const annotation::Annotation& annotation : annotations) {
      if (annotation.attribute != name) continue;
      if (annotation.kind == Kind::kValue) {
        knowledge.has_value = true;
        knowledge.longest_value =
            std::max(knowledge.longest_value, annotation.value.size());
      }
      knowledge.may_be_absent |= annotation.kind == Kind::kAbsent;
    }
    knowledge.has_rule = extracts[i];
  }
  return all;
}

SampleDoubts FindDoubts(const rule::PageExtractor& extractor,
                        const std::vector<AttributeKnowledge>& knowledge,
                        const std::vector<LearnPage>& pages,
                        const std::set<std::string>& annotated) {
  const proto::Schema& schema = extractor.schema();
  SampleDoubts doubts;
  for (const LearnPage& page : pages) {
    if (annotated.count(page.url) > 0) continue;
    ++doubts.counts.pages;
    const auto opinions = extractor.Opinions(page.document, page.url);
    int points = 0;
    for (size_t i = 0; i < knowledge.size(); ++i) {
      if (!knowledge[i].has_rule) continue;
      points += AssessAttribute(
          knowledge[i], schema.attribute(static_cast<int>(i)).mandatory(),
          opinions[i], &doubts.counts);
    }
    if (doubts.worst == nullptr || points > doubts.worst_points) {
      doubts.worst = &page;
      doubts.worst_points = points;
    }
  }
  return doubts;
}

}  // namespace trommel::learn
