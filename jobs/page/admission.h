#ifndef TROMMEL_JOBS_PAGE_ADMISSION_H_
#define TROMMEL_JOBS_PAGE_ADMISSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapreduce/io/crawl.h"

namespace trommel::jobs::page {

// Why a page of a crawl is not looked at.
struct Rejection {
  // "no_url", "fetch_status", "not_html" or "too_large"
  std::string_view reason;
  std::string detail;
};

// The reason against a row whose url is null or empty: whatever a verb makes of
// pages, it has to name them.
inline constexpr std::string_view kNoUrl = "no_url";

// What its columns say against a page: no url, a fetch_status other than 200, a
// content_mime_type other than text/html and application/xhtml+xml, a content
// over `max_page_bytes`. A value that is missing says nothing against it.
std::optional<Rejection> WhyRejected(const io::CrawlPage& page,
                                     int64_t max_page_bytes);

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_ADMISSION_H_
