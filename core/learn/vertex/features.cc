#include "core/learn/vertex/features.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_split.h"
#include "core/base/hash.h"
#include "core/base/strings.h"
#include "core/base/text.h"

// Feature generation (III-C 1 of the Vertex paper).
//
// An XPath that survives the next redesign names what its author would name:
// the class of the price, the label in front of it, not the third cell of the
// second row. So a node is described by tests of single facts about it, each of
// which XPath can make of any node of any page; what all annotated nodes of an
// attribute have in common are the features that the search (search.cc) puts
// together. A feature is a kind, a level (0 is the node, 1 its parent and so
// on) and a value, and its level is its distance: what is near belongs to the
// value, what is far to the page.
//
// The printed list of features is lost but for its examples: tag, id, class,
// preceding-sibling-class-2, the level, and the text anchors. It is completed
// here:
//
//   kind                     level  XPath at that level
//   tag                       0-4   div
//   id, class                 0-8   [@id="i"], [@class="c d"]
//   class token               0-8   [contains(@class, "c")], as a whole token
//   no class                  0-1   [not(@class)]
//   id prefix                 0-8   [starts-with(@id, "row_")]
//   sibling tag, id, class    0-3   [preceding-sibling::node()[2][@id="i"]],
//                                   1 to 3 places before
//   next tag, id, class       0-2   [following-sibling::node()[1][@id="i"]],
//                                   1 or 2 places after
//   first child, last child   0-2   [not(preceding-sibling::node())]
//   left and right text       0-3   [preceding::text()[1][. = "Price:"]]
//   left and right word       0-3   [following::text()[1][starts-with(., "w")]]
//   first text                1-5   [descendant::text()[1][. = "Price:"]]
//   inside left, right text    0    [starts-with(., "Our Price:")]
//   inside left, right word    0    [contains(., "Price:")]
//
// All texts are as normalize-space() has them. Levels end where a kind says
// little: the id of a section eight levels up still names it, a tag or a
// neighbour there is chance. Long texts are content and not labels, so they are
// no anchors.
//
// As in the paper, examples that differ give a disjunction of up to three
// values of the same kind and level ("review" or "reviews"); with four the
// feature is none. Class tokens are not disjoined: each that all examples have
// is a feature of its own.
//
// Beyond the paper:
//
//  - That an element has no class, which tells the items of a list from a link
//    behind them that is made to look otherwise.
//  - Class tokens, since classes of today hold several names of which some
//    belong to the page ("cell odd"), and id prefixes, since ids of rows are
//    numbered.
//  - The first text inside an ancestor: the label of a row that has the value
//    and others ("Price: $5 or $4 used") is not always beside the value.
//  - Anchors at levels above 0. The paper asks for the nearest text before the
//    node; that before its cell or row is as good a label.
//  - What all values begin with, end with or contain, where they are whole
//  texts
//    and differ: a label may be part of the value. Of one value only what ends
//    in a colon is taken for a label.
//  - That a node is the first or the last of its parent.
//  - The siblings after a node: a street may have nothing before it, and a map
//    behind.
//  - preceding::text()[position()=last()] of the printed XPaths is the first
//    text of the page, since preceding is a reverse axis; [1] is meant.
//  - Three judgements of a feature. It is strong if it alone is a reason to
//    trust an XPath: a name or a label, one value, of words. It tells
//    neighbours if the next item of a list would have another value, so that it
//    may find one of several. And it is fragile if a later version of the site
//    may not have it: numbers look generated, disjunctions fit the examples,
//    what stands to the right or beside is not made to name anything. The
//    paper calls all its features strong and has only distance.
//
// Cost: a few dozen features an example. Testing one on all candidates takes
// some hash comparisons each (page_facts.h); texts are looked at once for many
// nodes that share an anchor.

