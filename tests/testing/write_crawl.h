#ifndef TROMMEL_TESTS_TESTING_WRITE_CRAWL_H_
#define TROMMEL_TESTS_TESTING_WRITE_CRAWL_H_

#include <arrow/type.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mapreduce/io/crawl.h"
#include "mapreduce/io/path.h"
#include "mapreduce/io/row_writer.h"

namespace trommel::testing_support {

// A row of a crawl that owns its bytes; what is not given is not in the row.
struct Page {
  std::string url;
  std::string content;
  std::optional<int64_t> fetch_time_us = {};
  std::optional<int64_t> status = {};
  std::string mime_type = "";
  std::string charset = "";
  std::string truncated = "";
};

inline void WriteCrawl(const std::string& directory,
                       const std::vector<Page>& pages) {
  auto writer = io::CrawlWriter::Create(*io::ResolvePath(directory));
  ASSERT_TRUE(writer.ok()) << writer.status();
  for (const Page& page : pages) {
    io::CrawlPage row;
    row.url = page.url;
    row.content = page.content;
    row.fetch_time_us = page.fetch_time_us;
    row.fetch_status = page.status;
    row.mime_type = page.mime_type;
    row.charset = page.charset;
    row.truncated = page.truncated;
    ASSERT_TRUE((*writer)->Append(row).ok());
  }
  ASSERT_TRUE((*writer)->Close().ok());
}

// A crawl as other programs may write it: a URL may be null.
inline void WriteForeignCrawl(
    const std::string& directory,
    const std::vector<std::pair<std::optional<std::string>, std::string>>&
        pages) {
  const auto schema = arrow::schema({arrow::field("url", arrow::utf8()),
                                     arrow::field("content", arrow::binary())});
  auto writer = io::RowWriter::Create(*io::ResolvePath(directory), schema, {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  for (const auto& [url, content] : pages) {
    if (url.has_value()) {
      (*writer)->Text(*url);
    } else {
      (*writer)->Null();
    }
    (*writer)->Bytes(content);
    ASSERT_TRUE((*writer)->EndRow().ok());
  }
  ASSERT_TRUE((*writer)->Close().ok());
}

}  // namespace trommel::testing_support

#endif  // TROMMEL_TESTS_TESTING_WRITE_CRAWL_H_
