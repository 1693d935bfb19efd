#ifndef TROMMEL_JOBS_PAGE_PAGE_VERSION_H_
#define TROMMEL_JOBS_PAGE_PAGE_VERSION_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "mapreduce/io/crawl.h"

namespace trommel {

// One of several versions of a URL in a crawl. Where one has to stand for all,
// it is the latest (by fetch_time; unknown times are the earliest), then the
// one with the smallest digest.
struct PageVersion {
  int64_t age = 0;  // the negated fetch time
  std::string digest;

  friend bool operator==(const PageVersion&, const PageVersion&) = default;

  static PageVersion Of(const io::CrawlPage& page);
  // For sort keys: the version that counts comes first.
  void AppendTo(std::string* key) const;
  bool ConsumeFrom(std::string_view* key);
};

}  // namespace trommel

#endif  // TROMMEL_JOBS_PAGE_PAGE_VERSION_H_
