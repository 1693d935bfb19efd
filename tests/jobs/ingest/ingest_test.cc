#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "mapreduce/io/crawl.h"
#include "tests/testing/brotli.h"
#include "tests/testing/compression.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::ingest {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing_support::Brotli;
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
                                   "Content-Encoding: sdch\r\n", "\x8b\x01")) +
                     Gzip(records[5]));
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc.gz"});
  EXPECT_EQ(summary["rows"], 2);
  EXPECT_EQ(summary["rejects"], 2);
  EXPECT_EQ(summary["bad"], 1);
  EXPECT_EQ(summary["rejects_by_reason"]["unknown_content_encoding"], 1);
  const std::string listed = ReadWholeFile(dir / "crawl/_rejects.jsonl");
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 2);
  EXPECT_THAT(listed, HasSubstr("http://a.example/6"));
}

// The content_truncated of every page, by the end of its URL.
std::map<std::string, std::string> TruncatedPages(const std::string& crawl) {
  std::map<std::string, std::string> pages;
  auto reader = io::CrawlReader::Open({crawl});
  EXPECT_TRUE(reader.ok()) << reader.status();
  io::CrawlPage page;
  while (*(*reader)->Next(&page)) {
    const size_t slash = page.url.rfind('/');
    pages.emplace(page.url.substr(slash + 1), page.truncated);
  }
  return pages;
}

TEST(IngestWarc, TruncatedPagesAreMarkedAndCounted) {
  const TempDir dir;
  const std::string page = "<html>" + std::string(3000, 'x');
  std::string cut = Response("http://a.example/length", "", page);
  cut.insert(cut.find("WARC-Date"), "WARC-Truncated: length\r\n");
  std::string odd = Response("http://a.example/odd", "", page);
  odd.insert(odd.find("WARC-Date"), "WARC-Truncated: too much\r\n");
  std::string resource =
      Record("resource", "http://a.example/resource", "text/html", page);
  resource.insert(resource.find("WARC-Date"), "WARC-Truncated: time\r\n");
  const std::string gzip = Gzip(page);
  const std::vector<std::string> records = {
      Response("http://a.example/whole", "Content-Length: 3006\r\n", page),
      cut,
      odd,
      resource,
      Response("http://a.example/short", "Content-Length: 9999\r\n", page),
      Response("http://a.example/chunk", "Transfer-Encoding: chunked\r\n",
               "6\r\n<html>\r\nfff\r\nx"),
      Response("http://a.example/broken", "Transfer-Encoding: chunked\r\n",
               "6\r\n<html>\r\nno size\r\nx"),
      Response("http://a.example/gzip", "Content-Encoding: gzip\r\n",
               gzip.substr(0, gzip.size() - 10)),
  };
  WriteWholeFile(dir / "a.warc", Join(records, Framing::kPlain));
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rows"], 8);
  EXPECT_EQ(summary["truncated"], 7);
  EXPECT_EQ(TruncatedPages(dir / "crawl"),
            (std::map<std::string, std::string>{{"whole", ""},
                                                {"length", "length"},
                                                {"odd", "unspecified"},
                                                {"resource", "time"},
                                                {"short", "unspecified"},
                                                {"chunk", "unspecified"},
                                                {"broken", "unspecified"},
                                                {"gzip", "unspecified"}}));
  const CommandResult text =
      RunTrommel({"ingest", "--from=warc", "--force",
                  "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_THAT(text.out, HasSubstr("truncated, but kept: 7\n"));
}

TEST(IngestWarc, OnePageInAnUnknownCodingStopsNothing) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc",
                 Response("http://a.example/1", "Content-Encoding: sdch\r\n",
                          std::string("\x8b\x01\x00\x02", 4)));
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rows"], 0);
  EXPECT_EQ(summary["bad"], 0);
  EXPECT_EQ(summary["rejects_by_reason"]["unknown_content_encoding"], 1);
}

