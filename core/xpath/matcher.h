#ifndef TROMMEL_CORE_XPATH_MATCHER_H_
#define TROMMEL_CORE_XPATH_MATCHER_H_

// Running a path on pages.
//
//   TROMMEL_ASSIGN_OR_RETURN(const LocationPath path, Parse("//td/img/@src"));
//   TROMMEL_ASSIGN_OR_RETURN(const Matcher matcher, Matcher::Compile(path));
//   std::vector<Match> matches;
//   matcher.Select(document, &matches);
//   for (const Match& match : matches) Use(match.node, match.value);
//
// What a path means here is what an XPath 1.0 processor makes of ToString(path)
// on the page as html::AppendXml() writes it; tests compare with pugixml, node
// for node. So, where a Document is not what its source or XPath suggests:
//
//  - Text nodes of white space only do not exist: no position counts them, and
//    the text of an element has no trace of them. (html::NormalizedText() keeps
//    such word boundaries; expressions do not see them.)
//  - node() is also a comment, and the document on the axes that lead there.
//    The text of a comment is its text in the XML, with entities and spaced
//    dashes.
//  - White space is tab, line feed, carriage return and space. The no-break
//    space is a letter to normalize-space(), unlike to trommel's own
//    NormalizeSpace(); text that went through that and had one is best compared
//    with contains() of its parts.
//  - Characters that XML forbids, form feed among them, are U+FFFD in all
//    values and in literals.
//  - Names are compared as the page has them, so lower case and with prefix.
//
// A Matcher does not change and may be used by several threads.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/html/document.h"
#include "core/xpath/ast.h"

namespace trommel::xpath {

inline constexpr uint32_t kNoAttribute = UINT32_MAX;

struct Match {
  html::NodeId node = html::kNoNode;
  // For paths that end in an attribute: its index in Attributes(node), and its
  // value, which lies in the document.
  uint32_t attribute = kNoAttribute;
  std::string_view value;

  friend bool operator==(const Match&, const Match&) = default;
};

struct Program;
class Evaluator;

class Matcher {
 public:
  // Fails only if the path is not one: see Validate().
  static absl::StatusOr<Matcher> Compile(const LocationPath& path);

  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;
  ~Matcher();

  // What the path selects, in document order and without duplicates. Replaces
  // the content of `matches`. Relative paths start at the document.
  void Select(const html::Document& document,
              std::vector<Match>* matches) const;

  // Whether `node` (or one of its attributes, if the path ends in one) is
  // selected. Paths that lead downwards only are followed from the node up,
  // whatever the size of the page; the others take a Select().
  bool Matches(const html::Document& document, html::NodeId node) const;

  bool selects_attributes() const;

 private:
  friend class PageMatcher;
  explicit Matcher(std::unique_ptr<const Program> program);

  std::unique_ptr<const Program> program_;
};

// A Matcher on one page: names are looked up once and buffers kept, for callers
// that ask often. Both must outlive it; it is for one thread. `document` may
// not change meanwhile.
class PageMatcher {
 public:
  PageMatcher(const Matcher& matcher, const html::Document& document);
  PageMatcher(PageMatcher&&) noexcept;
  ~PageMatcher();

  void Select(std::vector<Match>* matches);
  bool Matches(html::NodeId node);

  // Relative paths from `context`, a node of the page. Absolute ones start at
  // the document all the same.
  void SelectFrom(html::NodeId context, std::vector<Match>* matches);
  bool MatchesFrom(html::NodeId context, html::NodeId node);

 private:
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace trommel::xpath

#endif  // TROMMEL_CORE_XPATH_MATCHER_H_
