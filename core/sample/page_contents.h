#ifndef TROMMEL_CORE_SAMPLE_PAGE_CONTENTS_H_
#define TROMMEL_CORE_SAMPLE_PAGE_CONTENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/html/document.h"

namespace trommel::sample {

// Something that a page says, and the XPath where it says it; both as hashes.
struct PathContent {
  uint64_t path = 0;
  uint64_t content = 0;
};

// What a page says, in document order: its texts, and the sources of its
// images. What lies in scripts, styles and the like is left out.
//
// An XPath is the tags from the root, each with its id and class and without
// its position, so that the rows of a table share one. Digits in ids and
// classes count as one and the same digit: id="item-4711" differs from page to
// page and would hide that all that is below it does not.
//
// Pages have a few thousand contents at most; of a page with more, only the
// first of this number count.
inline constexpr size_t kMaxPageContents = 10000;

// For one thread; keeps buffers between pages.
class ContentCollector {
 public:
  // Replaces what is in `contents`.
  void Collect(const html::Document& document,
               std::vector<PathContent>* contents);

 private:
  std::vector<uint64_t> paths_;  // of the elements; by depth
};

}  // namespace trommel::sample

#endif  // TROMMEL_CORE_SAMPLE_PAGE_CONTENTS_H_
