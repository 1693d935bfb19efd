#include "jobs/page/page_version.h"

#include <limits>

#include "core/base/hash.h"
#include "mapreduce/codec/ordered.h"

namespace trommel {

PageVersion PageVersion::Of(const io::CrawlPage& page) {
  return {page.fetch_time_us.has_value() ? -*page.fetch_time_us
                                         : std::numeric_limits<int64_t>::max(),
          ContentDigest(page.content)};
}

void PageVersion::AppendTo(std::string* key) const {
  mr::AppendOrderedInt64(age, key);
  mr::AppendOrderedBytes(digest, key);
}

bool PageVersion::ConsumeFrom(std::string_view* key) {
  return mr::ConsumeOrderedInt64(key, &age) &&
         mr::ConsumeOrderedBytes(key, &digest);
}

}  // namespace trommel
