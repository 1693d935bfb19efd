#include "jobs/page/page_version.h"

#include <limits>
#include <utility>

#include "core/base/hash.h"
#include "mapreduce/codec/ordered.h"

namespace trommel::jobs::page {

PageVersion PageVersion::Of(std::optional<int64_t> fetch_time_us,
                            std::string digest) {
  return {fetch_time_us.has_value() ? -*fetch_time_us
                                    : std::numeric_limits<int64_t>::max(),
          std::move(digest)};
}

PageVersion PageVersion::Of(const io::CrawlPage& page) {
  return Of(page.fetch_time_us, ContentDigest(page.content));
}

void PageVersion::AppendTo(std::string* key) const {
  mr::AppendOrderedInt64(age, key);
  mr::AppendOrderedBytes(digest, key);
}

bool PageVersion::ConsumeFrom(std::string_view* key) {
  return mr::ConsumeOrderedInt64(key, &age) &&
         mr::ConsumeOrderedBytes(key, &digest);
}

}  // namespace trommel::jobs::page
