#ifndef TROMMEL_TESTS_TESTING_RANDOM_XPATH_H_
#define TROMMEL_TESTS_TESTING_RANDOM_XPATH_H_

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/html/document.h"
#include "core/xpath/ast.h"

namespace trommel::testing_support {

// Expressions of the whole supported part of XPath, from words that pages have.
class RandomXPath {
 public:
  // Most tags, attribute names and literals are taken from the document, some
  // from a list of odd ones.
  explicit RandomXPath(const html::Document& document);

  xpath::LocationPath Path(Random* random) const;

 private:
  xpath::LocationStep Step(Random* random, int depth) const;
  xpath::Expr Predicate(Random* random, int depth) const;
  xpath::Expr Comparison(Random* random, int depth) const;
  std::vector<xpath::LocationStep> RelativePath(Random* random,
                                                int depth) const;
  std::string Name(Random* random, const std::vector<std::string>& names) const;
  std::string Literal(Random* random) const;

  std::vector<std::string> tags_, attributes_, literals_;
};

// A page of up to `max_nodes` nodes with few different tags, attributes and
// words, so that tests of expressions often hold.
void MakeDensePage(Random* random, size_t max_nodes, html::Document* document);

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_RANDOM_XPATH_H_
