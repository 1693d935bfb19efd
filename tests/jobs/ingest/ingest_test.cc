#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "mapreduce/io/crawl.h"
#include "tests/testing/compression.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::ingest {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing_support::CommandResult;
using testing_support::Gzip;
using testing_support::ReadWholeFile;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;
using testing_support::Zstd;

std::string Record(const std::string& type, const std::string& url,
                   const std::string& content_type, const std::string& block) {
  return StrCat(
      "WARC/1.0\r\nWARC-Type: ", type, "\r\nWARC-Target-URI: ", url,
      "\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: ", content_type,
      "\r\nContent-Length: ", block.size(), "\r\n\r\n", block, "\r\n\r\n");
}

std::string Response(const std::string& url, const std::string& headers,
                     const std::string& body) {
  return Record("response", url, "application/http; msgtype=response",
                StrCat("HTTP/1.1 200 OK\r\n", headers, "\r\n", body));
}

// The records of a small archive, one string each.
std::vector<std::string> SampleRecords() {
  return {
      Record("warcinfo", "", "application/warc-fields", "software: x\r\n"),
      Record("request", "http://a.example/1",
             "application/http; msgtype=request", "GET /1 HTTP/1.1\r\n\r\n"),
      Response("http://a.example/1",
               "Content-Type: text/html; charset=ISO-8859-1\r\n", "<p>one"),
      Response("http://a.example/2", "Transfer-Encoding: chunked\r\n",
               "5\r\n<p>tw\r\n1\r\no\r\n0\r\n\r\n"),
      Response("http://a.example/3", "Content-Encoding: gzip\r\n",
               Gzip("<p>three")),
      Record("resource", "http://a.example/4", "text/html", "<p>four"),
      Response("http://a.example/5.png", "Content-Type: image/png\r\n", "PNG"),
  };
}

enum class Framing { kPlain, kGzip, kZstd };

std::string Join(const std::vector<std::string>& records, Framing framing) {
  std::string out;
  for (const std::string& record : records) {
    switch (framing) {
      case Framing::kPlain:
        out += record;
        break;
      case Framing::kGzip:
        out += Gzip(record);
        break;
      case Framing::kZstd:
        out += Zstd(record);
        break;
    }
  }
  return out;
}

std::map<std::string, std::string> ReadCrawl(const std::string& crawl) {
  std::map<std::string, std::string> pages;
  auto reader = io::CrawlReader::Open({crawl});
  EXPECT_TRUE(reader.ok()) << reader.status();
  io::CrawlPage page;
  while (*(*reader)->Next(&page)) {
    pages.emplace(page.url, page.content);
  }
  return pages;
}

json Ingest(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"ingest", "--json"});
  const CommandResult result = RunTrommel(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out, nullptr, false);
  EXPECT_EQ(summary["rows"], summary["records_read"].get<int64_t>() -
                                 summary["rejects"].get<int64_t>());
  return summary;
}

TEST(IngestWarc, EveryFramingGivesTheSameRows) {
  const TempDir dir;
  const std::vector<std::string> records = SampleRecords();
  WriteWholeFile(dir / "plain.warc", Join(records, Framing::kPlain));
  WriteWholeFile(dir / "records.warc.gz", Join(records, Framing::kGzip));
  WriteWholeFile(dir / "whole.warc.gz", Gzip(Join(records, Framing::kPlain)));
  WriteWholeFile(dir / "records.warc.zst", Join(records, Framing::kZstd));
  for (const char* name :
       {"plain.warc", "records.warc.gz", "whole.warc.gz", "records.warc.zst"}) {
    SCOPED_TRACE(name);
    const std::string out = dir / (std::string(name) + ".crawl");
    const json summary = Ingest({"--from=warc", "--out=" + out, dir / name});
    EXPECT_EQ(summary["rows"], 5);
    EXPECT_EQ(summary["rejects"], 0);
    EXPECT_EQ(summary["skipped"], 2);
    EXPECT_EQ(ReadCrawl(out), (std::map<std::string, std::string>{
                                  {"http://a.example/1", "<p>one"},
                                  {"http://a.example/2", "<p>two"},
                                  {"http://a.example/3", "<p>three"},
                                  {"http://a.example/4", "<p>four"},
                                  {"http://a.example/5.png", "PNG"}}));
  }
}

