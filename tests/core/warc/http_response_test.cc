#include "core/warc/http_response.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "tests/testing/compression.h"
#include "tests/testing/seed.h"

namespace trommel::warc {
namespace {

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
  const std::vector<BodyCase> cases = {
      {"empty", "", "", ok, ""},
      {"length that fits", "Content-Length: 3\n", "abc", ok, "abc"},
      {"length too small", "Content-Length: 2\n", "abc", ok, "abc"},
      {"length too large", "Content-Length: 4\n", "abc", ok, "abc", true},
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
      {"joined already, hexadecimal", te, "beef\nand more", ok, "and more",
       true},
      {"joined already, a short word", te, "3 dogs\nand more", ok,
       "3 dogs\nand more"},
      {"joined already, a number", te, "3\nand more", ok, "3\nand more"},
      {"cut in a chunk", te, "3\r\nabc\r\n8\r\nde", ok, "abcde", true},
      {"cut in the first chunk", te, "8\r\nde", ok, "de", true},
      {"cut after a chunk", te, "3\r\nabc", ok, "abc", true},
      {"cut in a line end", te, "3\r\nabc\r", ok, "abc", true},
      {"cut before a size", te, "3\r\nabc\r\n", ok, "abc", true},
      {"cut in a size", te, "3\r\nabc\r\n1", ok, "abc", true},
      {"rubbish for a size", te, "3\r\nabc\r\nxyz\r\n", ok, "abc", true},
      {"size of 64 bits", te, "ffffffffffffffff\r\nabc", ok, "abc", true},
      {"later size of 64 bits", te, "1\r\na\r\nffffffffffffffff\r\nbc", ok,
       "abc", true},
      {"size of 68 bits", te, "10000000000000000\r\nabc", ok,
       "10000000000000000\r\nabc"},
      {"later size of 68 bits", te, "1\r\na\r\n10000000000000000\r\nbc", ok,
       "a", true},
      {"gzip", ce_gzip, gzip, ok, page},
      {"x-gzip", "content-encoding:X-GZIP\n", gzip, ok, page},
      {"deflate", "Content-Encoding: deflate\n", Deflate(page, 15), ok, page},
      {"bare", "Content-Encoding: deflate\n", Deflate(page, -15), ok, page},
      {"zstd", "Content-Encoding: zstd\n", Zstd(page), ok, page},
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
      {"brotli", "Content-Encoding: br\n", "\x0B\x02\x80",
       absl::StatusCode::kUnimplemented},
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
