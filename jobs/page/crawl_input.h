#ifndef TROMMEL_JOBS_PAGE_CRAWL_INPUT_H_
#define TROMMEL_JOBS_PAGE_CRAWL_INPUT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "mapreduce/io/crawl.h"
#include "mapreduce/job/job.h"

namespace trommel::jobs::page {

// Crawls as the input of a step. A content of more than `max_page_bytes`, which
// WhyRejected() rejects, need not be read for that.
mr::TableInput CrawlInput(const std::vector<std::string>& crawls,
                          const io::CrawlLayout& layout,
                          int64_t max_page_bytes);

// The same for a step that needs the content of few pages and tells by their
// URLs of which. Its rows are those of io::CrawlLayout().
mr::TableInput CrawlWithDeferredContent(const std::vector<std::string>& crawls,
                                        int64_t max_page_bytes);

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_CRAWL_INPUT_H_
