#include "core/learn/vertex/attribute_learner.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/annotation/page_text.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/html/text.h"
#include "core/learn/vertex/naive_bayes.h"
#include "core/learn/vertex/search.h"
#include "core/learn/vertex/text_selection.h"
#include "core/xpath/matcher.h"
#include "core/xpath/parser.h"
#include "core/xpath/printer.h"

// From annotated nodes to the alternatives of an attribute's rule.
//
// Candidates are all nodes of the sample that could be the value: texts where
// all annotated values are texts of their own or parts of one, elements where
// one goes over several texts, elements with the attribute where they are
// values of attributes. On annotated pages the annotated nodes are positive and
// all others negative, except those that say the same as a positive one:
// whoever finds these does no harm. Each feature that all positive nodes have
// (features.cc) is then a set of candidates, and everything that follows is
// done on sets; pages are not looked at again.
//
// Algorithm 3 (search.cc) finds the best XPath for a set of features. Taken as
// printed it prefers nearness to support, so that with one annotated page the
// text that happens to stand beside a value beats the class of its element. Two
// things are done about it, both beyond the paper:
//
//  - Support is asked for first: the search runs with the highest support for
//    which it finds anything precise, from nearly all unannotated pages down.
//
//  - Several XPaths are learnt from different evidence: from what is strong
//    (ids, classes, labels), from strong structure alone, from labels alone,
//    and from all features. Where they agree on pages that nobody annotated
//    they are probably right, and where they do not, that page is worth an
//    annotation, which then tells which of them is wrong. Strong ones come
//    first, then those that agree with the others more often, then by support,
//    distance and fragility. One with less than half of the best support
//    explains the annotated pages only, and is dropped; so is a weak one that
//    contradicts a strong one.
//
// Values of a repeated attribute stand beside each other. What stands beside a
// node, to the left or to the right, tells the first or the last of them; so
// the first XPath is one without such features, if there is one.
//
// Where no XPath is precise, a position among the nodes it selects may be the
// same on all annotated pages: "(...)[2]", "(...)[last()]". Where not, a
// classifier chooses (naive_bayes.cc).
//
// Where values are parts of their texts, a pattern or a range cuts them out
// (text_selection.cc). Where pages without the attribute say "n/a" in
// its place, nothing but that text tells them from others; it becomes a stop
// value.
//
// Cost: a bit for each candidate and feature, some hundred features times some
// ten thousand candidates, and one search for each kind of evidence and
// support. Every stage ends early when the time is over; features are tested
// and tried the near ones first, so what was found until then is worth having.

namespace trommel::learn::vertex {
namespace {

using html::Document;
using html::kNoNode;
using html::NodeId;
using html::NodeKind;
using Fit = annotation::ValuePlace::Fit;
namespace names = html::names;

constexpr double kSupports[] = {0.95, 0.8, 0.6, 0.4, 0.2, 0};
constexpr double kLeastShareOfSupport = 0.5;
// What a weak XPath must have to be believed: with disjunctions of three texts
// a few pages are explained by anything.
constexpr double kLeastWeakSupport = 0.6;

// Text that readers see, and the title.
bool IsInHidden(const Document& document, NodeId id) {
  for (NodeId a = document.node(id).parent; a != kNoNode && a != 0;
       a = document.node(a).parent) {
    const html::NameId name = document.node(a).name;
    if (name != names::k_head && html::IsHiddenElement(name)) return true;
  }
  return false;
}

std::string TextOf(const Document& document, NodeId node) {
  return document.IsText(node) ? html::NormalizedText(document, node)
                               : html::VisibleText(document, node);
}

// A learnt alternative on the way.
struct Alternative {
  proto::Extractor extractor;
  SearchResult result;
  int fragility = 0;
  bool is_strong = false;         // goes by ids, classes and labels
  bool tells_neighbours = false;  // so that it may find one of several
};

class AttributeLearner {
 public:
  explicit AttributeLearner(const AttributeTask& task)
      : task_(task), pages_(*task.pages) {}