TEST(IngestWarc, KeepsWhatTheHeadersSay) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc", Join(SampleRecords(), Framing::kPlain));
  Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  auto reader = io::CrawlReader::Open({dir / "crawl"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  io::CrawlPage page;
  ASSERT_TRUE(*(*reader)->Next(&page));
  EXPECT_EQ(page.url, "http://a.example/1");
  EXPECT_EQ(page.charset, "ISO-8859-1");
  EXPECT_EQ(page.mime_type, "text/html");
  EXPECT_EQ(page.fetch_status, 200);
  EXPECT_EQ(page.fetch_time_us, 1767323045000000);
}

TEST(IngestWarc, BrokenRecordsAreCountedListedAndSkipped) {
  const TempDir dir;
  std::vector<std::string> records = SampleRecords();
  std::string damaged = Gzip(records[2]);
  damaged[damaged.size() / 2] ^= 0x55;
  WriteWholeFile(dir / "a.warc.gz",
                 Gzip(records[0]) + damaged + Gzip(records[3]) +
                     Gzip(Response("http://a.example/6",
                                   "Content-Encoding: br\r\n", "\x8b\x01")) +
                     Gzip(records[5]));
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc.gz"});
  EXPECT_EQ(summary["rows"], 2);
  EXPECT_EQ(summary["rejects"], 2);
  EXPECT_EQ(summary["rejects_by_reason"]["unknown_content_encoding"], 1);
  const std::string listed = ReadWholeFile(dir / "crawl/_rejects.jsonl");
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 2);
  EXPECT_THAT(listed, HasSubstr("http://a.example/6"));
}

TEST(IngestWarc, OnlyHtmlSkipsTheRest) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc", Join(SampleRecords(), Framing::kPlain));
  const json summary = Ingest({"--from=warc", "--only-html",
                               "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rows"], 4);
  EXPECT_EQ(summary["skipped"], 3);
}

TEST(IngestWarc, MostlyBadInputFailsAndWritesNothing) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc", "this is no archive\n");
  const CommandResult result = RunTrommel(
      {"ingest", "--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--max-bad-fraction"));
  EXPECT_FALSE(std::filesystem::exists(dir / "crawl"));
}

TEST(IngestWarc, DirectoryStandsForItsArchives) {
  const TempDir dir;
  WriteWholeFile(dir / "in/a.warc", Join(SampleRecords(), Framing::kPlain));
  WriteWholeFile(dir / "in/sub/b.warc.gz",
                 Join(SampleRecords(), Framing::kGzip));
  WriteWholeFile(dir / "in/notes.txt", "x");
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_EQ(summary["rows"], 10);
}

