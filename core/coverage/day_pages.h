#ifndef TROMMEL_CORE_COVERAGE_DAY_PAGES_H_
#define TROMMEL_CORE_COVERAGE_DAY_PAGES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/signature/page_signature.h"

namespace trommel::coverage {

// A page of a site as coverage knows it.
struct DayPage {
  uint64_t rank = 0;  // SampleRank() of the URL
  std::string url;
  std::optional<signature::PageSignature>
      signature;  // none: the page is too short
};

// The pages of a site on one day, of which only those of the smallest ranks are
// kept: enough to cluster the site anew, and to see what became of a URL. Since
// ranks come from URLs, two days keep the same URLs.
class DayPages {
 public:
  // `max_signed` pages with a signature are kept, and twice that in all.
  explicit DayPages(int64_t max_signed);

  // In the order of SampleRank(): ranks do not fall. Returns whether the page
  // is kept; only then it is moved away.
  bool Add(DayPage&& page);

  int64_t num_pages() const { return num_pages_; }
  int64_t num_too_short() const { return num_pages_ - num_signed_; }
  const std::vector<DayPage>& kept() const { return kept_; }
  // All pages with a smaller rank are kept; none: all pages are.
  std::optional<uint64_t> first_dropped() const { return first_dropped_; }

  // The sample from which the site is clustered anew: the pages that `trommel
  // cluster` would look at (but where most pages of a large site are too short
  // for a signature, when it is smaller).
  std::vector<signature::PageSignature> Sample() const;

 private:
  int64_t max_signed_;
  int64_t num_pages_ = 0;
  int64_t num_signed_ = 0;  // among all pages
  int64_t kept_signed_ = 0;
  std::vector<DayPage> kept_;
  std::optional<uint64_t> first_dropped_;
};

}  // namespace trommel::coverage

#endif  // TROMMEL_CORE_COVERAGE_DAY_PAGES_H_
