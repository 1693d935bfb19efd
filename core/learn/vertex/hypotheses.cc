#include "core/learn/vertex/hypotheses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/learn/vertex/candidate_nodes.h"
#include "core/learn/vertex/features.h"
#include "core/learn/vertex/naive_bayes.h"
#include "core/learn/vertex/search.h"
#include "core/learn/vertex/text_selection.h"
#include "core/xpath/printer.h"

// From annotated nodes to all the ways in which a rule might find them.
//
// Each feature that all positive nodes have (features.cc) is a set of
// candidates, and everything that follows is done on sets; pages are not looked
// at again. Algorithm 3 (search.cc) finds the best XPath for a set of features.
// Taken as printed it prefers nearness to support, so that with one annotated
// page the text that happens to stand beside a value beats the class of its
// element. And it finds one XPath, which nothing contradicts. So, beyond the
// paper:
//
//  - Several searches are made, each with evidence of one kind: from what is
//    strong (ids, classes, labels), from strong structure alone, from labels
//    alone, from what is no neighbour's, from what comes after, from what
//    stands inside, from all features. Each gives its best two or three.
//
//  - Support is asked for first: each search runs with high support, from
//    nearly all unannotated pages down. But an attribute that many pages lack
//    has little, and what always finds something is worse than that: so what
//    low support allows is a hypothesis as well.
//
// Which of them to believe is decided by what they say of the other pages
// (attribute_learner.cc).
//
// Where no XPath is precise, a position among the nodes it selects may be the
// same on all annotated pages: "(...)[2]", "(...)[last()]". Where not, a
// classifier chooses (naive_bayes.cc). Where values are parts of their texts, a
// pattern or a range of words cuts them out (text_selection.cc).
//
// Cost: a bit for each candidate and feature, some hundred features times some
// ten thousand candidates, and one search for each kind of evidence and
// support. Every stage ends early when the time is over; features are tested
// and tried the near ones first, so what was found until then is worth having.

namespace trommel::learn::vertex {
namespace {

using html::NodeId;

constexpr double kSupports[] = {0.95, 0.6, 0.25, 0};
constexpr double kAllSupports[] = {0.95, 0.8, 0.6, 0.4, 0.2, 0};

bool IsTag(const Feature& feature) { return feature.kind == FeatureKind::kTag; }

bool IsAfter(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::kNextTag:
    case FeatureKind::kNextId:
    case FeatureKind::kNextClass:
    case FeatureKind::kLastChild:
    case FeatureKind::kRightText:
    case FeatureKind::kRightWord:
      return true;
    default:
      return false;
  }
}

// A search with the features of one kind of evidence.
struct Family {
  bool (*uses)(const Feature&);
  bool is_for_lists;     // of repeated attributes only
  bool is_for_thorough;  // where more is looked for
};

constexpr Family kFamilies[] = {
    {[](const Feature& f) {
       return IsTag(f) || (IsStrong(f) && !TellsNeighbours(f));
     },
     true, false},
    {[](const Feature& f) { return IsTag(f) || IsStrong(f); }, false, false},
    {[](const Feature& f) {
       return IsTag(f) || (IsStrong(f) && !f.IsAnchor());
     },
     false, false},
    {[](const Feature& f) { return IsTag(f) || (IsStrong(f) && f.IsAnchor()); },
     false, false},
    {[](const Feature&) { return true; }, false, false},
    {[](const Feature& f) {
       return IsTag(f) || f.IsInside() || (IsStrong(f) && !f.IsAnchor());
     },
     false, true},
    {[](const Feature& f) { return !TellsNeighbours(f); }, true, true},
    {[](const Feature& f) { return IsTag(f) || IsAfter(f); }, false, true},
    {[](const Feature& f) { return !f.IsAnchor(); }, false, true},
};

// The kinds of evidence of Hypothesis::kinds.
uint32_t KindOf(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::kTag:
      return 0;
    case FeatureKind::kId:
    case FeatureKind::kIdPrefix:
      return 1;
    case FeatureKind::kClass:
    case FeatureKind::kClassToken:
    case FeatureKind::kNoClass:
      return 2;
    case FeatureKind::kLeftText:
    case FeatureKind::kLeftWord:
      return 4;
    case FeatureKind::kFirstText:
      return 8;
    case FeatureKind::kRightText:
    case FeatureKind::kRightWord:
      return 16;
    case FeatureKind::kNextTag:
    case FeatureKind::kNextId:
    case FeatureKind::kNextClass:
    case FeatureKind::kLastChild:
      return 32;
    case FeatureKind::kSiblingTag:
    case FeatureKind::kSiblingId:
    case FeatureKind::kSiblingClass:
    case FeatureKind::kFirstChild:
      return 64;
    default:
      return 128;  // inside
  }
}

