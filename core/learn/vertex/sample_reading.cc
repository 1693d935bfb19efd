#include "core/learn/vertex/sample_reading.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "core/annotation/page_text.h"
#include "core/learn/value_profile.h"
#include "core/rule/fields/fields.h"
#include "core/rule/fields/fields_extractor.h"
#include "core/schema/schema.h"

// What speaks for a hypothesis on pages that nobody annotated.
//
// All hypotheses of an attribute run together, as alternatives of one rule, so
// a page is walked once for all of them. Nobody knows what is right on these
// pages, but what is wrong looks different: it finds nothing, or several values
// of an attribute that has one, or the same text on all pages, or values that
// do not look like those that are annotated. And hypotheses that go by
// different evidence are witnesses for each other: what the class and the label
// agree on is rarely wrong.

namespace trommel::learn::vertex {
namespace {

constexpr double kLeastLikeness = 0.25;

using Values = std::vector<std::string>;

// What an editor said of an attribute, by page, without white space.
class Said {
 public:
  explicit Said(const AttributeTask& task) : task_(task) {
    for (const annotation::PlacedValue& value : task.values) {
      pages_[value.page].insert(annotation::WithoutSpace(value.value));
      exact_[value.page].insert(value.value);
      values_.push_back(value.value);
      ++counts_[value.page];
    }
    for (const size_t page : task.absent_pages) pages_[page];
  }

  bool IsAnnotated(size_t page) const { return pages_.count(page) > 0; }
  const Values& values() const { return values_; }
  size_t NumPagesWithValue() const { return counts_.size(); }
  size_t MostValues() const {
    size_t most = 0;
    for (const auto& [page, count] : counts_) most = std::max(most, count);
    return most;
  }

  bool IsRight(size_t page, const Values& values) const {
    const std::set<std::string>& wanted = pages_.at(page);
    std::set<std::string> found;
    for (const std::string& value : values) {
      found.insert(annotation::WithoutSpace(value));
    }
    if (schema::IsLink(*task_.attribute)) {
      return wanted.empty() == found.empty();  // its nodes were compared
    }
    if (task_.attribute->repeated() || wanted.empty()) return found == wanted;
    return found.size() == 1 && wanted.count(*found.begin()) > 0;
  }

  // The share of annotated pages on which a link is spelled in another way.
  double Inexact(const std::vector<Values>& values) const {
    if (!schema::IsLink(*task_.attribute) || exact_.empty()) return 0;
    double inexact = 0;
    for (const auto& [page, wanted] : exact_) {
      const bool is_exact =
          std::all_of(values[page].begin(), values[page].end(),
                      [&wanted = wanted](const std::string& value) {
                        return wanted.count(value) > 0;
                      });
      inexact += is_exact ? 0 : 1;
    }
    return inexact / static_cast<double>(exact_.size());
  }

 private:
  const AttributeTask& task_;
  std::map<size_t, std::set<std::string>> pages_;
  std::map<size_t, std::set<std::string>> exact_;
  std::map<size_t, size_t> counts_;
  Values values_;
};

void CompleteClues(const Said& said, const ValueProfile& profile,
                   const AttributeTask& task, const SampleReading& reading,
                   Clues* clues) {
  const bool is_repeated = task.attribute->repeated();
  double pages = 0, silent = 0, several = 0, unlike = 0, very_unlike = 0,
         with_value = 0, more = 0;
  bool ever_several = said.MostValues() > 1;
  std::map<Values, double> counts;
  std::map<std::string, double> item_counts;  // pages with the value
  for (size_t page = 0; page < reading.values.size(); ++page) {
    if (said.IsAnnotated(page)) continue;
    ++pages;
    const Values& values = reading.values[page];
    if (values.empty()) {
      ++silent;
      continue;
    }
    ++with_value;
    ++counts[values];
    several += !is_repeated && values.size() > 1 ? 1 : 0;
    more += values.size() > said.MostValues() ? 1 : 0;
    ever_several |= values.size() > 1;
    double likeness = 1;
    for (const std::string& value : values) {
      likeness = std::min(likeness, profile.Likeness(value));
      ++item_counts[value];
    }
    unlike += 1 - likeness;
    very_unlike += likeness < kLeastLikeness ? 1 : 0;
  }
  const double annotated = static_cast<double>(said.NumPagesWithValue());
  (*clues)[Clue::kPages] = std::log2(annotated + 1);
  (*clues)[Clue::kWeakOfPages] =
      ((*clues)[Clue::kWeak] + (*clues)[Clue::kDisjunction]) /
      std::max(annotated, 1.0);
  (*clues)[Clue::kInexact] = said.Inexact(reading.values);
  if (pages == 0) return;
  (*clues)[task.absent_pages.empty() ? Clue::kSilent : Clue::kSilentAbsent] =
      silent / pages;
  (*clues)[Clue::kUseless] = with_value == 0 ? 1 : 0;
  (*clues)[Clue::kMore] = is_repeated ? more / pages : 0;
  (*clues)[Clue::kSingle] = is_repeated && !ever_several ? 1 : 0;
  if (with_value == 0) return;
  (*clues)[Clue::kSeveral] = several / with_value;
  (*clues)[Clue::kUnlike] = unlike / with_value;
  (*clues)[Clue::kVeryUnlike] = very_unlike / with_value;
  double items = 0, recurring = 0;
  for (const auto& [value, count] : item_counts) {
    items += count;
    recurring += count > 1 ? count - 1 : 0;
  }
  (*clues)[Clue::kRecurring] = recurring / items;
  double most = 0;
  for (const auto& [values, count] : counts) most = std::max(most, count);
  (*clues)[Clue::kSame] = with_value < 2 ? 0 : (most - 1) / (with_value - 1);
}

// What the kinds of evidence make of one page. Each kind has one voice, whose
// weight is that of its most plausible hypothesis, as far as that is known
// without the others.
class Witnesses {
 public:
  Witnesses(const std::vector<SampleReading>& readings,
            const std::vector<Hypothesis>& hypotheses,
            const std::vector<double>& weights, size_t page) {
    std::map<uint32_t, double> all, speaking;
    for (size_t h = 0; h < readings.size(); ++h) {
      if (!readings[h].is_right) continue;
      const Values& values = readings[h].values[page];
      const auto add = [&](std::map<uint32_t, double>* voices) {
        double& weight = (*voices)[hypotheses[h].kinds];
        weight = std::max(weight, weights[h]);
      };
      add(&all);
      add(&by_values_[values]);
      if (!values.empty()) add(&speaking);
    }
    all_ = std::move(all);
    for (const auto& [kinds, weight] : all_) sum_ += weight;
    double speaking_sum = 0;
    for (const auto& [kinds, weight] : speaking) speaking_sum += weight;
    do_most_speak_ = 2 * speaking_sum > sum_;
  }