namespace trommel::learn::vertex {
namespace {

using html::Document;
using html::kNoNode;
using html::NodeId;
using xpath::Axis;
using xpath::Expr;
using xpath::ExprKind;
using xpath::LocationStep;
using xpath::NodeTest;
namespace names = html::names;

// Longer texts are content, not labels.
constexpr size_t kMaxAnchorBytes = 80;
// Levels up to which features other than id and class are made. What is far
// away says little, and is likely to change.
constexpr int kMaxTagLevel = 4;
constexpr int kMaxAnchorLevel = 3;
constexpr int kMaxSiblingLevel = 3;
constexpr int kMaxSiblingOffset = 3;
constexpr int kMaxNextLevel = 2;
constexpr int kMaxNextOffset = 2;
constexpr int kMaxFirstTextLevel = 5;

// Of an element; what has more was made by a program for itself.
constexpr size_t kMaxTokens = 16;
// Longer ids, classes and words are nobody's names.
constexpr size_t kMaxNameBytes = 200;

// The words of a class, found one after the other as they are asked for: a page
// may have a class of millions, and most are asked for a few.
auto TokensOf(std::string_view css_class) {
  return absl::StrSplit(ToAbsl(css_class), absl::ByAnyChar(" \n\t\r\f"),
                        absl::SkipEmpty());
}

std::string FirstWord(std::string_view text) {
  return std::string(text.substr(0, text.find(' ')));
}
std::string LastWord(std::string_view text) {
  const size_t space = text.rfind(' ');
  return std::string(space == std::string_view::npos ? text
                                                     : text.substr(space + 1));
}

// What stands before the last number of an id; empty where that says little.
std::string NumberedPrefix(std::string_view id) {
  constexpr size_t kLeastPrefix = 3;
  const size_t last = id.find_last_of("0123456789");
  if (last == std::string_view::npos) return "";
  const size_t before = id.find_last_not_of("0123456789", last);
  if (before == std::string_view::npos || before + 1 < kLeastPrefix) return "";
  return std::string(id.substr(0, before + 1));
}

// The value of features that say that something is missing.
constexpr std::string_view kNone = "none";

// Labels are words; a bar between links is none.
bool HasWord(std::string_view text) {
  int letters = 0;
  for (const char c : text) {
    const char lower = AsciiLower(c);
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 && byte < 0xC0) continue;  // of the letter before
    const bool is_letter = (lower >= 'a' && lower <= 'z') || byte >= 0xC3;
    letters = is_letter ? letters + 1 : 0;
    if (letters == 2) return true;
  }
  return false;
}

// (kind, level, offset): what makes values comparable.
using Slot = std::tuple<FeatureKind, int, int>;

// The features of one example.
class ExampleFeatures {
 public:
  ExampleFeatures(const PageFacts& page, const Example& example)
      : page_(page), document_(page.document()) {
    for (int level = 0; level <= kMaxLevel; ++level) {
      const NodeId id = page.Ancestor(example.where.node, level);
      if (id == kNoNode) break;
      AddElement(id, level);
      if (level <= kMaxSiblingLevel) AddSiblings(id, level);
      if (level <= kMaxNextLevel) AddNextSiblings(id, level);
      if (level <= kMaxAnchorLevel) AddAnchors(id, level);
      if (level > 0 && level <= kMaxFirstTextLevel) {
        const NodeId first = page.FirstText(id);
        if (first != kNoNode && first != example.where.node) {
          AddText(FeatureKind::kFirstText, level, first);
        }
      }
    }
    if (!example.value.empty()) AddInside(example);
  }

  // One value a slot; several only for class tokens.
  const std::map<Slot, std::set<std::string>>& values() const {
    return values_;
  }

 private:
  void Add(FeatureKind kind, int level, int offset, std::string_view value) {
    if (value.empty() || value.size() > kMaxNameBytes) return;
    values_[{kind, level, offset}].insert(std::string(value));
  }

  void AddElement(NodeId id, int level) {
    if (!document_.IsElement(id)) return;
    if (level <= kMaxTagLevel) {
      Add(FeatureKind::kTag, level, 0, document_.TagOf(id));
    }
    const std::string_view element_id = document_.Value(id, names::k_id);
    Add(FeatureKind::kId, level, 0, element_id);
    Add(FeatureKind::kIdPrefix, level, 0, NumberedPrefix(element_id));
    const std::string_view css_class = document_.Value(id, names::k_class);
    Add(FeatureKind::kClass, level, 0, css_class);
    if (level <= 1 && page_.css_class(id) == 0) {
      Add(FeatureKind::kNoClass, level, 0, kNone);
    }
    std::vector<absl::string_view> tokens;
    for (const absl::string_view token : TokensOf(css_class)) {
      if (tokens.size() == kMaxTokens) break;
      tokens.push_back(token);
    }
    if (tokens.size() < 2) return;
    for (const absl::string_view token : tokens) {
      Add(FeatureKind::kClassToken, level, 0, ToStd(token));
    }
  }