class HypothesisSearch {
 public:
  HypothesisSearch(const AttributeTask& task, bool is_thorough,
                   std::string* reason)
      : task_(task),
        is_thorough_(is_thorough),
        nodes_(task, reason),
        candidates_(nodes_.candidates()) {}

  std::vector<Hypothesis> Run(std::string* reason) {
    if (!reason->empty()) return {};
    if (nodes_.examples().empty()) {
      *reason = "no annotated value was found on its page";
      return {};
    }
    MakeFeatures();
    for (const Family& family : kFamilies) {
      if (family.is_for_lists && !candidates_.is_repeated) continue;
      if (family.is_for_thorough && !is_thorough_) continue;
      SearchWith(family);
    }
    if (found_.empty()) FallBack();
    if (found_.empty()) {
      *reason =
          "nothing tells the annotated nodes from others, not even a "
          "classifier; annotate another page";
      return {};
    }
    std::vector<Hypothesis> refined;
    for (const Found& found : found_) SelectText(found, &refined);
    if (refined.empty()) {
      *reason =
          "no pattern or range cuts the annotated values out of their texts";
    }
    return refined;
  }

 private:
  // A hypothesis before its text is selected.
  struct Found {
    Hypothesis hypothesis;
    Bits selected;
  };

  // --- Features ---

  Bits BitsOf(const Feature& feature) const {
    Bits bits(nodes_.nodes().size());
    for (size_t page = 0; page < task_.pages->size(); ++page) {
      FeatureTest test(feature, (*task_.pages)[page]);
      const Candidates::Page& range = candidates_.pages[page];
      for (size_t i = range.begin; i < range.end; ++i) {
        if (test(nodes_.nodes()[i].node)) bits.Set(i);
      }
    }
    return bits;
  }

  void MakeFeatures() {
    // Of features that hold for the same candidates only the best is kept, of
    // each kind of evidence.
    using Evidence = std::tuple<bool, bool, bool, Bits>;
    std::map<Evidence, Feature> best;
    for (const Feature& feature :
         GenerateFeatures(*task_.pages, nodes_.examples())) {
      if (task_.is_out_of_time()) break;
      Bits bits = BitsOf(feature);
      // A tag that all candidates have is what a classifier starts from.
      const bool is_own_tag = IsTag(feature) && feature.level <= 1;
      if ((bits.Count() == nodes_.nodes().size() && !is_own_tag) ||
          !bits.Contains(candidates_.positive)) {
        continue;
      }
      const auto [known, is_new] =
          best.try_emplace({feature.IsAnchor(), IsStrong(feature),
                            TellsNeighbours(feature), std::move(bits)},
                           feature);
      if (!is_new && PreferenceOf(feature) < PreferenceOf(known->second)) {
        known->second = feature;
      }
    }
    // Near ones first, so that a search that is cut short has seen them.
    std::map<Preference, Bits> ordered;
    for (const auto& [evidence, feature] : best) {
      ordered.emplace(PreferenceOf(feature), std::get<Bits>(evidence));
    }
    for (const auto& [preference, bits] : ordered) {
      const auto& [level, fragility, feature] = preference;
      features_.push_back(feature);
      search_features_.push_back({bits, level, fragility});
    }
  }

  // Level and fragility; the smaller is better.
  using Preference = std::tuple<int, int, Feature>;
  static Preference PreferenceOf(const Feature& feature) {
    return {feature.level, Fragility(feature), feature};
  }

  // --- Search ---

  void SearchWith(const Family& family) {
    std::vector<SearchFeature> some;
    std::vector<size_t> which;
    for (size_t i = 0; i < features_.size(); ++i) {
      if (!family.uses(features_[i])) continue;
      some.push_back(search_features_[i]);
      which.push_back(i);
    }
    SearchOptions options;
    options.is_out_of_time = task_.is_out_of_time;
    options.max_results = is_thorough_ ? 3 : 2;
    options.max_sets = is_thorough_ ? 6000 : 3000;
    for (const double support : kSupports) {
      options.min_support = support;
      for (SearchResult& result : FindFeatureSets(candidates_, some, options)) {
        if (!result.is_precise) continue;
        for (size_t& f : result.features) f = which[f];
        Hypothesis hypothesis = MakeHypothesis(result);
        Add({std::move(hypothesis), std::move(result.selected)});
      }
    }
  }

  void Add(Found found) {
    for (const Found& known : found_) {
      if (known.hypothesis.extractor.xpath() ==
          found.hypothesis.extractor.xpath()) {
        return;
      }
    }
    found_.push_back(std::move(found));
  }

