#ifndef TROMMEL_CORE_SAMPLE_PAGE_SAMPLER_H_
#define TROMMEL_CORE_SAMPLE_PAGE_SAMPLER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/sample/page_contents.h"

namespace trommel {

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
  size_t num_paths() const { return paths_.size(); }
  const std::vector<PathNumber>& PathsOf(size_t page) const {
    return pages_[page];
  }
  // F: the pages that have it.
  int64_t Frequency(PathNumber path) const { return paths_[path].pages; }
  // I: near 0 where all pages say the same, near 1 where each says its own.
  double Informativeness(PathNumber path) const;
  // F times I.
  double Weight(PathNumber path) const;

 private:
  static constexpr uint32_t kNoPage = UINT32_MAX;

  struct Path {
    int64_t pages = 0;
    int64_t page_contents = 0;      // pairs of a page and a content
    int64_t distinct_contents = 0;  // over all pages
    uint32_t last_page = kNoPage;
  };
  struct Content {
    PathNumber path;
    uint32_t last_page = kNoPage;
  };

  std::vector<Path> paths_;
  absl::flat_hash_map<uint64_t, PathNumber> path_numbers_;
  // By the hash of path and content.
  absl::flat_hash_map<uint64_t, Content> contents_;
  std::vector<std::vector<PathNumber>> pages_;
};

}  // namespace trommel

#endif  // TROMMEL_CORE_SAMPLE_PAGE_SAMPLER_H_