  void AddSiblings(NodeId id, int level) {
    for (int offset = 1; offset <= kMaxSiblingOffset; ++offset) {
      const NodeId sibling = page_.SiblingBefore(id, offset);
      if (sibling == kNoNode) return;
      if (!document_.IsElement(sibling)) continue;
      Add(FeatureKind::kSiblingTag, level, offset, document_.TagOf(sibling));
      Add(FeatureKind::kSiblingId, level, offset,
          document_.Value(sibling, names::k_id));
      Add(FeatureKind::kSiblingClass, level, offset,
          document_.Value(sibling, names::k_class));
    }
  }

  void AddNextSiblings(NodeId id, int level) {
    if (page_.SiblingBefore(id, 1) == kNoNode) {
      Add(FeatureKind::kFirstChild, level, 0, kNone);
    }
    if (page_.SiblingAfter(id, 1) == kNoNode) {
      Add(FeatureKind::kLastChild, level, 0, kNone);
    }
    for (int offset = 1; offset <= kMaxNextOffset; ++offset) {
      const NodeId sibling = page_.SiblingAfter(id, offset);
      if (sibling == kNoNode) return;
      if (!document_.IsElement(sibling)) continue;
      Add(FeatureKind::kNextTag, level, offset, document_.TagOf(sibling));
      Add(FeatureKind::kNextId, level, offset,
          document_.Value(sibling, names::k_id));
      Add(FeatureKind::kNextClass, level, offset,
          document_.Value(sibling, names::k_class));
    }
  }

  void AddText(FeatureKind kind, int level, NodeId text) {
    if (text == kNoNode) return;
    const std::string value = page_.Text(text);
    if (value.size() > kMaxAnchorBytes) return;
    Add(kind, level, 0, value);
  }

  void AddAnchors(NodeId id, int level) {
    const NodeId left = page_.LeftText(id);
    const NodeId right = page_.RightText(id);
    AddText(FeatureKind::kLeftText, level, left);
    AddText(FeatureKind::kRightText, level, right);
    if (left != kNoNode) {
      Add(FeatureKind::kLeftWord, level, 0, LastWord(page_.Text(left)));
    }
    if (right != kNoNode) {
      Add(FeatureKind::kRightWord, level, 0, FirstWord(page_.Text(right)));
    }
  }

  void AddInside(const Example& example) {
    if (!document_.IsText(example.where.node)) return;
    const std::string text = page_.Text(example.where.node);
    const std::string value = XPathNormalizeSpace(example.value);
    const size_t begin = text.find(value);
    if (begin == std::string::npos) return;
    const std::string left = XPathNormalizeSpace(text.substr(0, begin));
    const std::string right =
        XPathNormalizeSpace(text.substr(begin + value.size()));
    if (left.size() <= kMaxAnchorBytes) {
      Add(FeatureKind::kInsideLeftText, 0, 0, left);
    }
    if (right.size() <= kMaxAnchorBytes) {
      Add(FeatureKind::kInsideRightText, 0, 0, right);
    }
    Add(FeatureKind::kInsideLeftWord, 0, 0, LastWord(left));
    Add(FeatureKind::kInsideRightWord, 0, 0, FirstWord(right));
  }