TEST(IngestDir, UrlsFromPrefixAndPath) {
  const TempDir dir;
  WriteWholeFile(dir / "in/a b.html", "<p>1");
  WriteWholeFile(dir / "in/sub/c.HTM", "<p>2");
  WriteWholeFile(dir / "in/d.html.gz", Gzip("<p>3"));
  WriteWholeFile(dir / "in/style.css", "p {}");
  WriteWholeFile(dir / "in/.git/e.html", "<p>5");
  const json summary = Ingest({"--from=dir", "--url-prefix=http://h.example/",
                               "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_EQ(summary["skipped"], 2);
  EXPECT_EQ(ReadCrawl(dir / "crawl"),
            (std::map<std::string, std::string>{
                {"http://h.example/a%20b.html", "<p>1"},
                {"http://h.example/sub/c.HTM", "<p>2"},
                {"http://h.example/d.html", "<p>3"}}));
}

TEST(IngestDir, UrlsFromTable) {
  const TempDir dir;
  WriteWholeFile(dir / "in/1.html", "<p>1");
  WriteWholeFile(dir / "in/2.html", "<p>2");
  WriteWholeFile(dir / "in/a..b.html", "<p>3");
  WriteWholeFile(dir / "urls.tsv",
                 "# file, url\n"
                 "1.html\thttp://a.example/one\t2026-01-01T00:00:00Z\n"
                 "2.html\thttp://a.example/two\n"
                 "3.html\thttp://a.example/missing\n"
                 "nonsense\n"
                 "../secret\thttp://a.example/up\n"
                 "a..b.html\thttp://a.example/dots\n");
  const json summary =
      Ingest({"--from=dir", "--urls=" + (dir / "urls.tsv"),
              "--max-bad-fraction=1", "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_EQ(summary["rows"], 3);
  EXPECT_EQ(summary["rejects_by_reason"]["unreadable_file"], 1);
  EXPECT_EQ(summary["rejects_by_reason"]["bad_table_line"], 2);
  EXPECT_EQ(ReadCrawl(dir / "crawl").count("http://a.example/one"), 1u);
}

TEST(IngestJsonl, LinesPlainAndCompressed) {
  const TempDir dir;
  const std::string lines =
      "{\"url\":\"http://a.example/1\",\"content\":\"<p>1\"}\n"
      "not json\n"
      "\n"
      "{\"url\":\"http://a.example/2\",\"content_base64\":\"PHA+Mg==\"}\n";
  WriteWholeFile(dir / "a.jsonl", lines);
  WriteWholeFile(dir / "a.jsonl.gz", Gzip(lines));
  WriteWholeFile(dir / "a.jsonl.zst", Zstd(lines));
  for (const char* name : {"a.jsonl", "a.jsonl.gz", "a.jsonl.zst"}) {
    SCOPED_TRACE(name);
    const json summary = Ingest(
        {"--from=jsonl", "--force", "--out=" + (dir / "crawl"), dir / name});
    EXPECT_EQ(summary["rows"], 2);
    EXPECT_EQ(summary["rejects_by_reason"]["bad_json"], 1);
    EXPECT_EQ(ReadCrawl(dir / "crawl")["http://a.example/2"], "<p>2");
    EXPECT_THAT(ReadWholeFile(dir / "crawl/_rejects.jsonl"),
                HasSubstr("line 2"));
  }
}

TEST(IngestJsonl, TruncatedArchiveKeepsWhatCameBefore) {
  const TempDir dir;
  std::string lines;
  for (int i = 0; i < 2000; ++i) {
    lines += "{\"url\":\"http://a.example/" + std::to_string(i) +
             "\",\"content\":\"" + std::to_string(i * 7919) + "\"}\n";
  }
  const std::string whole = Gzip(lines);
  WriteWholeFile(dir / "a.jsonl.gz", whole.substr(0, whole.size() / 2));
  const json summary =
      Ingest({"--from=jsonl", "--out=" + (dir / "crawl"), dir / "a.jsonl.gz"});
  EXPECT_GT(summary["rows"], 500);
  EXPECT_EQ(summary["rejects_by_reason"]["corrupt_archive"], 1);
}

TEST(IngestJsonl, MediaTypesAreReadAsInHttp) {
  const TempDir dir;
  WriteWholeFile(dir / "a.jsonl",
                 "{\"url\":\"http://a.example/1\",\"content_base64\":\"eA==\","
                 "\"content_mime_type\":\"TEXT/HTML; charset=koi8-r\"}\n"
                 "{\"url\":\"http://a.example/2\",\"content\":\"x\","
                 "\"content_mime_type\":\"image/png\"}\n");
  const json summary = Ingest({"--from=jsonl", "--only-html",
                               "--out=" + (dir / "crawl"), dir / "a.jsonl"});
  EXPECT_EQ(summary["rows"], 1);
  auto reader = io::CrawlReader::Open({dir / "crawl"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  io::CrawlPage page;
  ASSERT_TRUE(*(*reader)->Next(&page));
  EXPECT_EQ(page.mime_type, "text/html");
  EXPECT_EQ(page.charset, "koi8-r");
}

TEST(Ingest, UrlThatIsNotUtf8IsRejected) {
  const TempDir dir;
  WriteWholeFile(
      dir / "a.warc",
      Response("http://a.example/caf\xE9", "", "x") +
          Response("http://a.example/2",
                   "Content-Type: text/html; charset=\xFF\r\n", "y"));
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rows"], 1);
  EXPECT_EQ(summary["rejects_by_reason"]["bad_url"], 1);
  EXPECT_EQ(ReadCrawl(dir / "crawl").count("http://a.example/2"), 1u);
}

TEST(Ingest, DoesNotReadItsOwnOutput) {
  const TempDir dir;
  WriteWholeFile(dir / "in/a.jsonl",
                 "{\"url\":\"u\",\"content\":\"x\"}\nbroken\n");
  for (int round = 0; round < 2; ++round) {
    const json summary = Ingest(
        {"--from=jsonl", "--force", "--out=" + (dir / "in/crawl"), dir / "in"});
    EXPECT_EQ(summary["records_read"], 2);
  }
  const CommandResult result =
      RunTrommel({"ingest", "--from=dir", "--url-prefix=http://h.example/",
                  "--out=" + (dir / "in/pages"), dir / "in"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("lies inside INPUT"));
}

TEST(Ingest, AnArchiveThatSomebodyPutIntoTheOutputIsNotDeleted) {
  const TempDir dir;
  const std::string line = "{\"url\":\"u\",\"content\":\"x\"}\n";
  WriteWholeFile(dir / "in/a.jsonl", line);
  const std::vector<std::string> command = {"ingest", "--from=jsonl", "--force",
                                            "--out=" + (dir / "in/crawl"),
                                            dir / "in"};
  ASSERT_EQ(RunTrommel(command).exit_code, 0);
  WriteWholeFile(dir / "in/crawl/b.jsonl", line);
  const CommandResult result = RunTrommel(command);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr(dir / "in/crawl/b.jsonl"));
  EXPECT_EQ(ReadWholeFile(dir / "in/crawl/b.jsonl"), line);
}

TEST(Ingest, NothingToReadIsAnError) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "in");
  for (const char* from : {"warc", "jsonl", "dir"}) {
    std::vector<std::string> arguments = {
        "ingest", std::string("--from=") + from, "--out=" + (dir / "crawl"),
        dir / "in"};
    if (from == std::string("dir")) {
      arguments.push_back("--url-prefix=http://h.example/");
    }
    const CommandResult result = RunTrommel(arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(dir / "in"));
  }
}

TEST(Ingest, FinishedOutputIsNotReplacedWithoutForce) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc", Join(SampleRecords(), Framing::kPlain));
  Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  const CommandResult result = RunTrommel(
      {"ingest", "--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("--force"));
}

TEST(Ingest, MissingInputIsNamed) {
  const TempDir dir;
  const CommandResult result =
      RunTrommel({"ingest", "--from=warc", "--out=" + (dir / "crawl"),
                  "/nonexistent/a.warc"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("/nonexistent/a.warc"));
}

}  // namespace
}  // namespace trommel::jobs::ingest
