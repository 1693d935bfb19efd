// Reads a crawl to the end and prints pages and bytes: what memory_test.sh
// measures.

#include <cstdint>
#include <cstdio>

#include "mapreduce/io/crawl.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  auto reader = trommel::io::CrawlReader::Open({argv[1]});
  if (!reader.ok()) {
    std::fprintf(stderr, "%s\n", reader.status().ToString().c_str());
    return 1;
  }
  trommel::io::CrawlPage page;
  int64_t pages = 0;
  int64_t bytes = 0;
  while (true) {
    const auto more = (*reader)->Next(&page);
    if (!more.ok()) {
      std::fprintf(stderr, "%s\n", more.status().ToString().c_str());
      return 1;
    }
    if (!*more) break;
    ++pages;
    bytes += static_cast<int64_t>(page.content.size());
  }
  std::printf("%lld pages, %lld bytes\n", static_cast<long long>(pages),
              static_cast<long long>(bytes));
  return pages == (*reader)->num_rows() ? 0 : 1;
}
