#ifndef TROMMEL_JOBS_PAGE_PAGE_VERSION_H_
#define TROMMEL_JOBS_PAGE_PAGE_VERSION_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapreduce/io/crawl.h"

namespace trommel::jobs::page {

// One of several versions of a URL in a crawl. Where one has to stand for all,
// it is the latest (by fetch_time; unknown times are the earliest), then the
// one with the smallest digest.
struct PageVersion {
  int64_t age = 0;  // the negated fetch time
  std::string digest;

  // The version that counts comes first.
  friend auto operator<=>(const PageVersion&, const PageVersion&) = default;

  static PageVersion Of(std::optional<int64_t> fetch_time_us,
                        std::string digest);
  static PageVersion Of(const io::CrawlPage& page);
  // For sort keys, in the same order.
  void AppendTo(std::string* key) const;
  bool ConsumeFrom(std::string_view* key);
};

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_PAGE_VERSION_H_
