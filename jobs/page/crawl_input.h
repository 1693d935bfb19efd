#ifndef TROMMEL_JOBS_PAGE_CRAWL_INPUT_H_
#define TROMMEL_JOBS_PAGE_CRAWL_INPUT_H_

#include <string>
#include <vector>

#include "mapreduce/job/job.h"

namespace trommel::jobs::page {

// Crawls as the input of a step that needs the content of few pages and tells
// by their URLs of which. Its rows are those of io::CrawlLayout().
mr::TableInput CrawlWithDeferredContent(const std::vector<std::string>& crawls);

}  // namespace trommel::jobs::page

#endif  // TROMMEL_JOBS_PAGE_CRAWL_INPUT_H_
