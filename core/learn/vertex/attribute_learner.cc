#include "core/learn/vertex/attribute_learner.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/learn/vertex/candidate_nodes.h"
#include "core/learn/vertex/hypotheses.h"
#include "core/learn/vertex/sample_reading.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"

// From annotated nodes to the rule of an attribute and to its rivals.
//
// An answer is not right because nothing contradicts it. So learning first
// collects all the explanations of the annotations that it can think of, from
// each way to place the values and from each kind of evidence (hypotheses.cc),
// lets them speak on all pages of the sample (sample_reading.cc), and drops
// those that do not give back what the editor said. Those that say the same of
// all pages are one opinion. The most plausible opinion (plausibility.cc)
// becomes the rule: its members are the alternatives, and there is nothing that
// the sample could tell of them apart. The other opinions are its rivals; they
// differ on some page of the sample, which is what an editor is asked
// (core/learn/next_page.h).
//
// Two kinds of hypothesis are made here:
//
//  - Some pages say "n/a" where they have no value. Then nothing tells the node
//    of such a page from those of others but what it says: hypotheses are made
//    without the pages that do not have the attribute, and the texts that they
//    find there become stop values.
//
//  - The values of a repeated attribute may be in places that have nothing in
//    common, such as the lines of an address. Each kind of place is then learnt
//    by itself, and the hypothesis is the union.
//
// Cost: that of hypotheses.cc for each way, of which the first is searched more
// thoroughly, and one walk over the sample for all hypotheses together.

namespace trommel::learn::vertex {
namespace {

using html::Document;

constexpr size_t kMaxAlternatives = 4;
constexpr size_t kMaxRivals = 12;

// A set of hypotheses that say the same of all pages of the sample.
struct OpinionGroup {
  std::vector<size_t> members;  // the most plausible first
  double plausibility = 0;      // of the first
};

class AttributeLearner {
 public:
  explicit AttributeLearner(const std::vector<AttributeTask>& ways)
      : ways_(ways) {}

  LearntAttribute Run() {
    learnt_.rule.set_name(ways_[0].attribute->name());
    learnt_.belief.attribute = ways_[0].attribute->name();
    if (ways_[0].values.empty()) {
      learnt_.reason = "no annotated value was found on its page";
      return std::move(learnt_);
    }
    Collect();
    const std::vector<OpinionGroup> groups = Group();
    if (groups.empty()) {
      if (learnt_.reason.empty()) {
        learnt_.reason =
            "what is learnt does not give back the annotated values; annotate "
            "another page";
      }
      return std::move(learnt_);
    }
    learnt_.reason.clear();
    MakeRule(groups[0]);
    MakeRivals(groups);
    return std::move(learnt_);
  }

  std::vector<Hypothesis> Explain() {
    std::vector<Hypothesis> right;
    if (ways_[0].values.empty()) return right;
    Collect();
    for (const OpinionGroup& group : Group()) {
      for (const size_t h : group.members) right.push_back(hypotheses_[h]);
    }
    return right;
  }

 private:
  void Collect() {
    for (size_t way = 0; way < ways_.size(); ++way) {
      if (way > 0 && ways_[way].is_out_of_time()) break;
      std::string reason;
      std::vector<Hypothesis> found =
          FindHypotheses(ways_[way], /*is_thorough=*/way == 0, &reason);
      if (way == 0) learnt_.reason = reason;
      for (Hypothesis& hypothesis : found) {
        hypothesis.clues[Clue::kOtherPlace] = way > 0 ? 1 : 0;
        Add(std::move(hypothesis));
      }
    }
    if (!ways_[0].absent_pages.empty()) AddWithStopValues(ways_[0]);
    if (ways_[0].attribute->repeated()) AddUnion(ways_[0]);
  }

  void Add(Hypothesis hypothesis) {
    const std::string key = hypothesis.extractor.SerializeAsString();
    if (known_.insert(key).second) hypotheses_.push_back(std::move(hypothesis));
  }

  void AddWithStopValues(AttributeTask task) {
    constexpr size_t kMaxStopValues = 3;
    constexpr size_t kMaxStopBytes = 30;
    const std::vector<size_t> absent_pages = std::move(task.absent_pages);
    task.absent_pages.clear();
    std::set<std::string> values;
    for (const annotation::PlacedValue& value : task.values) {
      values.insert(NormalizeSpace(value.value));
    }
    std::string reason;
    for (Hypothesis& hypothesis :
         FindHypotheses(task, /*is_thorough=*/false, &reason)) {
      if (!hypothesis.is_strong || hypothesis.extractor.has_range()) continue;
      const auto path = xpath::Parse(hypothesis.extractor.xpath());
      const auto matcher =
          path.ok() ? xpath::Matcher::Compile(*path) : path.status();
      if (!matcher.ok()) continue;
      std::set<std::string> stops;
      bool are_short = true;
      for (const size_t page : absent_pages) {
        const Document& document = (*task.pages)[page].document();
        std::vector<xpath::Match> matches;
        matcher->Select(document, &matches);
        for (const xpath::Match& match : matches) {
          std::string text = TextOf(document, match.node);
          are_short &= text.size() <= kMaxStopBytes && values.count(text) == 0;
          stops.insert(std::move(text));
        }
      }
      if (!are_short || stops.empty() || stops.size() > kMaxStopValues) {
        continue;
      }
      for (const std::string& stop : stops) {
        hypothesis.extractor.add_stop_value(stop);
      }
      hypothesis.clues[Clue::kDisjunction] +=
          static_cast<double>(stops.size() - 1);
      Add(std::move(hypothesis));
    }
  }