  xpath::LocationPath PathOf(const SearchResult& result) const {
    std::vector<Feature> features;
    for (const size_t f : result.features) features.push_back(features_[f]);
    return MakeXPath(features, nodes_.target());
  }

  Hypothesis MakeHypothesis(const SearchResult& result) const {
    Hypothesis hypothesis;
    hypothesis.extractor.set_xpath(xpath::ToString(PathOf(result)));
    hypothesis.support = result.support;
    Clues& clues = hypothesis.clues;
    int num_strong = 0, num_weak = 0;
    for (const size_t f : result.features) {
      const Feature& feature = features_[f];
      hypothesis.kinds |= KindOf(feature);
      clues[Clue::kDisjunction] +=
          static_cast<double>(feature.values.size() - 1);
      const bool has_digits = HasDigits(feature);
      if (has_digits) ++clues[Clue::kDigits];
      if (TellsNeighbours(feature) && candidates_.is_repeated) {
        clues[Clue::kTellsNeighbours] = 1;
      }
      clues[Clue::kRareText] =
          std::max(clues[Clue::kRareText], RarityOf(feature));
      if (IsTag(feature)) continue;
      if (feature.IsInside()) clues[Clue::kInside] = 1;
      const bool is_inside = feature.IsInside() && feature.values.size() == 1;
      (IsStrong(feature) || is_inside ? num_strong : num_weak) += 1;
      if (!IsStrong(feature) || feature.IsInside()) continue;
      if (feature.IsAnchor()) {
        if (!has_digits) clues[Clue::kLabel] = 1;
      } else {
        clues[feature.kind == FeatureKind::kId ? Clue::kId : Clue::kClass] = 1;
      }
    }
    clues[Clue::kWeak] = num_weak;
    clues[Clue::kDistance] = result.distance;
    clues[Clue::kAttribute] =
        nodes_.target().kind == Target::Kind::kAttribute ? 1 : 0;
    clues[Clue::kElement] =
        nodes_.target().kind == Target::Kind::kElement ? 1 : 0;
    hypothesis.is_strong = num_strong > 0 && num_weak == 0;
    return hypothesis;
  }

  // On what share of the pages no candidate has a text in the place where the
  // feature asks for it; of several texts, the rarest.
  double RarityOf(const Feature& feature) const {
    if (!feature.IsAnchor()) return 0;
    double rarity = 0;
    for (const std::string& value : feature.values) {
      Feature single = feature;
      single.values = {value};
      const Bits bits = BitsOf(single);
      size_t without = 0;
      for (const Candidates::Page& page : candidates_.pages) {
        bool has = false;
        bits.ForEach(page.begin, page.end, [&](size_t) {
          has = true;
          return false;
        });
        without += has ? 0 : 1;
      }
      rarity =
          std::max(rarity, static_cast<double>(without) /
                               static_cast<double>(candidates_.pages.size()));
    }
    return rarity;
  }

  // --- Where no XPath is precise ---

  void FallBack() {
    for (const double support : kAllSupports) {
      SearchOptions options;
      options.min_support = support;
      options.is_out_of_time = task_.is_out_of_time;
      const SearchResult result =
          FindBestFeatures(candidates_, search_features_, options);
      if (result.features.empty()) continue;
      if (result.is_precise) {
        Add({MakeHypothesis(result), result.selected});
        return;
      }
      std::optional<Hypothesis> found = WithPosition(result);
      if (!found.has_value()) found = WithClassifier(result);
      if (found.has_value()) {
        Add({*std::move(found), result.selected});
        return;
      }
    }
  }

  // The same place among the selected nodes on all annotated pages.
  std::optional<Hypothesis> WithPosition(const SearchResult& result) const {
    if (candidates_.is_repeated) return std::nullopt;
    std::optional<size_t> from_start, from_end;
    bool same_from_start = true, same_from_end = true, any = false;
    for (const Candidates::Page& page : candidates_.pages) {
      if (!page.is_annotated) continue;
      size_t count = 0, place = 0;
      result.selected.ForEach(page.begin, page.end, [&](size_t i) {
        ++count;
        if (candidates_.positive.Get(i) && place == 0) place = count;
        return true;
      });
      if (count == 0) continue;
      if (place == 0) return std::nullopt;  // it is absent there
      any = true;
      const size_t back = count - place;
      same_from_start &= from_start.value_or(place) == place;
      same_from_end &= from_end.value_or(back) == back;
      from_start = place;
      from_end = back;
    }
    if (!any) return std::nullopt;
    xpath::LocationPath path = PathOf(result);
    if (same_from_start) {
      path.position = static_cast<xpath::Position>(*from_start);
    } else if (same_from_end && *from_end == 0) {
      path.position = xpath::kLast;
    } else {
      return std::nullopt;
    }
    Hypothesis hypothesis = MakeHypothesis(result);
    hypothesis.is_strong = false;
    hypothesis.clues[Clue::kPosition] = 1;
    hypothesis.extractor.set_xpath(xpath::ToString(path));
    return hypothesis;
  }