  std::vector<LearntAlternative> Run(std::string* reason) {
    if (!ChooseTarget(reason)) return {};
    CollectCandidates();
    MakeFeatures();
    std::vector<Alternative> found = SearchFamilies();
    if (found.empty()) {
      if (std::optional<Alternative> other = FallBack()) {
        found.push_back(*std::move(other));
      }
    }
    std::vector<LearntAlternative> learnt;
    for (Alternative& alternative : Ordered(std::move(found))) {
      if (!SelectText(&alternative.extractor)) continue;
      const bool is_precise = alternative.result.is_precise;
      learnt.push_back({std::move(alternative.extractor),
                        is_precise && alternative.is_strong,
                        alternative.result.support});
    }
    if (learnt.empty()) {
      *reason = examples_.empty()
                    ? "no annotated value was found on its page"
                    : "nothing tells the annotated nodes from others, not even "
                      "a classifier; annotate another page";
    }
    return learnt;
  }

 private:
  const Document& document(size_t page) const {
    return pages_[page].document();
  }

  // --- Nodes ---

  // One kind of node for all values.
  bool ChooseTarget(std::string* reason) {
    bool has_element = false;
    std::set<std::string> attribute_names;
    size_t num_attributes = 0;
    for (const annotation::PlacedValue& value : task_.values) {
      if (value.place.fit == Fit::kAttribute) {
        ++num_attributes;
        attribute_names.insert(
            std::string(document(value.page).NameOf(value.place.attribute)));
      } else if (!document(value.page).IsText(value.place.node)) {
        has_element = true;
      }
    }
    if (num_attributes > 0 &&
        (num_attributes < task_.values.size() || attribute_names.size() > 1)) {
      *reason =
          "some values are texts and others attributes of elements, or of "
          "different ones; give XPaths in the annotations";
      return false;
    }
    if (num_attributes > 0) {
      target_.kind = Target::Kind::kAttribute;
      target_.attribute = *attribute_names.begin();
    } else {
      target_.kind = has_element ? Target::Kind::kElement : Target::Kind::kText;
    }
    for (const annotation::PlacedValue& value : task_.values) {
      Example& example = examples_.emplace_back();
      example.where = {value.page, NodeOf(value)};
      if (target_.kind != Target::Kind::kAttribute &&
          !IsWhole(value, example.where.node)) {
        example.value = NormalizeSpace(value.value);
      }
    }
    return true;
  }

  // The value's node, of the target's kind.
  NodeId NodeOf(const annotation::PlacedValue& value) const {
    const NodeId node = value.place.node;
    return target_.kind == Target::Kind::kElement &&
                   document(value.page).IsText(node)
               ? document(value.page).node(node).parent
               : node;
  }

  bool IsWhole(const annotation::PlacedValue& value, NodeId node) const {
    return annotation::WithoutSpace(TextOf(document(value.page), node)) ==
           annotation::WithoutSpace(value.value);
  }

  void CollectCandidates() {
    std::vector<bool> is_annotated(pages_.size());
    for (const annotation::PlacedValue& value : task_.values)
      is_annotated[value.page] = true;
    for (const size_t page : task_.absent_pages) is_annotated[page] = true;
    for (size_t page = 0; page < pages_.size(); ++page) {
      const size_t begin = nodes_.size();
      const Document& page_document = document(page);
      for (NodeId id = 1; id < page_document.num_nodes(); ++id) {
        if (!IsCandidate(page_document, id)) continue;
        numbers_[{page, id}] = nodes_.size();
        nodes_.push_back({page, id});
      }
      candidates_.pages.push_back({begin, nodes_.size(), is_annotated[page]});
    }
    candidates_.is_repeated = task_.attribute->repeated();
    candidates_.text.resize(nodes_.size());
    candidates_.positive = Bits(nodes_.size());
    candidates_.negative = Bits(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) {
      candidates_.text[i] = SaidBy(nodes_[i]);
    }
    // What the annotated values of a page are, for the other nodes that say so.
    std::map<size_t, std::set<uint64_t>> said;
    std::map<size_t, size_t> per_page;
    std::vector<Example> kept;
    for (const Example& example : examples_) {
      const auto number =
          numbers_.find({example.where.page, example.where.node});
      if (number == numbers_.end()) continue;  // in a script
      candidates_.positive.Set(number->second);
      said[example.where.page].insert(candidates_.text[number->second]);
      ++per_page[example.where.page];
      kept.push_back(example);
    }
    examples_ = std::move(kept);
    for (const Candidates::Page& page : candidates_.pages) {
      if (!page.is_annotated) continue;
      const size_t number =
          static_cast<size_t>(&page - candidates_.pages.data());
      for (size_t i = page.begin; i < page.end; ++i) {
        if (candidates_.positive.Get(i)) continue;
        const bool says_value = said[number].count(candidates_.text[i]) > 0;
        if (!says_value) candidates_.negative.Set(i);
      }
    }
    for (const annotation::PlacedValue& value : task_.neutral) {
      const auto number = numbers_.find({value.page, NodeOf(value)});
      if (number != numbers_.end()) candidates_.negative.Clear(number->second);
    }
    for (const annotation::PlacedValue& value : task_.negatives) {
      const auto number = numbers_.find({value.page, NodeOf(value)});
      if (number != numbers_.end() &&
          !candidates_.positive.Get(number->second)) {
        candidates_.negative.Set(number->second);
      }
    }
    if (candidates_.is_repeated) {
      size_t most = 0;
      for (const auto& [page, count] : per_page) most = std::max(most, count);
      candidates_.max_per_page = 5 * most + 10;
    }
  }

