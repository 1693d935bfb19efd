#ifndef TROMMEL_CORE_LEARN_VERTEX_FEATURES_H_
#define TROMMEL_CORE_LEARN_VERTEX_FEATURES_H_

// What the annotated nodes of an attribute have in common, as tests that XPath
// can make of any node (III-C of the Vertex paper, "Feature generation").

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/learn/vertex/page_facts.h"
#include "core/xpath/ast.h"

namespace trommel::learn::vertex {

// A node of a page.
struct PageNode {
  size_t page = 0;
  html::NodeId node = html::kNoNode;
};

// Which nodes are candidates, and what the XPath ends in.
struct Target {
  enum class Kind { kText, kElement, kAttribute };
  Kind kind = Kind::kText;
  std::string attribute;  // kAttribute: of the elements
};

enum class FeatureKind : uint8_t {
  kTag,
  kId,
  kClass,
  kClassToken,
  kNoClass,   // an element without a class
  kIdPrefix,  // "row_" of "row_17": ids that are numbered
  // Of the sibling `offset` places before.
  kSiblingTag,
  kSiblingId,
  kSiblingClass,
  // The same of the sibling `offset` places after.
  kNextTag,
  kNextId,
  kNextClass,
  // There is no sibling on that side.
  kFirstChild,
  kLastChild,
  // Anchors: the nearest text outside, whole and its nearest word.
  kLeftText,
  kLeftWord,
  kRightText,
  kRightWord,
  // The first text inside an ancestor, which is not the node itself.
  kFirstText,
  // What stands inside the text: around the value that is part of it, or at the
  // beginning, the end or anywhere in all values ("Engine: 2.5L", "18 MPG").
  kInsideLeftText,
  kInsideLeftWord,
  kInsideRightText,
  kInsideRightWord,
};

// A test: (kind, level, value), value being one of up to three. Level 0 is the
// node itself, 1 its parent and so on; it is the feature's distance.
struct Feature {
  FeatureKind kind = FeatureKind::kTag;
  int level = 0;
  int offset = 0;                   // of siblings, 1 to 3 before, 1 or 2 after
  std::vector<std::string> values;  // sorted

  friend bool operator==(const Feature&, const Feature&) = default;
  friend auto operator<=>(const Feature&, const Feature&) = default;

  bool IsAnchor() const { return kind >= FeatureKind::kLeftText; }
  bool IsInside() const { return kind >= FeatureKind::kInsideLeftText; }
};

inline constexpr int kMaxLevel = 8;
inline constexpr size_t kMaxDisjunction = 3;

// A node to learn from; `value` is the annotated value where it is only part of
// the node's text, and empty where it is all of it.
struct Example {
  PageNode where;
  std::string value;
};

// All features that all examples have. `pages` are the facts of all pages.
std::vector<Feature> GenerateFeatures(const std::vector<PageFacts>& pages,
                                      const std::vector<Example>& examples);

// Tests one feature on many nodes of a page; for one thread.
class FeatureTest {
 public:
  FeatureTest(const Feature& feature, const PageFacts& page);
  bool operator()(html::NodeId node);

 private:
  bool MatchesText(html::NodeId text);
  bool HasToken(html::NodeId element) const;

  const Feature& feature_;
  const PageFacts& page_;
  std::vector<uint64_t> hashes_;  // of the values
  // Answers for texts, by hash: many nodes share an anchor.
  std::vector<std::pair<uint64_t, bool>> known_texts_;
};

// The XPath of nodes that have all the features.
xpath::LocationPath MakeXPath(const std::vector<Feature>& features,
                              const Target& target);

// Whether the feature alone is a reason to trust an XPath: ids, classes and
// labels are, what merely stands near is not.
bool IsStrong(const Feature& feature);

// Whether a neighbour in a list is likely to have another value of the feature:
// it is about what stands beside the node, or looks numbered.
bool TellsNeighbours(const Feature& feature);

// Whether a value of the feature has a digit, so that it looks generated.
bool HasDigits(const Feature& feature);

// How likely it is that a later version of the site does not have it: 0 for
// names and labels without digits, more for what looks generated.
int Fragility(const Feature& feature);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_FEATURES_H_
