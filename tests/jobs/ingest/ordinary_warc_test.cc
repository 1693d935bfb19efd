// The archive of a site as crawlers write it, with all that is no page, goes
// through ingest and cluster with default flags.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/strings.h"
#include "tests/testing/compression.h"
#include "tests/testing/run_trommel.h"
#include "tests/testing/temp_dir.h"

namespace trommel::jobs::ingest {
namespace {

using nlohmann::json;
using testing_support::CommandResult;
using testing_support::Gzip;
using testing_support::RunTrommel;
using testing_support::TempDir;
using testing_support::WriteWholeFile;

constexpr char kSite[] = "http://shop.example";
constexpr char kPng[] = "\x89PNG\r\n\x1A\n";

std::string Record(const std::string& type, const std::string& url,
                   const std::string& content_type, const std::string& block) {
  return Gzip(StrCat(
      "WARC/1.0\r\nWARC-Type: ", type, "\r\nWARC-Target-URI: ", url,
      "\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: ", content_type,
      "\r\nContent-Length: ", block.size(), "\r\n\r\n", block, "\r\n\r\n"));
}

// A request, the response, and what the crawler says of both.
std::string Fetch(const std::string& path, const std::string& status,
                  const std::string& headers, const std::string& body) {
  const std::string url = kSite + path;
  return Record("request", url, "application/http; msgtype=request",
                StrCat("GET ", path, " HTTP/1.1\r\n\r\n")) +
         Record("response", url, "application/http; msgtype=response",
                StrCat("HTTP/1.1 ", status, "\r\n", headers, "\r\n", body)) +
         Record("metadata", url, "application/warc-fields", "via: x\r\n");
}

std::string Page(int i) {
  std::string html = "<html><head><title>x</title></head><body><div>";
  for (int k = 0; k < 12; ++k) html += "<p><b>field</b> <i>value</i></p>";
  return StrCat(html, "<h1>Product ", i, "</h1></div></body></html>");
}

std::string OrdinaryWarc() {
  const std::string html = "Content-Type: text/html\r\n";
  std::string warc = Record("warcinfo", "", "application/warc-fields",
                            "software: crawler\r\n");
  warc +=
      Record("response", "dns:shop.example", "text/dns", "20260102030405\n");
  warc += Fetch("/robots.txt", "200 OK", "Content-Type: text/plain\r\n",
                "User-agent: *\n");
  warc +=
      Fetch("/", "301 Moved", "Location: /p/0\r\nContent-Length: 0\r\n", "");
  for (int i = 0; i < 10; ++i) {
    warc += Fetch(StrCat("/p/", i), "200 OK", html, Page(i));
  }
  for (int i = 0; i < 20; ++i) {
    warc += Fetch(StrCat("/i/", i, ".png"), "200 OK",
                  "Content-Type: image/png\r\n", kPng);
  }
  for (int i = 0; i < 8; ++i) {
    warc += Fetch(StrCat("/gone/", i), "404 Not Found", html, "<p>gone</p>");
  }
  warc += Fetch("/untyped", "200 OK", "", Page(99));
  warc += Fetch("/untyped.png", "200 OK", "", kPng);
  warc += Record("revisit", StrCat(kSite, "/p/0"),
                 "application/http; msgtype=response",
                 "HTTP/1.1 304 Not Modified\r\n\r\n");
  return warc;
}

json RunJson(std::vector<std::string> command) {
  command.push_back("--json");
  const CommandResult result = RunTrommel(command);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

TEST(OrdinaryWarc, GoesThroughWithDefaultFlags) {
  const TempDir dir;
  WriteWholeFile(dir / "site.warc.gz", OrdinaryWarc());
  const json ingest =
      RunJson({"ingest", "--from=warc", "--out=" + (dir / "crawl"),
               dir / "site.warc.gz"});
  EXPECT_EQ(ingest["rows"], 42);
  EXPECT_EQ(ingest["rejects"], 0);
  EXPECT_EQ(ingest["bad"], 0);
  EXPECT_EQ(ingest["truncated"], 0);
  EXPECT_EQ(ingest["skipped_by_kind"], (json{{"metadata", 42},
                                             {"not_http", 1},
                                             {"request", 42},
                                             {"revisit", 1},
                                             {"warcinfo", 1}}));
  const json cluster =
      RunJson({"cluster", "--crawl=" + (dir / "crawl"),
               "--out=" + (dir / "clusters"), "--max-bad-fraction=0"});
  EXPECT_EQ(cluster["pages"], 11);
  EXPECT_EQ(cluster["rejected"], 31);
  EXPECT_EQ(cluster["counters"]["rows.rejected"], 0);
  EXPECT_EQ(cluster["counters"]["rows.passed_over"], 31);
  EXPECT_EQ(cluster["counters"]["rejected.not_html"], 22);
  EXPECT_EQ(cluster["counters"]["rejected.fetch_status"], 9);
  EXPECT_EQ(cluster["clusters"], 1);
}

}  // namespace
}  // namespace trommel::jobs::ingest