  void AddUnion(const AttributeTask& task) {
    constexpr size_t kMaxGroups = 8;
    std::map<int, std::vector<annotation::PlacedValue>> groups;
    for (const annotation::PlacedValue& value : task.values) {
      groups[value.group].push_back(value);
    }
    if (groups.size() < 2 || groups.size() > kMaxGroups) return;
    Hypothesis all;
    all.is_strong = true;
    all.support = 1;
    for (const auto& [group, values] : groups) {
      AttributeTask part = PartOf(task, group, values);
      std::string reason;
      std::vector<Hypothesis> found =
          FindHypotheses(part, /*is_thorough=*/true, &reason);
      const auto best =
          std::max_element(found.begin(), found.end(),
                           [](const Hypothesis& a, const Hypothesis& b) {
                             return PartPlausibility(a) < PartPlausibility(b);
                           });
      if (best == found.end() || best->extractor.has_range() ||
          !best->extractor.regex().empty()) {
        return;
      }
      if (all.extractor.xpath().empty()) {
        all.extractor = best->extractor;
        all.clues = best->clues;
      } else {
        all.extractor.add_also(best->extractor.xpath());
        for (const Clue clue : {Clue::kWeak, Clue::kDisjunction, Clue::kDigits,
                                Clue::kDistance, Clue::kRareText}) {
          all.clues[clue] = std::max(all.clues[clue], best->clues[clue]);
        }
        for (const Clue clue : {Clue::kLabel, Clue::kClass, Clue::kId}) {
          all.clues[clue] = std::min(all.clues[clue], best->clues[clue]);
        }
      }
      all.clues[Clue::kUselessPart] =
          std::max(all.clues[Clue::kUselessPart], best->support == 0 ? 1.0 : 0);
      all.kinds |= best->kinds;
    }
    // What the first group's texts have and have not, the others need not.
    all.extractor.clear_check();
    all.extractor.clear_stop_value();
    Add(std::move(all));
  }

  // Judges a hypothesis about one kind of place, by what it goes by and how
  // many pages have it.
  static double PartPlausibility(const Hypothesis& hypothesis) {
    Clues clues = hypothesis.clues;
    clues[Clue::kSilent] = 1 - hypothesis.support;
    clues[Clue::kUseless] = hypothesis.support == 0 ? 1 : 0;
    return Plausibility(clues);
  }

  static AttributeTask PartOf(
      const AttributeTask& task, int group,
      const std::vector<annotation::PlacedValue>& values) {
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
    return part;
  }

  // The hypotheses that are right on annotated pages, by what they say of all;
  // the most plausible first.
  std::vector<OpinionGroup> Group() {
    readings_ = ReadSample(ways_[0], &hypotheses_);
    std::map<std::vector<std::vector<std::string>>, OpinionGroup> groups;
    for (size_t h = 0; h < hypotheses_.size(); ++h) {
      plausibility_.push_back(Plausibility(hypotheses_[h].clues));
      if (!readings_[h].is_right) continue;
      groups[readings_[h].values].members.push_back(h);
    }
    std::vector<OpinionGroup> sorted;
    for (auto& [values, group] : groups) {
      std::stable_sort(group.members.begin(), group.members.end(),
                       [&](size_t a, size_t b) {
                         return plausibility_[a] > plausibility_[b];
                       });
      group.plausibility = plausibility_[group.members[0]];
      sorted.push_back(std::move(group));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const OpinionGroup& a, const OpinionGroup& b) {
                       return a.plausibility > b.plausibility;
                     });
    return sorted;
  }

  // Whether it goes by what a few pages have, so that it agrees with others by
  // chance; where these are silent it would find something else.
  static bool IsOfFewPages(const Hypothesis& hypothesis) {
    constexpr double kMostRare = 0.3;
    return hypothesis.clues[Clue::kDisjunction] > 0 ||
           hypothesis.clues[Clue::kRareText] > kMostRare;
  }

  // The best, and then those that go by other evidence first.
  void MakeRule(const OpinionGroup& group) {
    std::set<uint32_t> kinds;
    std::vector<size_t> chosen;
    for (const bool has_new_kind : {true, false}) {
      for (const size_t h : group.members) {
        if (chosen.size() == kMaxAlternatives) break;
        if (std::find(chosen.begin(), chosen.end(), h) != chosen.end() ||
            (!chosen.empty() && IsOfFewPages(hypotheses_[h]))) {
          continue;
        }
        if (kinds.insert(hypotheses_[h].kinds).second == has_new_kind) {
          chosen.push_back(h);
        }
      }
    }
    for (const size_t h : chosen) {
      *learnt_.rule.add_alternative() = hypotheses_[h].extractor;
    }
    learnt_.belief.plausibility = group.plausibility;
  }

  void MakeRivals(const std::vector<OpinionGroup>& groups) {
    for (size_t g = 1; g < groups.size() && g <= kMaxRivals; ++g) {
      const size_t best = groups[g].members[0];
      learnt_.belief.rivals.push_back({hypotheses_[best].extractor.xpath(),
                                       groups[g].plausibility,
                                       readings_[best].values});
    }
  }

  const std::vector<AttributeTask>& ways_;
  std::vector<Hypothesis> hypotheses_;
  std::set<std::string> known_;  // extractors
  std::vector<SampleReading> readings_;
  std::vector<double> plausibility_;
  LearntAttribute learnt_;
};

}  // namespace

LearntAttribute LearnAttribute(const std::vector<AttributeTask>& ways) {
  return AttributeLearner(ways).Run();
}

std::vector<Hypothesis> ExplainAnnotations(
    const std::vector<AttributeTask>& ways) {
  return AttributeLearner(ways).Explain();
}

}  // namespace trommel::learn::vertex
