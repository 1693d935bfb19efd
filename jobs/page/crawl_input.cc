#include "jobs/page/crawl_input.h"

namespace trommel::jobs::page {

mr::TableInput CrawlInput(const std::vector<std::string>& crawls,
                          const io::CrawlLayout& layout,
                          int64_t max_page_bytes) {
  return {crawls, /*from_output=*/"", layout.requests(),
          layout.max_batch_rows(), max_page_bytes};
}

mr::TableInput CrawlWithDeferredContent(const std::vector<std::string>& crawls,
                                        int64_t max_page_bytes) {
  const io::CrawlLayout layout;
  mr::TableInput input = CrawlInput(crawls, layout, max_page_bytes);
  input.columns = layout.RequestsWithDeferredContent();
  return input;
}

}  // namespace trommel::jobs::page