  bool IsCandidate(const Document& page_document, NodeId id) const {
    const NodeKind kind = page_document.node(id).kind;
    switch (target_.kind) {
      case Target::Kind::kText:
        return kind == NodeKind::kText && !IsInHidden(page_document, id);
      case Target::Kind::kElement:
        return kind == NodeKind::kElement && !IsInHidden(page_document, id);
      case Target::Kind::kAttribute:
        return kind == NodeKind::kElement &&
               page_document
                       .Value(id, page_document.FindName(target_.attribute))
                       .data() != nullptr;
    }
    return false;
  }

  // A number for what a candidate says.
  uint64_t SaidBy(const PageNode& where) const {
    const Document& page_document = document(where.page);
    if (target_.kind == Target::Kind::kAttribute) {
      return Hash64(page_document.Value(
          where.node, page_document.FindName(target_.attribute)));
    }
    if (target_.kind == Target::Kind::kText) {
      return Hash64(NormalizeSpace(page_document.Text(where.node)));
    }
    // Elements are many and nested; telling them apart costs more than it is
    // worth.
    return Mix64((uint64_t{where.page} << 32) + where.node);
  }

  // --- Features ---

  void MakeFeatures() {
    // Of features that hold for the same candidates only the best is kept, of
    // each kind of evidence.
    using Evidence = std::tuple<bool, bool, bool, Bits>;
    std::map<Evidence, Feature> best;
    for (const Feature& feature : GenerateFeatures(pages_, examples_)) {
      if (task_.is_out_of_time()) break;
      Bits bits(nodes_.size());
      for (size_t page = 0; page < pages_.size(); ++page) {
        FeatureTest test(feature, pages_[page]);
        const Candidates::Page& range = candidates_.pages[page];
        for (size_t i = range.begin; i < range.end; ++i) {
          if (test(nodes_[i].node)) bits.Set(i);
        }
      }
      // A tag that all candidates have is what a classifier starts from.
      const bool is_own_tag =
          feature.kind == FeatureKind::kTag && feature.level <= 1;
      if ((bits.Count() == nodes_.size() && !is_own_tag) ||
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

  std::vector<Alternative> SearchFamilies() {
    std::vector<Alternative> found;
    const auto add = [&](const std::function<bool(const Feature&)>& use) {
      if (std::optional<Alternative> alternative = SearchWith(use)) {
        for (const Alternative& other : found) {
          if (other.extractor.xpath() == alternative->extractor.xpath()) return;
        }
        found.push_back(*std::move(alternative));
      }
    };
    const auto is_tag = [](const Feature& f) {
      return f.kind == FeatureKind::kTag;
    };
    if (candidates_.is_repeated) {
      add([&](const Feature& f) {
        return is_tag(f) || (IsStrong(f) && !TellsNeighbours(f));
      });
    }
    add([&](const Feature& f) { return is_tag(f) || IsStrong(f); });
    add([&](const Feature& f) {
      return is_tag(f) || (IsStrong(f) && !f.IsAnchor());
    });
    add([&](const Feature& f) {
      return is_tag(f) || (IsStrong(f) && f.IsAnchor());
    });
    add([](const Feature&) { return true; });
    std::erase_if(found, [](const Alternative& a) {
      return !a.is_strong && a.result.support < kLeastWeakSupport;
    });
    double best_support = 0;
    for (const Alternative& a : found) {
      if (a.is_strong) best_support = std::max(best_support, a.result.support);
    }
    std::erase_if(found, [&](const Alternative& a) {
      return a.result.support < kLeastShareOfSupport * best_support;
    });
    return found;
  }

  // The best precise XPath of some of the features, with as much support as
  // there is to be had.
  std::optional<Alternative> SearchWith(
      const std::function<bool(const Feature&)>& use) {
    std::vector<SearchFeature> some;
    std::vector<size_t> which;
    for (size_t i = 0; i < features_.size(); ++i) {
      if (!use(features_[i])) continue;
      some.push_back(search_features_[i]);
      which.push_back(i);
    }
    for (const double support : kSupports) {
      SearchResult result = Find(some, support);
      if (!result.is_precise) continue;
      for (size_t& f : result.features) f = which[f];
      return MakeAlternative(std::move(result));
    }
    return std::nullopt;
  }

  SearchResult Find(const std::vector<SearchFeature>& features,
                    double min_support) const {
    SearchOptions options;
    options.min_support = min_support;
    options.is_out_of_time = task_.is_out_of_time;
    return FindBestFeatures(candidates_, features, options);
  }

  xpath::LocationPath PathOf(const SearchResult& result) const {
    std::vector<Feature> features;
    for (const size_t f : result.features) features.push_back(features_[f]);
    return MakeXPath(features, target_);
  }

  Alternative MakeAlternative(SearchResult result) const {
    Alternative alternative;
    alternative.extractor.set_xpath(xpath::ToString(PathOf(result)));
    int num_strong = 0, num_weak = 0;
    for (const size_t f : result.features) {
      alternative.fragility += Fragility(features_[f]);
      alternative.tells_neighbours |= TellsNeighbours(features_[f]);
      if (features_[f].kind == FeatureKind::kTag) continue;
      (IsStrong(features_[f]) ? num_strong : num_weak) += 1;
    }
    alternative.is_strong = num_strong > 0 && num_weak == 0;
    alternative.result = std::move(result);
    return alternative;
  }

  // --- Where no XPath is precise ---

  std::optional<Alternative> FallBack() {
    for (const double support : kSupports) {
      SearchResult result = Find(search_features_, support);
      if (result.features.empty()) continue;
      if (result.is_precise) return MakeAlternative(std::move(result));
      if (std::optional<Alternative> found = WithPosition(result)) return found;
      if (std::optional<Alternative> found = WithClassifier(result)) {
        return found;
      }
    }
    return std::nullopt;
  }

  // The same place among the selected nodes on all annotated pages.
  std::optional<Alternative> WithPosition(const SearchResult& result) const {
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
    Alternative alternative = MakeAlternative(result);
    alternative.extractor.set_xpath(xpath::ToString(path));
    return alternative;
  }

  std::optional<Alternative> WithClassifier(const SearchResult& result) const {
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
          positive.push_back(nodes_[i]);
        } else if (candidates_.negative.Get(i) && room > 0) {
          negative.push_back(nodes_[i]);
          --room;
        }
        return true;
      });
    }
    if (positive.empty() || negative.empty()) return std::nullopt;
    Alternative alternative = MakeAlternative(result);
    *alternative.extractor.mutable_classifier() =
        TrainClassifier(pages_, positive, negative);
    if (alternative.extractor.classifier().feature().empty()) {
      return std::nullopt;
    }
    return alternative;
  }

