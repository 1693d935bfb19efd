#ifndef TROMMEL_CORE_LEARN_VERTEX_SEARCH_H_
#define TROMMEL_CORE_LEARN_VERTEX_SEARCH_H_

// Which features make the best XPath (Algorithm 3 of the Vertex paper), on
// sets of candidate nodes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/learn/vertex/bits.h"

namespace trommel::learn::vertex {

// The candidate nodes of all sample pages, page by page.
struct Candidates {
  struct Page {
    size_t begin = 0;  // its candidates are [begin, end)
    size_t end = 0;
    bool is_annotated = false;
  };
  std::vector<Page> pages;

  // On annotated pages: the nodes to select, and those not to select. What is
  // neither does no harm (a node that says the value elsewhere on the page).
  Bits positive;
  Bits negative;
  // Whether one page may have several.
  bool is_repeated = false;
  // Nodes of an unannotated page with the same number say the same, and count
  // as one where the attribute is not repeated. By candidate.
  std::vector<uint64_t> text;
  // With more selected nodes than this an unannotated page is imprecise.
  size_t max_per_page = 1;
};

struct SearchFeature {
  Bits bits;  // candidates that have the feature; contains all positive ones
  int distance = 0;
  // Among equals, what is less likely to change comes first: smaller is better.
  int fragility = 0;
};

struct SearchResult {
  std::vector<size_t> features;  // ascending; empty: nothing was found
  Bits selected;
  double precision = 0;  // on annotated pages
  int distance = 0;
  double support = 0;  // share of unannotated pages with a selected node
  // Precision is 1, and no unannotated page has more nodes than it may.
  bool is_precise = false;
};

struct SearchOptions {
  // Sets with less support are not considered.
  double min_support = 0;
  size_t max_features = 4;
  // Candidate sets of one size that are looked at, at most.
  size_t max_sets = 20000;
  // Precise solutions that FindFeatureSets() keeps.
  size_t max_results = 1;
  // Asked now and then; the search ends with the best so far when it is true.
  std::function<bool()> is_out_of_time = [] { return false; };
};

// The set of features that satisfies, in this order: it selects all positive
// candidates; precision is the highest; distance is the smallest; support is
// the largest. Of the solutions met that are equal in all this, the least
// fragile, then the smallest, then the first.
SearchResult FindBestFeatures(const Candidates& candidates,
                              const std::vector<SearchFeature>& features,
                              const SearchOptions& options);

// The best `options.max_results` precise solutions that select different
// candidates, in the order above. Where there is none, the best imprecise one.
std::vector<SearchResult> FindFeatureSets(
    const Candidates& candidates, const std::vector<SearchFeature>& features,
    const SearchOptions& options);

// What a set of selected nodes is worth; features, distance are the caller's.
SearchResult Judge(const Candidates& candidates, Bits selected);

}  // namespace trommel::learn::vertex

#endif  // TROMMEL_CORE_LEARN_VERTEX_SEARCH_H_