TEST(IngestWarc, BrotliAndPlainBodiesBehindItsHeader) {
  const TempDir dir;
  const std::string headers = "Content-Encoding: br\r\n";
  WriteWholeFile(dir / "a.warc",
                 Response("http://a.example/1", headers, Brotli("<p>one")) +
                     Response("http://a.example/2", headers, "<p>two") +
                     Response("http://a.example/3",
                              "Content-Encoding: x-new\r\n", "<p>three"));
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["truncated"], 0);
  EXPECT_EQ(ReadCrawl(dir / "crawl"), (std::map<std::string, std::string>{
                                          {"http://a.example/1", "<p>one"},
                                          {"http://a.example/2", "<p>two"},
                                          {"http://a.example/3", "<p>three"}}));
}

TEST(IngestWarc, DamagedImagesAndErrorsAreNotBad) {
  const TempDir dir;
  std::string damaged = Gzip("<p>one");
  damaged[15] ^= 0x55;
  damaged[16] ^= 0x55;
  const std::string gzip = "Content-Encoding: gzip\r\n";
  std::string error = Response("http://a.example/error", gzip, damaged);
  error.replace(error.find("200 OK"), 6, "500 OK");
  WriteWholeFile(dir / "a.warc",
                 Response("http://a.example/image",
                          gzip + "Content-Type: image/png\r\n", damaged) +
                     error);
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rejects"], 2);
  EXPECT_EQ(summary["bad"], 0);
  WriteWholeFile(dir / "b.warc",
                 Response("http://a.example/page",
                          gzip + "Content-Type: text/html\r\n", damaged));
  const CommandResult result = RunTrommel(
      {"ingest", "--from=warc", "--out=" + (dir / "bad"), dir / "b.warc"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("1 of 1 records were bad"));
}

TEST(IngestWarc, FilmsAreNotBad) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc", Response("http://a.example/film",
                                          "Content-Type: video/mp4\r\n",
                                          std::string(2 << 20, 'x')));
  const json summary = Ingest({"--from=warc", "--max-page-bytes=1000",
                               "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rejects_by_reason"], (json{{"oversize_block", 1}}));
  EXPECT_EQ(summary["bad"], 0);
}

TEST(IngestWarc, DatesOutOfRangeAreNull) {
  const TempDir dir;
  std::string warc;
  for (const char* date :
       {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
        "2026-13-45T99:99:99Z", "yesterday"}) {
    std::string record = Response(StrCat("http://a.example/", date), "", "<p>");
    record.replace(record.find("2026-01-02T03:04:05Z"), 20, date);
    warc += record;
  }
  WriteWholeFile(dir / "a.warc", warc);
  Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  auto reader = io::CrawlReader::Open({dir / "crawl"});
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->num_rows(), 5);
  io::CrawlPage page;
  while (*(*reader)->Next(&page)) {
    EXPECT_EQ(page.fetch_time_us, std::nullopt) << page.url;
  }
}

TEST(IngestWarc, ResponsesWithoutATypeAreKept) {
  const TempDir dir;
  std::string untyped_record = Response("http://a.example/2", "", "<p>two");
  const std::string type = "Content-Type: application/http; msgtype=response";
  untyped_record.erase(untyped_record.find(type), type.size() + 2);
  std::string bare = Record("response", "http://a.example/3", "", "<p>three");
  bare.erase(bare.find("Content-Type: \r\n"), 16);
  std::string dns =
      Record("response", "dns:a.example", "text/dns", "a.example");
  WriteWholeFile(dir / "a.warc", Response("http://a.example/1", "", "<p>one") +
                                     untyped_record + bare + dns);
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["skipped_by_kind"], (json{{"not_http", 1}}));
  EXPECT_EQ(ReadCrawl(dir / "crawl"), (std::map<std::string, std::string>{
                                          {"http://a.example/1", "<p>one"},
                                          {"http://a.example/2", "<p>two"},
                                          {"http://a.example/3", "<p>three"}}));
  auto reader = io::CrawlReader::Open({dir / "crawl"});
  io::CrawlPage page;
  while (*(*reader)->Next(&page)) EXPECT_EQ(page.mime_type, "") << page.url;
}

