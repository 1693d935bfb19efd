#ifndef TROMMEL_CORE_SAMPLE_PAGE_SAMPLER_H_
#define TROMMEL_CORE_SAMPLE_PAGE_SAMPLER_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/sample/page_contents.h"

namespace trommel::sample {

// The pages of a cluster that are worth annotating, the best first.
//
//   PageSampler sampler;
//   for (...) { collector.Collect(document, &contents);
//               sampler.AddPage(contents); }
//   for (const ChosenPage& page : sampler.Choose(20)) ...
//
// Pages are numbered as they are added. The result is a function of the pages
// in that order; of two pages that are equally good the one added first is
// chosen, so a caller that adds pages in an order of their own (by a hash of
// the URL) has results that depend on nothing else.
class PageSampler {
 public:
  struct ChosenPage {
    size_t page = 0;
    // The weight of the XPaths that this page has and none chosen before.
    double gain = 0;
  };

  void AddPage(absl::Span<const PathContent> contents);
  size_t num_pages() const { return pages_.size(); }

  // `max_pages` pages, or all there are. Those that add nothing to the ones
  // before come last, with a gain of 0.
  std::vector<ChosenPage> Choose(size_t max_pages) const;

  // --- How XPaths are weighed ---

  // An XPath by its number, in the order in which pages brought them.
  using PathNumber = uint32_t;
  size_t num_paths() const { return frequencies_.size(); }
  const std::vector<PathNumber>& PathsOf(size_t page) const {
    return pages_[page];
  }
  // F: the pages that have it.
  int64_t Frequency(PathNumber path) const { return frequencies_[path]; }
  // I of all XPaths: near 0 where all pages say the same, near 1 where each
  // says its own.
  std::vector<double> Informativeness() const;
  // F times I of all XPaths.
  std::vector<double> Weights() const;

 private:
  // A page says something.
  struct Saying {
    uint64_t what;  // the hash of XPath and content
    uint32_t page;
    PathNumber path;

    friend auto operator<=>(const Saying&, const Saying&) = default;
  };

  std::vector<Saying> SharedSayings() const;

  absl::flat_hash_map<uint64_t, PathNumber> path_numbers_;
  std::vector<int64_t> frequencies_;  // by path
  std::vector<uint32_t> last_pages_;  // by path
  std::vector<std::vector<PathNumber>> pages_;
  std::vector<std::vector<Saying>> sayings_;  // by page
};

}  // namespace trommel::sample

#endif  // TROMMEL_CORE_SAMPLE_PAGE_SAMPLER_H_
