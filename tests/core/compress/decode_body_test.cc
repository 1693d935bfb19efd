#include "core/compress/decode_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>
#include <vector>

#include "tests/testing/brotli.h"
#include "tests/testing/compression.h"

namespace trommel::compress {
namespace {

using ::testing::HasSubstr;
using ::trommel::testing_support::Brotli;
using ::trommel::testing_support::Deflate;
using ::trommel::testing_support::Gzip;
using ::trommel::testing_support::RandomBytes;
using ::trommel::testing_support::SkippableFrame;
using ::trommel::testing_support::Zstd;

std::string Text() {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

struct DecodeCase {
  std::string label;
  std::string body;
  std::string coding;
  absl::StatusCode code;
  std::string expected;
};

TEST(DecodeBody, Table) {
  const std::string text = Text();
  Random random(1);
  const std::string noise = RandomBytes(&random, 100'000);
  const auto ok = absl::StatusCode::kOk;
  const auto loss = absl::StatusCode::kDataLoss;
  const std::string gzip = Gzip(text);
  const std::string zstd = Zstd(text);
  const std::string brotli = Brotli(text);
  const std::string zlib = Deflate(text, 15);
  const std::string bare = Deflate(text, -15);
  const std::vector<DecodeCase> cases = {
      {"identity", text, "identity", ok, text},
      {"no coding", text, "", ok, text},
      {"gzip", gzip, "gzip", ok, text},
      {"gzip in capitals", gzip, "GZip", ok, text},
      {"x-gzip", gzip, "x-gzip", ok, text},
      {"gzip of nothing", Gzip(""), "gzip", ok, ""},
      {"gzip of noise", Gzip(noise), "gzip", ok, noise},
      {"gzip members", Gzip("a") + Gzip("") + Gzip("bc"), "gzip", ok, "abc"},
      {"gzip and rubbish", gzip + "\n\n", "gzip", ok, text},
      {"zlib", zlib, "deflate", ok, text},
      {"bare deflate", bare, "Deflate", ok, text},
      {"zstd", zstd, "zstd", ok, text},
      {"zstd frames", Zstd("a") + SkippableFrame(0x184D2A53, "x") + Zstd("b"),
       "zstd", ok, "ab"},
      {"empty gzip", "", "gzip", loss, ""},
      {"empty deflate", "", "deflate", loss, ""},
      {"empty zstd", "", "zstd", loss, ""},
      {"cut gzip", gzip.substr(0, gzip.size() / 2), "gzip", loss, ""},
      {"cut gzip trailer", gzip.substr(0, gzip.size() - 1), "gzip", loss, ""},
      {"cut zlib", zlib.substr(0, zlib.size() - 3), "deflate", loss, ""},
      {"cut bare deflate", bare.substr(0, 500), "deflate", loss, ""},
      {"cut zstd", zstd.substr(0, zstd.size() - 1), "zstd", loss, ""},
      {"not gzip", "<html>", "gzip", loss, ""},
      {"not deflate", "\xFF\xFF<html>", "deflate", loss, ""},
      {"not zstd", "<html>", "zstd", loss, ""},
      {"bare deflate and rubbish", bare + "\n", "deflate", loss, ""},
      {"brotli", brotli, "br", ok, text},
      {"brotli in capitals", brotli, "BR", ok, text},
      {"brotli of nothing", Brotli(""), "br", ok, ""},
      {"brotli of noise", Brotli(noise), "br", ok, noise},
      {"empty brotli", "", "br", loss, ""},
      {"cut brotli", brotli.substr(0, brotli.size() - 1), "br", loss, ""},
      {"brotli and rubbish", brotli + "\n", "br", loss, ""},
      {"not brotli", "<html>", "br", loss, ""},
      {"unknown", "x", "sdch", absl::StatusCode::kUnimplemented, ""},
  };
  for (const DecodeCase& c : cases) {
    SCOPED_TRACE(c.label);
    const auto result = DecodeBody(c.body, c.coding, 1 << 20);
    EXPECT_EQ(result.status().code(), c.code) << result.status();
    if (result.ok()) {
      EXPECT_EQ(*result, c.expected);
    }
  }
}

TEST(DecodeBody, DamagedChecksumIsDataLoss) {
  std::string gzip = Gzip(Text());
  gzip[gzip.size() - 6] ^= 1;
  EXPECT_EQ(DecodeBody(gzip, "gzip", 1 << 20).status().code(),
            absl::StatusCode::kDataLoss);
}

TEST(DecodeBody, UnknownCodingIsNamed) {
  EXPECT_THAT(std::string(DecodeBody("x", "sdch", 10).status().message()),
              HasSubstr("\"sdch\""));
}

TEST(DecodeBody, SizeLimitIsExact) {
  const std::string text = Text();
  for (const std::string coding :
       {"identity", "gzip", "deflate", "zstd", "br"}) {
    SCOPED_TRACE(coding);
    std::string body = text;
    if (coding == "gzip") body = Gzip(text);
    if (coding == "deflate") body = Deflate(text, 15);
    if (coding == "zstd") body = Zstd(text);
    if (coding == "br") body = Brotli(text);
    EXPECT_EQ(DecodeBody(body, coding, text.size()).value_or(""), text);
    for (const size_t limit : {text.size() - 1, size_t{100}, size_t{0}}) {
      EXPECT_EQ(DecodeBody(body, coding, limit).status().code(),
                absl::StatusCode::kResourceExhausted);
    }
  }
}

TEST(DecodeBody, PrefixOfEveryCutIsKept) {
  const std::string text = Text().substr(0, 2000);
  for (const std::string coding : {"gzip", "deflate", "zstd", "br"}) {
    const std::string body = coding == "gzip"      ? Gzip(text)
                             : coding == "deflate" ? Deflate(text, -15)
                             : coding == "br"      ? Brotli(text)
                                                   : Zstd(text);
    for (size_t cut = 0; cut < body.size(); ++cut) {
      SCOPED_TRACE(coding + " cut at " + std::to_string(cut));
      bool truncated = false;
      const auto result =
          DecodeBodyPrefix(body.substr(0, cut), coding, 1 << 20, &truncated);
      ASSERT_TRUE(result.ok()) << result.status();
      EXPECT_TRUE(truncated);
      EXPECT_EQ(*result, text.substr(0, result->size()));
    }
    bool truncated = false;
    EXPECT_EQ(*DecodeBodyPrefix(body, coding, 1 << 20, &truncated), text);
    EXPECT_FALSE(truncated);
  }
}

// A gibibyte of zeros: a stretch of deflate data that ends on a byte, repeated.
TEST(DecodeBody, BombStopsAtTheLimit) {
  const std::string stretch =
      Deflate(std::string(1 << 20, '\0'), -15, 9, Z_FULL_FLUSH);
  std::string bomb = Gzip("").substr(0, 10);
  for (int i = 0; i < 1024; ++i) bomb += stretch;
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(DecodeBody(bomb, "gzip", 8 << 20).status().code(),
            absl::StatusCode::kResourceExhausted);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10);  // KiB
}

TEST(FindCodingSign, GoesByFirstBytes) {
  EXPECT_EQ(FindCodingSign(Gzip("x"), "gzip"), CodingSign::kPresent);
  EXPECT_EQ(FindCodingSign(Zstd("x"), "zstd"), CodingSign::kPresent);
  EXPECT_EQ(FindCodingSign(Deflate("x", 15), "deflate"), CodingSign::kPresent);
  EXPECT_EQ(FindCodingSign(Deflate("x", -15), "deflate"), CodingSign::kNone);
  EXPECT_EQ(FindCodingSign("<html>", "x-gzip"), CodingSign::kAbsent);
  EXPECT_EQ(FindCodingSign("<html>", "zstd"), CodingSign::kAbsent);
  EXPECT_EQ(FindCodingSign("", "gzip"), CodingSign::kAbsent);
  EXPECT_EQ(FindCodingSign("<html>", "deflate"), CodingSign::kNone);
  EXPECT_EQ(FindCodingSign("<html>", "br"), CodingSign::kNone);
}

}  // namespace
}  // namespace trommel::compress
