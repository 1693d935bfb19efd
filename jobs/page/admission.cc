#include "jobs/page/admission.h"

#include <algorithm>

#include "core/base/strings.h"
#include "core/warc/media_type.h"

namespace trommel::jobs::page {

std::optional<Rejection> WhyRejected(const io::CrawlPage& page,
                                     int64_t max_page_bytes) {
  if (page.url.empty()) return Rejection{kNoUrl, ""};
  if (page.fetch_status.has_value() && *page.fetch_status != 200) {
    return Rejection{"fetch_status", StrCat(*page.fetch_status)};
  }
  if (!page.mime_type.empty()) {
    const std::string mime_type =
        warc::ParseMediaType(page.mime_type).mime_type;
    if (mime_type != "text/html" && mime_type != "application/xhtml+xml") {
      return Rejection{"not_html", mime_type};
    }
  }
  const int64_t size =
      std::max(static_cast<int64_t>(page.content.size()), page.withheld_bytes);
  if (size > max_page_bytes) {
    return Rejection{"too_large",
                     StrCat(size, " bytes, more than ", max_page_bytes)};
  }
  return std::nullopt;
}

}  // namespace trommel::jobs::page