  // --- Order ---

  // What an alternative says of a page, for comparing: of the first node.
  uint64_t SaidOn(const Candidates::Page& page, const Bits& selected) const {
    uint64_t said = 0;
    selected.ForEach(page.begin, page.end, [&](size_t i) {
      said = Mix64(said + candidates_.text[i]);
      return candidates_.is_repeated;
    });
    return said;
  }

  // On how many pages they say the same.
  int64_t Agreements(const Alternative& a, const Alternative& b) const {
    return std::count_if(candidates_.pages.begin(), candidates_.pages.end(),
                         [&](const Candidates::Page& page) {
                           return SaidOn(page, a.result.selected) ==
                                  SaidOn(page, b.result.selected);
                         });
  }

  std::vector<Alternative> Ordered(std::vector<Alternative> found) const {
    using Key = std::tuple<bool, bool, int64_t, double, int, int, size_t>;
    std::vector<Key> keys;
    for (size_t a = 0; a < found.size(); ++a) {
      int64_t agreed = 0;
      for (size_t b = 0; b < found.size(); ++b) {
        if (a != b) agreed += Agreements(found[a], found[b]);
      }
      keys.emplace_back(!found[a].is_strong,
                        candidates_.is_repeated && found[a].tells_neighbours,
                        -agreed, -found[a].result.support,
                        found[a].result.distance, found[a].fragility, a);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Alternative> ordered;
    const auto num_pages = static_cast<int64_t>(candidates_.pages.size());
    for (const Key& key : keys) {
      Alternative& next = found[std::get<size_t>(key)];
      if (!ordered.empty() && ordered[0].is_strong && !next.is_strong &&
          Agreements(ordered[0], next) < num_pages) {
        continue;
      }
      ordered.push_back(std::move(next));
    }
    return ordered;
  }

  // --- Text ---

  bool SelectText(proto::Extractor* extractor) const {
    if (target_.kind == Target::Kind::kAttribute) return true;
    std::vector<PartOfText> parts;
    bool has_part = false;
    for (const Example& example : examples_) {
      const std::string text =
          TextOf(document(example.where.page), example.where.node);
      has_part |= !example.value.empty();
      parts.push_back({text, example.value.empty() ? text : example.value});
    }
    if (has_part) return LearnTextSelection(*task_.attribute, parts, extractor);
    std::vector<std::string> values;
    for (const PartOfText& part : parts) values.push_back(part.text);
    LearnCheck(*task_.attribute, values, extractor);
    return true;
  }

  const AttributeTask& task_;
  const std::vector<PageFacts>& pages_;
  Target target_;
  std::vector<Example> examples_;
  std::vector<PageNode> nodes_;  // the candidates
  std::map<std::pair<size_t, NodeId>, size_t> numbers_;
  Candidates candidates_;
  std::vector<Feature> features_;
  std::vector<SearchFeature> search_features_;
};

// Some pages say "n/a" where they have no value. Then nothing tells the node of
// such a page from those of others but what it says: the rule is learnt without
// the pages that do not have the attribute, and what it finds there are texts
// that are no values. Empty where these texts do not look so.
std::vector<LearntAlternative> LearnWithStopValues(AttributeTask task) {
  constexpr size_t kMaxStopValues = 3;
  constexpr size_t kMaxStopBytes = 30;
  const std::vector<size_t> absent_pages = std::move(task.absent_pages);
  task.absent_pages.clear();
  std::set<std::string> values;
  for (const annotation::PlacedValue& value : task.values) {
    values.insert(NormalizeSpace(value.value));
  }
  for (const annotation::PlacedValue& value : task.neutral) {
    values.insert(NormalizeSpace(value.value));
  }
  std::string reason;
  std::vector<LearntAlternative> learnt;
  for (LearntAlternative& alternative : AttributeLearner(task).Run(&reason)) {
    if (!alternative.is_strong || alternative.extractor.has_range()) continue;
    const auto path = xpath::Parse(alternative.extractor.xpath());
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
    if (!are_short || stops.size() > kMaxStopValues) continue;
    for (const std::string& stop : stops) {
      alternative.extractor.add_stop_value(stop);
    }
    learnt.push_back(std::move(alternative));
  }
  return learnt;
}

}  // namespace

std::vector<LearntAlternative> LearnAttribute(const AttributeTask& task,
                                              std::string* reason) {
  if (task.values.empty()) {
    *reason = "no annotated value was found on its page";
    return {};
  }
  std::vector<LearntAlternative> learnt = AttributeLearner(task).Run(reason);
  if (!task.absent_pages.empty() && (learnt.empty() || !learnt[0].is_strong)) {
    std::vector<LearntAlternative> with_stops = LearnWithStopValues(task);
    if (!with_stops.empty()) return with_stops;
  }
  return learnt;
}

}  // namespace trommel::learn::vertex