  const PageFacts& page_;
  const Document& document_;
  std::map<Slot, std::set<std::string>> values_;
};

// --- XPath ------------------------------------------------------------------

Expr OneOf(const std::vector<std::string>& values,
           const std::function<Expr(const std::string&)>& test) {
  std::vector<Expr> tests;
  for (const std::string& value : values) tests.push_back(test(value));
  return tests.size() == 1 ? std::move(tests[0])
                           : xpath::AnyOf(std::move(tests));
}

Expr InsideText(ExprKind test, const Feature& feature) {
  return OneOf(feature.values, [&](const std::string& value) {
    return xpath::Compare(test, xpath::Self(), value, /*normalize_space=*/true);
  });
}

// The nearest text on an axis, which passes a test of its value.
Expr NearestText(Axis axis, ExprKind test, const Feature& feature) {
  return xpath::Exists(
      {xpath::MakeStep(axis, NodeTest::kText,
                       {xpath::AtPosition(1), InsideText(test, feature)})});
}

Expr HasTag(const Feature& feature) {
  return OneOf(feature.values, [](const std::string& value) {
    return xpath::Exists({xpath::MakeStep(Axis::kSelf, value)});
  });
}

Expr HasAttributeValue(const std::string& attribute, const Feature& feature) {
  return OneOf(feature.values, [&](const std::string& value) {
    return xpath::AttributeIs(attribute, value);
  });
}

// The sibling so many places before or after, which passes a test.
Expr Sibling(Axis axis, const Feature& feature, Expr test) {
  const auto position = static_cast<xpath::Position>(feature.offset);
  return xpath::Exists(
      {xpath::MakeStep(axis, NodeTest::kAnyNode,
                       {xpath::AtPosition(position), std::move(test)})});
}

// The predicate of a feature; none for a tag that becomes the name of its step.
std::optional<Expr> PredicateOf(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::kTag:
      if (feature.values.size() == 1) return std::nullopt;
      return HasTag(feature);
    case FeatureKind::kId:
      return HasAttributeValue("id", feature);
    case FeatureKind::kClass:
      return HasAttributeValue("class", feature);
    case FeatureKind::kClassToken:
      return OneOf(feature.values, xpath::HasClass);
    case FeatureKind::kNoClass:
      return xpath::Not(xpath::HasAttribute("class"));
    case FeatureKind::kIdPrefix:
      return OneOf(feature.values, [](const std::string& value) {
        return xpath::Compare(ExprKind::kStartsWith,
                              {xpath::AttributeStep("id")}, value);
      });
    case FeatureKind::kSiblingTag:
      return Sibling(Axis::kPrecedingSibling, feature, HasTag(feature));
    case FeatureKind::kNextTag:
      return Sibling(Axis::kFollowingSibling, feature, HasTag(feature));
    case FeatureKind::kSiblingId:
      return Sibling(Axis::kPrecedingSibling, feature,
                     HasAttributeValue("id", feature));
    case FeatureKind::kNextId:
      return Sibling(Axis::kFollowingSibling, feature,
                     HasAttributeValue("id", feature));
    case FeatureKind::kSiblingClass:
      return Sibling(Axis::kPrecedingSibling, feature,
                     HasAttributeValue("class", feature));
    case FeatureKind::kNextClass:
      return Sibling(Axis::kFollowingSibling, feature,
                     HasAttributeValue("class", feature));
    case FeatureKind::kFirstChild:
    case FeatureKind::kLastChild:
      return xpath::Not(xpath::Exists({xpath::MakeStep(
          feature.kind == FeatureKind::kFirstChild ? Axis::kPrecedingSibling
                                                   : Axis::kFollowingSibling,
          NodeTest::kAnyNode)}));
    case FeatureKind::kLeftText:
      return NearestText(Axis::kPreceding, ExprKind::kEquals, feature);
    case FeatureKind::kLeftWord:
      return NearestText(Axis::kPreceding, ExprKind::kEndsWith, feature);
    case FeatureKind::kRightText:
      return NearestText(Axis::kFollowing, ExprKind::kEquals, feature);
    case FeatureKind::kRightWord:
      return NearestText(Axis::kFollowing, ExprKind::kStartsWith, feature);
    case FeatureKind::kFirstText:
      return NearestText(Axis::kDescendant, ExprKind::kEquals, feature);
    case FeatureKind::kInsideLeftText:
      return InsideText(ExprKind::kStartsWith, feature);
    case FeatureKind::kInsideRightText:
      return InsideText(ExprKind::kEndsWith, feature);
    case FeatureKind::kInsideLeftWord:
    case FeatureKind::kInsideRightWord:
      return InsideText(ExprKind::kContains, feature);
  }
  return std::nullopt;
}

