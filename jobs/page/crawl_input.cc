#include "jobs/page/crawl_input.h"

#include "mapreduce/io/crawl.h"

namespace trommel::jobs::page {

mr::TableInput CrawlWithDeferredContent(
    const std::vector<std::string>& crawls) {
  const io::CrawlLayout layout;
  return {crawls, /*from_output=*/"", layout.RequestsWithDeferredContent(),
          layout.max_batch_rows()};
}

}  // namespace trommel::jobs::page
