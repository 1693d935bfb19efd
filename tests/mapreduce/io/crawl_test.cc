#include "mapreduce/io/crawl.h"

#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "mapreduce/io/row_writer.h"
#include "tests/testing/temp_dir.h"

namespace trommel::io {
namespace {

using testing_support::TempDir;

struct OwnedPage {
  std::string url, content, charset, mime_type;
  std::optional<int64_t> fetch_time_us, fetch_status;
  std::string truncated = "";
  bool operator==(const OwnedPage&) const = default;
};

std::vector<OwnedPage> ReadAll(CrawlReader* reader) {
  std::vector<OwnedPage> pages;
  CrawlPage page;
  while (true) {
    const auto more = reader->Next(&page);
    EXPECT_TRUE(more.ok()) << more.status();
    if (!more.ok() || !*more) return pages;
    pages.push_back({std::string(page.url), std::string(page.content),
                     std::string(page.charset), std::string(page.mime_type),
                     page.fetch_time_us, page.fetch_status,
                     std::string(page.truncated)});
  }
}

std::vector<OwnedPage> SomePages(int count) {
  Random random(7);
  std::vector<OwnedPage> pages;
  for (int i = 0; i < count; ++i) {
    OwnedPage page;
    page.url = "http://a.example/" + std::to_string(i);
    page.content.resize(random.Below(5000));
    for (char& c : page.content) c = static_cast<char>(random.Next());
    if (random.Chance(0.5)) page.charset = "utf-8";
    if (random.Chance(0.5)) page.mime_type = "text/html";
    if (random.Chance(0.5)) page.fetch_time_us = random.Between(0, 1L << 50);
    if (random.Chance(0.5)) page.fetch_status = random.Between(200, 599);
    if (random.Chance(0.1)) page.truncated = "length";
    pages.push_back(std::move(page));
  }
  return pages;
}

absl::Status WriteCrawl(const std::string& directory,
                        const std::vector<OwnedPage>& pages) {
  auto writer = CrawlWriter::Create(*ResolvePath(directory));
  if (!writer.ok()) return writer.status();
  for (const OwnedPage& page : pages) {
    const absl::Status status = (*writer)->Append(
        {page.url, page.content, page.fetch_time_us, page.fetch_status,
         page.charset, page.mime_type, "a.example", page.truncated});
    if (!status.ok()) return status;
  }
  return (*writer)->Close().status();
}

TEST(Crawl, RoundTrip) {
  const TempDir dir;
  const std::vector<OwnedPage> pages = SomePages(3000);
  ASSERT_TRUE(WriteCrawl(dir / "crawl", pages).ok());
  auto reader = CrawlReader::Open({dir / "crawl"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->num_rows(), 3000);
  EXPECT_EQ(ReadAll(reader->get()), pages);
}

TEST(Crawl, SeveralCrawlsInTheOrderGiven) {
  const TempDir dir;
  ASSERT_TRUE(WriteCrawl(dir / "a", {{"u1", "1"}}).ok());
  ASSERT_TRUE(WriteCrawl(dir / "b", {{"u2", "2"}}).ok());
  auto reader =
      CrawlReader::Open({dir / "b", dir / "a/part-00000.parquet", dir / "b"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  std::string urls;
  for (const OwnedPage& page : ReadAll(reader->get())) urls += page.url + " ";
  EXPECT_EQ(urls, "u2 u1 u2 ");
}

TEST(Crawl, EmptyCrawlHasAFileAndNoRows) {
  const TempDir dir;
  ASSERT_TRUE(WriteCrawl(dir / "crawl", {}).ok());
  auto reader = CrawlReader::Open({dir / "crawl"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_TRUE(ReadAll(reader->get()).empty());
}

TEST(Crawl, ColumnsNotAskedForAreEmpty) {
  const TempDir dir;
  ASSERT_TRUE(WriteCrawl(dir / "crawl", {{"u", "content", "utf-8"}}).ok());
  CrawlColumns columns;
  columns.content = false;
  auto reader = CrawlReader::Open({dir / "crawl"}, columns);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const std::vector<OwnedPage> pages = ReadAll(reader->get());
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].content, "");
  EXPECT_EQ(pages[0].charset, "utf-8");
}

TEST(Crawl, ColumnsThatAreMissingAreEmpty) {
  const TempDir dir;
  auto writer = RowWriter::Create(
      *ResolvePath(dir / "crawl"),
      arrow::schema({arrow::field("url", arrow::utf8()),
                     arrow::field("content", arrow::binary())}),
      {});
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)->Text("u").Bytes("content").EndRow().ok());
  ASSERT_TRUE((*writer)->Close().ok());
  auto reader = CrawlReader::Open({dir / "crawl"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(ReadAll(reader->get()),
            (std::vector<OwnedPage>{{"u", "content", "", "", {}, {}, ""}}));
}

TEST(Crawl, MissingCrawlIsNamed) {
  const auto reader = CrawlReader::Open({"/nonexistent/crawl"});
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(reader.status().message()),
              testing::HasSubstr("/nonexistent/crawl"));
}

}  // namespace
}  // namespace trommel::io