bool HasDigit(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Of words that a text may begin with, those that begin with none of the
// others: "(Author)," is one of "(Author)".
void DropLongerWords(std::vector<std::string>* sorted_words) {
  std::vector<std::string> kept;
  for (std::string& word : *sorted_words) {
    if (kept.empty() || !word.starts_with(kept.back())) {
      kept.push_back(std::move(word));
    }
  }
  *sorted_words = std::move(kept);
}

// --- What whole values have in common ----------------------------------------

using Words = std::vector<std::string>;

Words SplitWords(const std::string& text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

std::string JoinWords(Words::const_iterator begin, Words::const_iterator end) {
  std::string text;
  for (auto word = begin; word != end; ++word) {
    if (word != begin) text += ' ';
    text += *word;
  }
  return text;
}

// The words up to a first colon, where something follows.
std::string LabelInside(const Words& words) {
  constexpr size_t kMaxLabelWords = 4;
  for (size_t i = 0; i + 1 < words.size() && i < kMaxLabelWords; ++i) {
    if (words[i].ends_with(':')) {
      return JoinWords(words.begin(),
                       words.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
  }
  return "";
}

// The features of texts that are values as a whole: what all begin with, end
// with and contain. Words of values that are all the same tell nothing.
void AddCommonWords(const std::vector<PageFacts>& pages,
                    const std::vector<Example>& examples,
                    std::vector<Feature>* features) {
  std::set<Words> texts;
  for (const Example& example : examples) {
    const PageFacts& page = pages[example.where.page];
    if (!example.value.empty() || !page.document().IsText(example.where.node)) {
      return;
    }
    texts.insert(SplitWords(page.Text(example.where.node)));
  }
  const auto add = [&](FeatureKind kind, const std::string& value) {
    if (HasWord(value) && value.size() <= kMaxAnchorBytes) {
      features->push_back({kind, 0, 0, {value}});
    }
  };
  const Words first = *texts.begin();
  if (texts.size() == 1) {
    add(FeatureKind::kInsideLeftText, LabelInside(first));
    return;
  }
  size_t prefix = first.size(), suffix = first.size();
  Words common = first;
  for (const Words& words : texts) {
    const auto differ =
        std::mismatch(first.begin(), first.end(), words.begin(), words.end());
    prefix =
        std::min(prefix, static_cast<size_t>(differ.first - first.begin()));
    const auto back = std::mismatch(first.rbegin(), first.rend(),
                                    words.rbegin(), words.rend());
    suffix = std::min(suffix, static_cast<size_t>(back.first - first.rbegin()));
    std::erase_if(common, [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) == words.end();
    });
  }
  add(FeatureKind::kInsideLeftText,
      JoinWords(first.begin(), first.begin() + static_cast<ptrdiff_t>(prefix)));
  add(FeatureKind::kInsideRightText,
      JoinWords(first.end() - static_cast<ptrdiff_t>(suffix), first.end()));
  for (const std::string& word : common) {
    add(FeatureKind::kInsideLeftWord, word);
  }
}

}  // namespace

std::vector<Feature> GenerateFeatures(const std::vector<PageFacts>& pages,
                                      const std::vector<Example>& examples) {
  // By slot: the values of the examples, and how many examples have one.
  struct Seen {
    std::map<std::string, size_t> counts;
    size_t examples = 0;
  };
  std::map<Slot, Seen> slots;
  for (const Example& example : examples) {
    const ExampleFeatures features(pages[example.where.page], example);
    for (const auto& [slot, values] : features.values()) {
      Seen& seen = slots[slot];
      ++seen.examples;
      for (const std::string& value : values) ++seen.counts[value];
    }
  }
  std::vector<Feature> result;
  for (const auto& [slot, seen] : slots) {
    if (seen.examples < examples.size()) continue;
    const auto& [kind, level, offset] = slot;
    if (kind == FeatureKind::kClassToken) {
      for (const auto& [value, count] : seen.counts) {
        if (count == examples.size()) {
          result.push_back({kind, level, offset, {value}});
        }
      }
      continue;
    }
    Feature feature = {kind, level, offset, {}};
    for (const auto& [value, count] : seen.counts) {
      feature.values.push_back(value);
    }
    if (kind == FeatureKind::kRightWord) DropLongerWords(&feature.values);
    if (feature.values.size() > kMaxDisjunction) continue;
    result.push_back(std::move(feature));
  }
  if (!examples.empty()) AddCommonWords(pages, examples, &result);
  return result;
}

FeatureTest::FeatureTest(const Feature& feature, const PageFacts& page)
    : feature_(feature), page_(page) {
  for (const std::string& value : feature.values) {
    hashes_.push_back(Hash64(value));
  }
}

bool FeatureTest::MatchesText(NodeId text) {
  if (text == kNoNode) return false;
  const uint64_t hash = page_.TextHash(text);
  switch (feature_.kind) {
    case FeatureKind::kLeftText:
    case FeatureKind::kRightText:
    case FeatureKind::kFirstText:
      return std::find(hashes_.begin(), hashes_.end(), hash) != hashes_.end();
    default:
      break;
  }
  for (const auto& [known, answer] : known_texts_) {
    if (known == hash) return answer;
  }
  const std::string value = page_.Text(text);
  const auto is_match = [&](const std::string& part) {
    switch (feature_.kind) {
      case FeatureKind::kLeftWord:
      case FeatureKind::kInsideRightText:
        return value.ends_with(part);
      case FeatureKind::kRightWord:
      case FeatureKind::kInsideLeftText:
        return value.starts_with(part);
      default:
        return value.find(part) != std::string::npos;
    }
  };
  const bool answer =
      std::any_of(feature_.values.begin(), feature_.values.end(), is_match);
  constexpr size_t kMaxKnown = 16;
  if (known_texts_.size() == kMaxKnown) {
    known_texts_.erase(known_texts_.begin());
  }
  known_texts_.emplace_back(hash, answer);
  return answer;
}

bool FeatureTest::HasToken(NodeId element) const {
  if (!page_.document().IsElement(element)) return false;
  const std::string_view css_class =
      page_.document().Value(element, names::k_class);
  if (css_class.find(feature_.values[0]) == std::string_view::npos) {
    return false;
  }
  const auto tokens = TokensOf(css_class);
  return std::find(tokens.begin(), tokens.end(), feature_.values[0]) !=
         tokens.end();
}

bool FeatureTest::operator()(NodeId node) {
  const NodeId id = page_.Ancestor(node, feature_.level);
  if (id == kNoNode) return false;
  const auto is_one = [&](uint64_t hash) {
    return hash != 0 &&
           std::find(hashes_.begin(), hashes_.end(), hash) != hashes_.end();
  };
  NodeId sibling = kNoNode;
  if (feature_.offset > 0) {
    sibling = feature_.kind >= FeatureKind::kNextTag
                  ? page_.SiblingAfter(id, feature_.offset)
                  : page_.SiblingBefore(id, feature_.offset);
    if (sibling == kNoNode) return false;
  }
  switch (feature_.kind) {
    case FeatureKind::kTag:
      return is_one(page_.tag(id));
    case FeatureKind::kId:
      return is_one(page_.id(id));
    case FeatureKind::kClass:
      return is_one(page_.css_class(id));
    case FeatureKind::kClassToken:
      return HasToken(id);
    case FeatureKind::kNoClass:
      return page_.document().IsElement(id) && page_.css_class(id) == 0;
    case FeatureKind::kIdPrefix: {
      if (!page_.document().IsElement(id)) return false;
      const std::string_view value = page_.document().Value(id, names::k_id);
      return std::any_of(
          feature_.values.begin(), feature_.values.end(),
          [&](const std::string& prefix) { return value.starts_with(prefix); });
    }
    case FeatureKind::kSiblingTag:
    case FeatureKind::kNextTag:
      return is_one(page_.tag(sibling));
    case FeatureKind::kSiblingId:
    case FeatureKind::kNextId:
      return is_one(page_.id(sibling));
    case FeatureKind::kSiblingClass:
    case FeatureKind::kNextClass:
      return is_one(page_.css_class(sibling));
    case FeatureKind::kFirstChild:
      return page_.SiblingBefore(id, 1) == kNoNode;
    case FeatureKind::kLastChild:
      return page_.SiblingAfter(id, 1) == kNoNode;
    case FeatureKind::kLeftText:
    case FeatureKind::kLeftWord:
      return MatchesText(page_.LeftText(id));
    case FeatureKind::kRightText:
    case FeatureKind::kRightWord:
      return MatchesText(page_.RightText(id));
    case FeatureKind::kFirstText:
      return MatchesText(page_.FirstText(id));
    case FeatureKind::kInsideLeftText:
    case FeatureKind::kInsideLeftWord:
    case FeatureKind::kInsideRightText:
    case FeatureKind::kInsideRightWord:
      return page_.document().IsText(id) && MatchesText(id);
  }
  return false;
}

xpath::LocationPath MakeXPath(const std::vector<Feature>& features,
                              const Target& target) {
  int top = 0;
  for (const Feature& feature : features) top = std::max(top, feature.level);
  std::vector<LocationStep> steps;
  for (int level = top; level >= 0; --level) {
    LocationStep step;
    step.test = level == 0 && target.kind == Target::Kind::kText
                    ? NodeTest::kText
                    : NodeTest::kAnyElement;
    for (const Feature& feature : features) {
      if (feature.level != level) continue;
      if (feature.kind == FeatureKind::kTag && feature.values.size() == 1) {
        step.test = NodeTest::kName;
        step.name = feature.values[0];
      }
    }
    for (const Feature& feature : features) {
      if (feature.level != level) continue;
      if (std::optional<Expr> predicate = PredicateOf(feature)) {
        step.predicates.push_back(*std::move(predicate));
      }
    }
    steps.push_back(std::move(step));
  }
  if (target.kind == Target::Kind::kAttribute) {
    steps.push_back(xpath::AttributeStep(target.attribute));
  }
  return xpath::Anywhere(std::move(steps));
}

bool IsStrong(const Feature& feature) {
  if (feature.values.size() > 1) return false;
  switch (feature.kind) {
    case FeatureKind::kId:
    case FeatureKind::kClass:
    case FeatureKind::kClassToken:
    case FeatureKind::kIdPrefix:
      return true;
    case FeatureKind::kLeftText:
    case FeatureKind::kFirstText:
    case FeatureKind::kInsideLeftText:
      return HasWord(feature.values[0]);
    default:
      return false;
  }
}

bool TellsNeighbours(const Feature& feature) {
  switch (feature.kind) {
    case FeatureKind::kSiblingTag:
    case FeatureKind::kSiblingId:
    case FeatureKind::kSiblingClass:
    case FeatureKind::kNextTag:
    case FeatureKind::kNextId:
    case FeatureKind::kNextClass:
    case FeatureKind::kFirstChild:
    case FeatureKind::kLastChild:
    case FeatureKind::kLeftText:
    case FeatureKind::kLeftWord:
    case FeatureKind::kRightText:
    case FeatureKind::kRightWord:
      return true;
    case FeatureKind::kIdPrefix:
      return false;
    default:
      return HasDigits(feature);
  }
}

bool HasDigits(const Feature& feature) {
  if (feature.kind == FeatureKind::kTag) return false;  // "h1"
  return std::any_of(feature.values.begin(), feature.values.end(), HasDigit);
}

int Fragility(const Feature& feature) {
  int fragility = 2 * (static_cast<int>(feature.values.size()) - 1);
  for (const std::string& value : feature.values) {
    if (HasDigit(value) && feature.kind != FeatureKind::kIdPrefix &&
        feature.kind != FeatureKind::kTag) {
      fragility += 4;
    }
  }
  switch (feature.kind) {
    case FeatureKind::kId:
    case FeatureKind::kClass:
    case FeatureKind::kClassToken:
    case FeatureKind::kLeftText:
    case FeatureKind::kFirstText:
    case FeatureKind::kInsideLeftText:
      return fragility;
    case FeatureKind::kTag:
    case FeatureKind::kIdPrefix:
    case FeatureKind::kLeftWord:
    case FeatureKind::kInsideLeftWord:
    case FeatureKind::kInsideRightText:
    case FeatureKind::kInsideRightWord:
      return fragility + 1;
    default:
      return fragility + 2;
  }
}

}  // namespace trommel::learn::vertex