  // The share of the other kinds with a hypothesis that says the same.
  double Agreement(const Values& values, uint32_t kinds) const {
    const double others = sum_ - all_.at(kinds);
    double agreeing = 0;
    for (const auto& [other, weight] : by_values_.at(values)) {
      if (other != kinds) agreeing += weight;
    }
    return others > 0 ? std::min(1.0, agreeing / others) : 0;
  }
  bool DoMostSpeak() const { return do_most_speak_; }

 private:
  std::map<uint32_t, double> all_;
  std::map<Values, std::map<uint32_t, double>> by_values_;
  double sum_ = 0;
  bool do_most_speak_ = false;
};

// The clues of each hypothesis that are about the others; their means over
// pages.
void CompareHypotheses(const Said& said,
                       const std::vector<SampleReading>& readings,
                       std::vector<Hypothesis>* hypotheses) {
  std::vector<double> weights;
  for (const Hypothesis& hypothesis : *hypotheses) {
    const double plausibility = Plausibility(hypothesis.clues);
    weights.push_back(plausibility / (1.001 - plausibility));
  }
  double pages = 0;
  for (size_t page = 0; page < readings[0].values.size(); ++page) {
    if (said.IsAnnotated(page)) continue;
    ++pages;
    const Witnesses witnesses(readings, *hypotheses, weights, page);
    for (size_t h = 0; h < readings.size(); ++h) {
      if (!readings[h].is_right) continue;
      Hypothesis& hypothesis = (*hypotheses)[h];
      const Values& values = readings[h].values[page];
      hypothesis.clues[Clue::kConsensus] +=
          witnesses.Agreement(values, hypothesis.kinds);
      if (values.empty() && witnesses.DoMostSpeak()) {
        ++hypothesis.clues[Clue::kMisses];
      }
      if (!values.empty() && !witnesses.DoMostSpeak()) {
        ++hypothesis.clues[Clue::kInvents];
      }
    }
  }
  if (pages == 0) return;
  for (Hypothesis& hypothesis : *hypotheses) {
    for (const Clue clue : {Clue::kConsensus, Clue::kMisses, Clue::kInvents}) {
      hypothesis.clues[clue] /= pages;
    }
  }
}

}  // namespace

std::vector<SampleReading> ReadSample(const AttributeTask& task,
                                      std::vector<Hypothesis>* hypotheses) {
  std::vector<SampleReading> readings(hypotheses->size());
  proto::Rule rule;
  *rule.mutable_schema()->add_attribute() = *task.attribute;
  proto::AttributeRule attribute_rule;
  attribute_rule.set_name(task.attribute->name());
  for (const Hypothesis& hypothesis : *hypotheses) {
    *attribute_rule.add_alternative() = hypothesis.extractor;
  }
  rule::fields::AddAttributeRule(std::move(attribute_rule),
                                 rule.mutable_program());
  const auto extractor = rule::fields::CompileFields(rule);
  if (!extractor.ok() || hypotheses->empty()) return readings;
  for (const LearnPage& page : *task.sample) {
    const auto opinions = (*extractor)->Opinions(page.document, page.url);
    for (size_t h = 0; h < readings.size(); ++h) {
      readings[h].values.push_back(opinions[0][h].values);
    }
  }
  const Said said(task);
  const ValueProfile profile(said.values());
  for (size_t h = 0; h < readings.size(); ++h) {
    readings[h].is_right = true;
    for (size_t page = 0; page < task.sample->size(); ++page) {
      readings[h].is_right &= !said.IsAnnotated(page) ||
                              said.IsRight(page, readings[h].values[page]);
    }
    CompleteClues(said, profile, task, readings[h], &(*hypotheses)[h].clues);
  }
  CompareHypotheses(said, readings, hypotheses);
  return readings;
}

}  // namespace trommel::learn::vertex