  std::optional<Hypothesis> WithClassifier(const SearchResult& result) const {
    if (candidates_.is_repeated || task_.is_out_of_time()) return std::nullopt;
    constexpr size_t kMaxNegative = 5000;  // of all pages
    std::vector<PageNode> positive, negative;
    size_t num_annotated = 0;
    for (const Candidates::Page& page : candidates_.pages) {
      num_annotated += page.is_annotated ? 1 : 0;
    }
    for (const Candidates::Page& page : candidates_.pages) {
      if (!page.is_annotated) continue;
      size_t room = kMaxNegative / num_annotated;
      result.selected.ForEach(page.begin, page.end, [&](size_t i) {
        if (candidates_.positive.Get(i)) {
          positive.push_back(nodes_.nodes()[i]);
        } else if (candidates_.negative.Get(i) && room > 0) {
          negative.push_back(nodes_.nodes()[i]);
          --room;
        }
        return true;
      });
    }
    if (positive.empty() || negative.empty()) return std::nullopt;
    Hypothesis hypothesis = MakeHypothesis(result);
    hypothesis.is_strong = false;
    hypothesis.clues[Clue::kClassifier] = 1;
    *hypothesis.extractor.mutable_classifier() =
        TrainClassifier(*task_.pages, positive, negative);
    if (hypothesis.extractor.classifier().feature().empty()) {
      return std::nullopt;
    }
    return hypothesis;
  }

  // --- Text ---

  // Adds the hypothesis with each way to cut the values out of their texts.
  void SelectText(const Found& found, std::vector<Hypothesis>* refined) const {
    Hypothesis hypothesis = found.hypothesis;
    if (nodes_.target().kind == Target::Kind::kAttribute) {
      refined->push_back(std::move(hypothesis));
      return;
    }
    std::vector<PartOfText> parts;
    std::vector<std::string> values;
    bool has_part = false;
    for (const Example& example : nodes_.examples()) {
      const std::string text = TextOf(
          (*task_.pages)[example.where.page].document(), example.where.node);
      has_part |= !example.value.empty();
      parts.push_back({text, example.value.empty() ? text : example.value});
      values.push_back(text);
    }
    if (!has_part) {
      LearnCheck(*task_.attribute, values, &hypothesis.extractor);
      refined->push_back(std::move(hypothesis));
      return;
    }
    constexpr size_t kMaxSelections = 4;
    size_t count = 0;
    for (const TextSelection& selection :
         TextSelections(*task_.attribute, parts, OtherTexts(found.selected))) {
      if (count++ == kMaxSelections) break;
      Hypothesis cut = hypothesis;
      cut.extractor.MergeFrom(selection.cut);
      cut.clues[Clue::kRange] = 1;
      cut.clues[Clue::kLuckyRange] =
          std::max(0, static_cast<int>(selection.evidence) -
                          static_cast<int>(SelectionEvidence::kWords));
      refined->push_back(std::move(cut));
    }
  }

  // The texts of selected nodes on pages that nobody annotated.
  std::vector<std::string> OtherTexts(const Bits& selected) const {
    constexpr size_t kMaxTexts = 40;
    constexpr size_t kMaxBytes = 500;
    std::vector<std::string> texts;
    for (const Candidates::Page& page : candidates_.pages) {
      if (page.is_annotated) continue;
      selected.ForEach(page.begin, page.end, [&](size_t i) {
        const PageNode& where = nodes_.nodes()[i];
        std::string text =
            TextOf((*task_.pages)[where.page].document(), where.node);
        if (text.size() <= kMaxBytes) texts.push_back(std::move(text));
        return texts.size() < kMaxTexts;
      });
    }
    return texts;
  }

  const AttributeTask& task_;
  const bool is_thorough_;
  const CandidateNodes nodes_;
  const Candidates& candidates_;
  std::vector<Feature> features_;
  std::vector<SearchFeature> search_features_;
  std::vector<Found> found_;
};

}  // namespace

std::vector<Hypothesis> FindHypotheses(const AttributeTask& task,
                                       bool is_thorough, std::string* reason) {
  reason->clear();
  return HypothesisSearch(task, is_thorough, reason).Run(reason);
}

}  // namespace trommel::learn::vertex
