// lexbor's bare parse of crawls, the measure for `trommel extract`.
//
//   extract_bench CRAWL...
//
// Reads all pages into memory, then parses each once, with one document that
// keeps its memory. Prints the bytes and the processor seconds of parsing.

#include <lexbor/html/html.h>
#include <time.h>

#include <cstdio>
#include <string>
#include <vector>

#include "mapreduce/io/crawl.h"

namespace {

double ProcessorSeconds() {
  timespec now = {};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> crawls(argv + 1, argv + argc);
  auto reader = trommel::io::CrawlReader::Open(crawls);
  if (!reader.ok()) {
    std::fprintf(stderr, "%s\n",
                 std::string(reader.status().message()).c_str());
    return 1;
  }
  std::vector<std::string> pages;
  size_t bytes = 0;
  trommel::io::CrawlPage page;
  while (true) {
    const auto more = (*reader)->Next(&page);
    if (!more.ok() || !*more) break;
    pages.emplace_back(page.content);
    bytes += page.content.size();
  }
  lxb_html_document_t* const document = lxb_html_document_create();
  const double start = ProcessorSeconds();
  for (const std::string& content : pages) {
    if (lxb_html_document_parse(
            document, reinterpret_cast<const lxb_char_t*>(content.data()),
            content.size()) != LXB_STATUS_OK) {
      std::fprintf(stderr, "a page was not parsed\n");
      return 1;
    }
  }
  const double seconds = ProcessorSeconds() - start;
  lxb_html_document_destroy(document);
  std::printf("%zu %.4f\n", bytes, seconds);
  return 0;
}
