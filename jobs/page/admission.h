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
  std::string_view reason;  // "fetch_status", "not_html" or "too_large"
  std::string detail;
};

// What its columns say against a page: a fetch_status other than 200, a
// content_mime_type other than text/html and application/xhtml+xml, a content
// over `max_page_bytes`. A value that is missing says nothing against it.
std::optional<Rejection> WhyRejected(const io::CrawlPage& page,
                                     int64_t max_page_bytes);

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_ADMISSION_H_