TEST(IngestWarc, OtherFormatsAreNamed) {
  struct Case {
    const char* label;
    std::string bytes;
    const char* expected;
  };
  const std::string arc =
      "filedesc://a.arc 0.0.0.0 20080430204825 text/plain 76\n1 0 x\n";
  const std::string zip("PK\x03\x04\x14\0\0\0", 8);
  const std::vector<Case> cases = {
      {"ARC", arc, "an ARC file"},
      {"compressed ARC", Gzip(arc), "an ARC file"},
      {"WACZ", zip + "datapackage.json{}", "a WACZ file"},
      {"zip", zip + "notes.txt", "a zip file"},
      {"Parquet", "PAR1\x15\x04", "a Parquet file"},
      {"bzip2", "BZh91AY&SY", "bzip2"},
      {"xz",
       "\xFD"
       "7zXZ",
       "xz"},
      {"7z", "7z\xBC\xAF\x27\x1C", "a 7z file"},
      {"JSON lines", "{\"url\": \"u\"}\n", "--from=jsonl"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.label);
    const TempDir dir;
    WriteWholeFile(dir / "a.warc.gz", c.bytes);
    const CommandResult result =
        RunTrommel({"ingest", "--from=warc", "--out=" + (dir / "crawl"),
                    dir / "a.warc.gz"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(dir / "a.warc.gz"));
    EXPECT_THAT(result.err, HasSubstr(c.expected));
    EXPECT_FALSE(std::filesystem::exists(dir / "crawl"));
  }
}

TEST(IngestWarc, OnlyHtmlSkipsTheRest) {
  const TempDir dir;
  WriteWholeFile(dir / "a.warc", Join(SampleRecords(), Framing::kPlain));
  const json summary = Ingest({"--from=warc", "--only-html",
                               "--out=" + (dir / "crawl"), dir / "a.warc"});
  EXPECT_EQ(summary["rows"], 4);
  EXPECT_EQ(summary["skipped"], 3);
  EXPECT_EQ(summary["skipped_by_kind"],
            (json{{"not_html", 1}, {"request", 1}, {"warcinfo", 1}}));
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

// Pages that do not compress to nothing.
std::string LongPage(int number) {
  std::string page = StrCat("<p>", number);
  for (int i = 0; i < 200; ++i) {
    StrAppend(&page, " ", int64_t{number} * 7919 * i);
  }
  return Response(StrCat("http://a.example/", number), "", page);
}

TEST(IngestWarc, LongRunsOfDamageCostOnlyThemselvesAndAreCounted) {
  const TempDir dir;
  std::string archive;
  int64_t damaged_bytes = 0;
  for (int number = 0; number < 2000; ++number) {
    std::string member = Gzip(LongPage(number));
    if (number >= 200 && number < 1000) {
      for (size_t i = member.size() / 2; i < member.size() / 2 + 20; ++i) {
        member[i] ^= 0x5A;
      }
      damaged_bytes += static_cast<int64_t>(member.size());
    }
    archive += member;
  }
  WriteWholeFile(dir / "a.warc.gz", archive);
  const json summary =
      Ingest({"--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc.gz"});
  EXPECT_EQ(summary["rows"], 1200);
  EXPECT_EQ(summary["rejects"], 800);
  EXPECT_EQ(summary["bytes_unread"], damaged_bytes);
}

// Where damage hides the records, one reject stands for all of them.
TEST(IngestWarc, BytesThatCannotBeReadAreHeldAgainstTheArchive) {
  const TempDir dir;
  std::string text;
  for (int number = 0; number < 100; ++number) text += LongPage(number);
  std::string archive = Gzip(text);
  const size_t end = archive.size() / 4;
  for (size_t i = end; i < end + 40; ++i) archive[i] ^= 0x5A;
  // The rest of the stream is lost, however much of it there is.
  WriteWholeFile(dir / "a.warc.gz", archive);
  const std::vector<std::string> arguments = {
      "ingest", "--from=warc", "--out=" + (dir / "crawl"), dir / "a.warc.gz"};
  const CommandResult strict = RunTrommel(arguments);
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, HasSubstr("bytes are damaged and could not be read"));
  std::vector<std::string> lenient_arguments = arguments;
  lenient_arguments.push_back("--max-bad-fraction=1");
  const CommandResult lenient = RunTrommel(lenient_arguments);
  EXPECT_EQ(lenient.exit_code, 0) << lenient.err;
  EXPECT_THAT(lenient.out, HasSubstr("damaged and not read: "));
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
  // Not twice, and not for ever.
  std::filesystem::create_directory_symlink("..", dir / "in/sub/around");
  ASSERT_EQ(mkfifo((dir / "in/pipe.warc").c_str(), 0600), 0);
  const json again = Ingest(
      {"--from=warc", "--force", "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_EQ(again["rows"], 10);
  EXPECT_EQ(again["skipped_by_kind"]["link"], 1);
  EXPECT_EQ(again["skipped_by_kind"]["pipe"], 1);
  // An archive that is kept elsewhere is one of the folder, once.
  WriteWholeFile(dir / "store/c.warc", Join(SampleRecords(), Framing::kPlain));
  std::filesystem::create_symlink("../store/c.warc", dir / "in/c.warc");
  std::filesystem::create_symlink("a.warc", dir / "in/also_a.warc");
  const json linked = Ingest(
      {"--from=warc", "--force", "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_EQ(linked["rows"], 15);
  EXPECT_EQ(linked["skipped_by_kind"]["link"], 2);
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

// Links are not followed, and nothing is opened that may never end.
TEST(IngestDir, LinksPipesSocketsAndDevicesArePassedOver) {
  const TempDir dir;
  WriteWholeFile(dir / "in/a.html", "<p>1");
  WriteWholeFile(dir / "in/sub/b.html", "<p>2");
  WriteWholeFile(dir / "outside/secret.html", "<p>secret");
  namespace fs = std::filesystem;
  fs::create_directory_symlink("..", dir / "in/sub/around");
  fs::create_directory_symlink(dir / "outside", dir / "in/out");
  fs::create_symlink(dir / "outside/secret.html", dir / "in/secret.html");
  fs::create_symlink("nowhere", dir / "in/dangling.html");
  ASSERT_EQ(mkfifo((dir / "in/pipe.html").c_str(), 0600), 0);
  fs::create_symlink(dir / "in", dir / "linked");
  // The folder itself may be reached by a link.
  for (const char* input : {"in", "linked"}) {
    SCOPED_TRACE(input);
    const json summary =
        Ingest({"--from=dir", "--force", "--url-prefix=http://h.example/",
                "--out=" + (dir / "crawl"), dir / input});
    EXPECT_EQ(summary["skipped_by_kind"], (json{{"link", 4}, {"pipe", 1}}));
    EXPECT_EQ(ReadCrawl(dir / "crawl"),
              (std::map<std::string, std::string>{
                  {"http://h.example/a.html", "<p>1"},
                  {"http://h.example/sub/b.html", "<p>2"}}));
  }
  const CommandResult text = RunTrommel(
      {"ingest", "--from=dir", "--force", "--url-prefix=http://h.example/",
       "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_THAT(text.out, HasSubstr("skipped, link: 4\nskipped, pipe: 1\n"));
}

TEST(IngestDir, TableDoesNotLeadOutOfTheDirectory) {
  const TempDir dir;
  WriteWholeFile(dir / "in/a.html", "<p>1");
  WriteWholeFile(dir / "outside/secret.html", "<p>secret");
  std::filesystem::create_symlink(dir / "outside", dir / "in/out");
  std::filesystem::create_symlink("a.html", dir / "in/same.html");
  ASSERT_EQ(mkfifo((dir / "in/pipe.html").c_str(), 0600), 0);
  WriteWholeFile(dir / "urls.tsv",
                 "a.html\thttp://a.example/1\n"
                 "same.html\thttp://a.example/2\n"
                 "out/secret.html\thttp://a.example/3\n"
                 "pipe.html\thttp://a.example/4\n");
  const json summary = Ingest({"--from=dir", "--urls=" + (dir / "urls.tsv"),
                               "--out=" + (dir / "crawl"), dir / "in"});
  EXPECT_EQ(summary["rejects_by_reason"]["bad_table_line"], 2);
  EXPECT_EQ(ReadCrawl(dir / "crawl"), (std::map<std::string, std::string>{
                                          {"http://a.example/1", "<p>1"},
                                          {"http://a.example/2", "<p>1"}}));
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
                 "\"content_mime_type\":\"image/png\"}\n"
                 "{\"url\":\"http://a.example/3\",\"content\":\"x\","
                 "\"content_truncated\":\"length\"}\n");
  const json summary = Ingest({"--from=jsonl", "--only-html",
                               "--out=" + (dir / "crawl"), dir / "a.jsonl"});
  EXPECT_EQ(summary["rows"], 2);
  EXPECT_EQ(summary["truncated"], 1);
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
