#include "core/warc/http_response.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/brotli.h"
#include "tests/testing/compression.h"
#include "tests/testing/seed.h"

namespace trommel::warc {
namespace {

using ::trommel::testing_support::Brotli;
using ::trommel::testing_support::Deflate;
using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::TestSeed;
using ::trommel::testing_support::Zstd;

constexpr size_t kLimit = 1 << 20;

TEST(ParseHttpResponse, ReadsStatusHeadersAndBody) {
  const auto response = ParseHttpResponse(
      "HTTP/1.1 200 OK\r\n"
      "Content-Type: Text/HTML; charset=\"UTF-8\"\r\n"
      "X-Folded: one\r\n   two\r\n\tthree\r\n"
      "no header\r\n"
      ": no name\r\n"
      "Set-Cookie: a\r\nset-cookie: b\r\n"
      "\r\n"
      "<p>\r\n\r\nbody",
      kLimit);
  ASSERT_TRUE(response.ok()) << response.status();
  EXPECT_EQ(response->status_code, 200);
  EXPECT_EQ(response->media_type.mime_type, "text/html");
  EXPECT_EQ(response->media_type.charset, "UTF-8");
  EXPECT_EQ(response->Header("x-folded"), "one two three");
  EXPECT_EQ(response->Header("SET-COOKIE"), "a");
  EXPECT_EQ(response->Header("absent"), std::nullopt);
  EXPECT_EQ(response->headers.size(), 4u);
  EXPECT_EQ(response->body, "<p>\r\n\r\nbody");
  EXPECT_FALSE(response->truncated);
}

TEST(ParseHttpResponse, StatusLines) {
  struct Case {
    std::string block;
    int expected;  // 0: InvalidArgument
  };
  const std::vector<Case> cases = {
      {"HTTP/1.1 200 OK\r\n\r\n", 200},
      {"HTTP/1.0 404 Not Found\r\n\r\n", 404},
      {"HTTP/2 200\r\n\r\n", 200},
      {"HTTP/2 200 \n\n", 200},
      {"http/1.1 301 x\n\n", 301},
      {"HTTP/1.1  200 OK\r\n\r\n", 200},
      {"HTTP/1.1 200", 200},
      {"HTTP/1.1 100 Continue\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", 200},
      {"HTTP/1.1 103 Early\n\nHTTP/1.1 103 x\n\nHTTP/1.1 204 x\n\n", 204},
      {"HTTP/1.1 101 Switching\r\n\r\nnoise", 101},
      {"", 0},
      {"\r\n\r\n", 0},
      {"ICY 200 OK\r\n\r\n", 0},
      {"<html>", 0},
      {"HTTP/1.1\r\n\r\n", 0},
      {"HTTP/1.1 OK\r\n\r\n", 0},
      {"HTTP/1.1 20\r\n\r\n", 0},
      {"HTTP/1.1 2000\r\n\r\n", 0},
      {"HTTP/1.1 099\r\n\r\n", 0},
      {"HTTP/x 200\r\n\r\n", 0},
      {"HTTP/ 200\r\n\r\n", 0},
      {"HTTP/1.1 100 Continue\r\n\r\nHTTP/rubbish\r\n\r\n", 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.block);
    const auto response = ParseHttpResponse(c.block, kLimit);
    if (c.expected == 0) {
      EXPECT_EQ(response.status().code(), absl::StatusCode::kInvalidArgument);
    } else {
      ASSERT_TRUE(response.ok()) << response.status();
      EXPECT_EQ(response->status_code, c.expected);
    }
  }
}

struct BodyCase {
  std::string label;
  std::string headers;  // lines ended by \n
  std::string body;
  absl::StatusCode code = absl::StatusCode::kOk;
  std::string expected;
  bool truncated = false;
};

TEST(ParseHttpResponse, Bodies) {
  const auto ok = absl::StatusCode::kOk;
  const std::string page = "<html>" + std::string(3000, 'x') + "</html>";
  const std::string gzip = Gzip(page);
  const std::string te = "Transfer-Encoding: chunked\n";
  const std::string ce_gzip = "Content-Encoding: gzip\n";
  const std::string ce_deflate = "Content-Encoding: deflate\n";
  const std::string ce_br = "Content-Encoding: br\n";
  // Text that compresses badly, so that most of it is stored as it is.
  Random random(5);
  std::string letters;
  for (int i = 0; i < 3000; ++i) {
    letters.push_back(static_cast<char>('!' + random.Below(90)));
  }
  const std::vector<BodyCase> cases = {
      {"empty", "", "", ok, ""},
      {"length that fits", "Content-Length: 3\n", "abc", ok, "abc"},
      {"length too small", "Content-Length: 2\n", "abc", ok, "abc"},
      {"length too large", "Content-Length: 4\n", "abc", ok, "abc", true},
      {"length without a body", "Content-Length: 4\n", "", ok, "", true},
      {"length of a coded body",
       "Content-Length: 400\nContent-Encoding: gzip\n", "<p>short", ok,
       "<p>short"},
      {"length is no number", "Content-Length: x\n", "abc", ok, "abc"},
      {"chunks", te, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", ok, "abcde"},
      {"capitals", "transfer-encoding: Chunked\n", "A\r\n0123456789\r\n0\r\n",
       ok, "0123456789"},
      {"extensions", te, "3;a=b;c\r\nabc\r\n2 ; x\r\nde\r\n0;z\r\n\r\n", ok,
       "abcde"},
      {"trailers", te, "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n", ok, "abc"},
      {"lines of LF", te, "3\nabc\n2\nde\n0\n\n", ok, "abcde"},
      {"zeros in front", te, "0003\r\nabc\r\n000\r\n\r\n", ok, "abc"},
      {"padded size", te, "3   \r\nabc\r\n0\r\n\r\n", ok, "abc"},
      {"no chunks", te, "0\r\n\r\n", ok, ""},
      {"joined already", te, page, ok, page},
      {"joined already, hexadecimal", te, "beef\nand more", ok,
       "beef\nand more"},
      {"joined already, a list", te, "1\r\na\r\nand more", ok,
       "1\r\na\r\nand more"},
      {"joined already, begins with 0", te, "0\r\n<p>zero</p>", ok,
       "0\r\n<p>zero</p>"},
      {"joined already, 0 and a line", te, "0\r\nresults: none", ok,
       "0\r\nresults: none"},
      {"joined already, 0 and empty lines", te, "0\r\n\r\n<p>zero</p>", ok,
       "0\r\n\r\n<p>zero</p>"},
      {"no chunks, cut", te, "0\r\n", ok, ""},
      {"no chunks, trailers", te, "0\r\nX-Sum: 1\r\nX: y\r\n\r\n", ok, ""},
      {"joined already, a short word", te, "3 dogs\nand more", ok,
       "3 dogs\nand more"},
      {"joined already, a number", te, "3\nand more", ok, "3\nand more"},
      {"cut in a chunk", te, "3\r\nabc\r\n8\r\nde", ok, "abcde", true},
      {"cut in the first chunk", te, "8\r\n<p>e", ok, "<p>e", true},
      {"cut in the first chunk, compressed", te + ce_gzip,
       "800\r\n" + gzip.substr(0, gzip.size() - 8), ok, page, true},
      {"cut after a chunk", te, "3\r\n<p>", ok, "<p>", true},
      {"cut in a line end", te, "3\r\n<p>\r", ok, "<p>", true},
      {"cut before a size", te, "3\r\nabc\r\n", ok, "abc", true},
      {"cut in a size", te, "3\r\nabc\r\n1", ok, "abc", true},
      {"cut in an extension", te, "3\r\nabc\r\n1;x=", ok, "abc", true},
      {"rubbish for a size", te, "3\r\n<p>\r\nxyz\r\n", ok, "<p>", true},
      {"rubbish after a long chunk", te,
       "100\r\n" + std::string(256, 'x') + "\r\nxyz\r\n", ok,
       std::string(256, 'x'), true},
      {"no line end after a chunk", te, "3\r\n<p>\r\n1\r\nabc\r\n", ok, "<p>a",
       true},
      {"size of 64 bits", te, "ffffffffffffffff\r\n<p>", ok, "<p>", true},
      {"later size of 64 bits", te, "1\r\na\r\nffffffffffffffff\r\nbc", ok,
       "abc", true},
      {"size of 68 bits", te, "10000000000000000\r\nabc", ok,
       "10000000000000000\r\nabc"},
      {"later size of 68 bits", te, "3\r\n<p>\r\n10000000000000000\r\nbc", ok,
       "<p>", true},
      {"gzip", ce_gzip, gzip, ok, page},
      {"x-gzip", "content-encoding:X-GZIP\n", gzip, ok, page},
      {"deflate", "Content-Encoding: deflate\n", Deflate(page, 15), ok, page},
      {"bare", "Content-Encoding: deflate\n", Deflate(page, -15), ok, page},
      {"zstd", "Content-Encoding: zstd\n", Zstd(page), ok, page},
      {"zstd of text that is stored", "Content-Encoding: zstd\n", Zstd(letters),
       ok, letters},
      {"list", "Content-Encoding: deflate, gzip\n", Gzip(Deflate(page, 15)), ok,
       page},
      {"two headers", "Content-Encoding: deflate\nContent-Encoding: gzip\n",
       Gzip(Deflate(page, 15)), ok, page},
      {"gzip in chunks", te + ce_gzip,
       "14\r\n" + Gzip("").substr(0, 20) + "\r\n0\r\n\r\n", ok, ""},
      {"gzip as transfer coding", "Transfer-Encoding: gzip, chunked\n",
       "15\r\n" + Gzip("a") + "\r\n0\r\n\r\n", ok, "a"},
      {"no coding", "Content-Encoding: identity, none, UTF-8\n", page, ok,
       page},
      {"decoded already", ce_gzip, page, ok, page},
      {"zstd decoded already", "Content-Encoding: zstd\n", page, ok, page},
      {"deflate decoded already", "Content-Encoding: deflate\n", page, ok,
       page},
      {"brotli decoded already", "Content-Encoding: br\n", "\n " + page, ok,
       "\n " + page},
      {"one of two decoded already", "Content-Encoding: gzip, gzip\n", gzip, ok,
       page},
      {"empty although gzip", ce_gzip, "", ok, ""},
      {"empty although brotli", "Content-Encoding: br\n", "", ok, ""},
      {"gzip cut to its header", ce_gzip, gzip.substr(0, 10), ok, "", true},
      {"gzip without trailer", ce_gzip, gzip.substr(0, gzip.size() - 8), ok,
       page, true},
      {"cut gzip in a cut chunk", te + ce_gzip,
       "ffff\r\n" + gzip.substr(0, gzip.size() - 8), ok, page, true},
      {"brotli", ce_br, Brotli(page), ok, page},
      {"brotli of little", ce_br, Brotli("ok"), ok, "ok"},
      {"brotli of text that is stored", ce_br, Brotli(letters), ok, letters},
      {"brotli of nothing", ce_br, Brotli(""), ok, ""},
      {"cut brotli", ce_br, "\x0B\x02\x80<p", ok, "<p", true},
      {"brotli with more behind", ce_br, Brotli(page) + "\x01\x02\x03",
       absl::StatusCode::kDataLoss},
      {"brotli too long", ce_br, Brotli(std::string(kLimit + 1, 'x')),
       absl::StatusCode::kResourceExhausted},
      {"bare deflate with more behind", ce_deflate, Deflate(page, -15) + "\x01",
       absl::StatusCode::kDataLoss},
      {"damaged zlib", ce_deflate, "\x78\x9C\xFF\xFF\xFF\xFF",
       absl::StatusCode::kDataLoss},
      {"unknown coding", "Content-Encoding: sdch\n", gzip,
       absl::StatusCode::kUnimplemented},
      {"unknown coding over a page", "Content-Encoding: sdch\n", page, ok,
       page},
      {"unknown coding over nothing", "Content-Encoding: sdch\n", "", ok, ""},
      {"damaged gzip", ce_gzip, gzip.substr(0, 10) + "\xFF\xFF\xFF\xFF",
       absl::StatusCode::kDataLoss},
      {"too many codings", "Content-Encoding: a,b,c,d,e,f,g,h,i\n", "x",
       absl::StatusCode::kInvalidArgument},
      {"too long", "", std::string(kLimit + 1, 'x'),
       absl::StatusCode::kResourceExhausted},
      {"just not too long", "", std::string(kLimit, 'x'), ok,
       std::string(kLimit, 'x')},
      {"gzip too long", ce_gzip, Gzip(std::string(kLimit + 1, 'x')),
       absl::StatusCode::kResourceExhausted},
  };
  for (const BodyCase& c : cases) {
    SCOPED_TRACE(c.label);
    const auto response = ParseHttpResponse(
        "HTTP/1.1 200 OK\n" + c.headers + "\n" + c.body, kLimit);
    EXPECT_EQ(response.status().code(), c.code) << response.status();
    if (!response.ok() || c.code != ok) continue;
    EXPECT_TRUE(response->body == c.expected) << response->body.substr(0, 100);
    EXPECT_EQ(response->truncated, c.truncated);
  }
}

// Whatever coding the headers name, a body that is plain comes out as it is.
TEST(ParseHttpResponse, BodiesThatAreAlreadyDecoded) {
  const std::string page = "<html>" + std::string(3000, 'x') + "</html>";
  const std::vector<std::string> bodies = {
      page,
      "\xEF\xBB\xBF" + page,
      "\n " + page,
      "<p>caf\xE9</p>",  // Latin-1
      "<p>\x01 stray control</p>",
      "ok",
      "x",
      "x^2",         // as zlib's header
      "{\"a\": 1}",  // begins as bare deflate may
      "K",
      "caf\xC3\xA9",
      "caf\xE9",
      "\xEF\xF0\xE8\xE2\xE5\xF2",  // windows-1251
      "(\xC2\xB5/",                // almost Zstandard's magic number
      "a",
      "404",
      "0\r\n",
      "1\r\n2\r\n3\r\n",
      "Warning: line 5\r\n<html></html>",
      std::string("\xFF\xFE<\0p\0>\0", 8),  // UTF-16
      std::string(300, '\xE0') + "\x01",
  };
  for (const std::string coding :
       {"gzip", "x-gzip", "deflate", "br", "zstd", "sdch", "compress",
        "x-unheard-of", "gzip, br", "utf-8"}) {
    for (const std::string& body : bodies) {
      SCOPED_TRACE(coding + ": " + body.substr(0, 30));
      const auto response = ParseHttpResponse(
          "HTTP/1.1 200 OK\nContent-Encoding: " + coding + "\n\n" + body,
          kLimit);
      ASSERT_TRUE(response.ok()) << response.status();
      EXPECT_EQ(response->body, body);
      EXPECT_FALSE(response->truncated);
    }
  }
}

TEST(ParseHttpResponse, CutBodiesAreKeptAndMarked) {
  std::string page = "<html>";
  for (int i = 0; i < 300; ++i) page += "<p>line " + std::to_string(i * i);
  struct Case {
    std::string coding;
    std::string body;
  };
  const std::vector<Case> cases = {{"gzip", Gzip(page)},
                                   {"deflate", Deflate(page, 15)},
                                   {"deflate", Deflate(page, -15)},
                                   {"zstd", Zstd(page)},
                                   {"br", Brotli(page)}};
  for (const Case& c : cases) {
    for (size_t cut = 64; cut < c.body.size(); cut += 7) {
      SCOPED_TRACE(c.coding + " cut at " + std::to_string(cut));
      const auto response =
          ParseHttpResponse("HTTP/1.1 200 OK\nContent-Encoding: " + c.coding +
                                "\n\n" + c.body.substr(0, cut),
                            kLimit);
      ASSERT_TRUE(response.ok()) << response.status();
      EXPECT_EQ(response->body, page.substr(0, response->body.size()));
      EXPECT_TRUE(response->truncated);
    }
  }
}

// Every short text is left alone by the codings that have no magic number.
TEST(ParseHttpResponse, NoShortTextIsTakenForCompressed) {
  std::vector<std::string> texts = {""};
  for (size_t i = 0; texts.size() < 9000; ++i) {
    for (char c = ' '; c <= '~'; ++c) texts.push_back(texts[i] + c);
  }
  for (const std::string coding : {"deflate", "br"}) {
    for (const std::string& text : texts) {
      const auto response = ParseHttpResponse(
          "HTTP/1.1 200 OK\nContent-Encoding: " + coding + "\n\n" + text,
          kLimit);
      ASSERT_TRUE(response.ok()) << response.status();
      ASSERT_EQ(response->body, text) << coding;
    }
  }
}

TEST(ParseHttpResponse, NeverFailsOnAPrefixOfAGoodResponse) {
  const std::string page = "<html>" + std::string(300, 'x') + "</html>";
  const std::string gzip = Gzip(page);
  const std::string block =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
      "Transfer-Encoding: chunked\r\n\r\n5\r\n" +
      gzip.substr(0, 5) + "\r\n" + "1;x\r\n" + gzip.substr(5, 1) +
      "\r\nfff\r\n" + gzip.substr(6);
  for (size_t cut = 12; cut <= block.size(); ++cut) {
    const auto response = ParseHttpResponse(block.substr(0, cut), kLimit);
    EXPECT_TRUE(response.ok()) << cut << " " << response.status();
  }
}

TEST(ParseHttpResponse, RandomDamageNeverBreaksIt) {
  const uint64_t seed = TestSeed(42);
  SCOPED_TRACE("TROMMEL_SEED=" + std::to_string(seed));
  Random random(seed);
  const std::string block =
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html; "
      "charset=x\r\nTransfer-Encoding: chunked\r\n\r\n15\r\n" +
      Gzip("a") + "\r\n0\r\n\r\n";
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = block;
    for (uint64_t j = 0; j <= random.Below(6); ++j) {
      damaged[random.Below(damaged.size())] = RandomBytes(&random, 1)[0];
    }
    const auto response = ParseHttpResponse(damaged, 1000);
    if (response.ok()) {
      EXPECT_LE(response->body.size(), 1000u);
    }
  }
}

}  // namespace
}  // namespace trommel::warc
