#include "core/warc/warc_record.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace trommel::warc {
namespace {

TEST(ParseWarcDate, Table) {
  struct Case {
    std::string text;
    std::optional<int64_t> expected;
  };
  const std::vector<Case> cases = {
      {"1970-01-01T00:00:00Z", 0},
      {"2016-09-19T17:20:24Z", 1474305624000},
      {"2016-09-19T17:20:24.5Z", 1474305624500},
      {"2016-09-19T17:20:24.123456789Z", 1474305624123},
      {"2016-09-19T17:20:24.04Z", 1474305624040},
      {"2016-02-29T00:00:00Z", 1456704000000},
      {"1969-12-31T23:59:59.999Z", -1},
      {"2016-12-31T23:59:60Z", 1483228800000},
      {"2016-09-19T17:20Z", 1474305600000},
      {"2016-09-19", 1474243200000},
      {"2016-09", 1472688000000},
      {"2016", 1451606400000},
      {"", std::nullopt},
      {"yesterday", std::nullopt},
      {"2016-09-19T17:20:24", std::nullopt},
      {"2016-09-19T17:20:24.Z", std::nullopt},
      {"2016-09-19T17:20:24.1234567890Z", std::nullopt},
      {"2016-09-19T17:20:24+01:00", std::nullopt},
      {"2016-09-19T17:20:24Zx", std::nullopt},
      {"2016-09-19 17:20:24Z", std::nullopt},
      {"2015-02-29T00:00:00Z", std::nullopt},
      {"2016-13-01T00:00:00Z", std::nullopt},
      {"2016-00-01T00:00:00Z", std::nullopt},
      {"2016-01-00T00:00:00Z", std::nullopt},
      {"2016-01-01T24:00:00Z", std::nullopt},
      {"2016-01-01T00:60:00Z", std::nullopt},
      {"2016-01-01T00:00:61Z", std::nullopt},
      {"-016-01-01T00:00:00Z", std::nullopt},
      {"20160101000000", std::nullopt},
      {"1678-01-01T00:00:00Z", -9214560000000},
      {"2261-12-31T23:59:59Z", 9214646399000},
      {"1677-12-31T23:59:59Z", std::nullopt},
      {"2262-01-01T00:00:00Z", std::nullopt},
      {"0001-01-01T00:00:00Z", std::nullopt},
      {"0000", std::nullopt},
      {"9999-12-31T23:59:59Z", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(ParseWarcDate(c.text), c.expected);
  }
}

TEST(ParseWarcTruncated, GivesTheReasonsOfTheStandard) {
  EXPECT_EQ(ParseWarcTruncated(""), "");
  EXPECT_EQ(ParseWarcTruncated("length"), "length");
  EXPECT_EQ(ParseWarcTruncated("Time"), "time");
  EXPECT_EQ(ParseWarcTruncated("disconnect"), "disconnect");
  EXPECT_EQ(ParseWarcTruncated("unspecified"), "unspecified");
  EXPECT_EQ(ParseWarcTruncated("because"), "unspecified");
}

TEST(WarcType, NamesRoundTrip) {
  for (const WarcType type :
       {WarcType::kOther, WarcType::kWarcinfo, WarcType::kResponse,
        WarcType::kResource, WarcType::kRequest, WarcType::kMetadata,
        WarcType::kRevisit, WarcType::kConversion, WarcType::kContinuation}) {
    EXPECT_EQ(ParseWarcType(ToString(type)), type);
  }
  EXPECT_EQ(ParseWarcType("RESPONSE"), WarcType::kResponse);
  EXPECT_EQ(ParseWarcType("novelty"), WarcType::kOther);
}

TEST(IsHttpResponse, NeedsTypeAndContentType) {
  struct Case {
    WarcType type;
    std::string content_type;
    bool expected;
    std::string block = "";
  };
  const std::vector<Case> cases = {
      {WarcType::kResponse, "application/http; msgtype=response", true},
      {WarcType::kResponse, "application/http;msgtype=response", true},
      {WarcType::kResponse, "Application/HTTP", true},
      {WarcType::kResponse, "application/http; msgtype=request", false},
      {WarcType::kResponse, "text/dns", false},
      {WarcType::kRequest, "application/http; msgtype=request", false},
      {WarcType::kRevisit, "application/http; msgtype=response", false},
      {WarcType::kResource, "text/html", false},
      {WarcType::kResponse, "", true, "HTTP/1.1 200 OK\r\n\r\n"},
      {WarcType::kResponse, "", false, "<html>"},
      {WarcType::kRevisit, "", false, "HTTP/1.1 200 OK\r\n\r\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.content_type);
    WarcRecord record;
    record.type = c.type;
    record.content_type = c.content_type;
    record.block = c.block;
    EXPECT_EQ(IsHttpResponse(record), c.expected);
  }
}

}  // namespace
}  // namespace trommel::warc
